-- Notes and workflows of the system toolkits.
SELECT 1;
