"""How does a wire test say what it found?

One line a check (`ok`, `FAIL` with what came and what was wanted, `skip` with the reason) and, last, one line of JSON
with the counts, which the runner adds up.
"""

import json
import sys
import traceback

import anyio

SECONDS_PER_CHECK = 120


def short(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=repr)
    return text if len(text) <= 600 else f"{text[:600]}… ({len(text)} characters)"


class Report:
    def __init__(self) -> None:
        self.passed = self.failed = self.skipped = 0

    def ok(self, name: str) -> None:
        self.passed += 1
        print(f"ok {name}", flush=True)

    def fail(self, name: str, got: object, wanted: object) -> None:
        self.failed += 1
        print(f"FAIL {name}: got {short(got)}; wanted {short(wanted)}", flush=True)

    def skip(self, name: str, reason: str) -> None:
        self.skipped += 1
        print(f"skip {name}: {reason}", flush=True)

    def equal(self, name: str, got: object, wanted: object) -> None:
        self.ok(name) if got == wanted else self.fail(name, got, wanted)

    def true(self, name: str, holds: bool, got: object, wanted: str) -> None:
        self.ok(name) if holds else self.fail(name, got, wanted)

    async def check(self, name: str, check, *arguments) -> None:
        """Runs one check; an exception or two minutes of silence is a failure of this check alone."""
        try:
            with anyio.fail_after(SECONDS_PER_CHECK):
                await check(f"{name}", *arguments)
        except TimeoutError:
            self.fail(name, f"no answer within {SECONDS_PER_CHECK} s", "an answer")
        except Exception as error:  # noqa: BLE001: whatever a client raises is the finding
            causes = "; ".join(traceback.format_exception_only(error)).strip()
            if isinstance(error, BaseExceptionGroup):
                causes += " ← " + "; ".join(repr(e) for e in error.exceptions)
            self.fail(name, causes, "no exception")

    def finish(self) -> None:
        print(json.dumps({"passed": self.passed, "failed": self.failed, "skipped": self.skipped}), flush=True)
        sys.exit(1 if self.failed else 0)
