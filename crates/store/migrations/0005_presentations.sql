-- Presentation settings that were changed while the gateway ran.
SELECT 1;
