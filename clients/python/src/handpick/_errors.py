"""What can go wrong that the caller should hear about?"""

from __future__ import annotations

from typing import Literal

FallOpenReason = Literal["timeout", "unreachable", "rate_limited", "server_error", "unreadable"]
"""Why there is no selection: no answer in time, no connection, 429, 5xx, or an answer that is not one."""


class HandpickError(Exception):
    """Everything this package raises on purpose."""


class ApiError(HandpickError):
    """The gateway refused. `message` is its own sentence, which says what would be right."""

    def __init__(self, status: int, message: str, retry_after: int | None = None) -> None:
        super().__init__(status, message, retry_after)
        self.status = status
        self.message = message
        self.retry_after = retry_after
        """Seconds to wait, where the gateway said so."""

    def __str__(self) -> str:
        return f"{self.status}: {self.message}"


class UnansweredError(HandpickError):
    """Nothing that can be read came back in time: whether the gateway acted is not known."""

    def __init__(self, reason: FallOpenReason, detail: str, status: int | None = None) -> None:
        super().__init__(reason, detail, status)
        self.reason: FallOpenReason = reason
        self.detail = detail
        self.status = status

    def __str__(self) -> str:
        return f"{self.reason}: {self.detail}"
