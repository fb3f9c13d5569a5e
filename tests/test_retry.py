"""When a job is tried again: never in a wave, never for ever, and what a server asks for is heeded."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cocoro_ghost.errors import Outage
from cocoro_ghost.work.retry import (
    ASLEEP_SECONDS,
    FIRST_SNOOZE_SECONDS,
    LONGEST_RETRY_AFTER_SECONDS,
    LONGEST_SNOOZE_SECONDS,
    Backoff,
)

ASKED = st.none() | st.floats(0, 1e9)


@given(st.integers(0, 100_000), ASKED, st.integers())
def test_a_wait_is_bounded_however_long_the_outage(snoozes: int, asked: float | None, seed: int) -> None:
    wait = Backoff(Random(seed)).after_outage(snoozes, Outage("down", retry_after=asked))
    heeded = min(LONGEST_RETRY_AFTER_SECONDS, asked or 0.0)
    assert wait >= int(max(FIRST_SNOOZE_SECONDS, heeded)), "what a server asks for is waited for"
    assert wait <= max(FIRST_SNOOZE_SECONDS, heeded) + LONGEST_SNOOZE_SECONDS
    assert wait < ASLEEP_SECONDS, "else a sound wait would be taken for a clock that was put back"


@given(st.integers(0, 12), st.integers())
def test_bad_answers_are_asked_again_within_seconds(attempts: int, seed: int) -> None:
    wait = Backoff(Random(seed)).after_bad_answer(attempts)
    assert 1 <= wait <= 2 ** (attempts + 1)


@pytest.mark.parametrize("snoozes", [0, 3, 20])
def test_many_jobs_of_one_outage_do_not_come_back_together(snoozes: int) -> None:
    backoff = Backoff(Random(1))
    waits = [backoff.after_outage(snoozes, Outage("down")) for _ in range(200)]
    spread = max(waits) - min(waits)
    assert len(set(waits)) > 10
    assert max(waits.count(wait) for wait in waits) <= 40, f"of 200 over {spread} seconds"


def test_the_longer_it_lasts_the_longer_the_waits_get() -> None:
    def mean(snoozes: int) -> float:
        backoff = Backoff(Random(2))
        return sum(backoff.after_outage(snoozes, Outage("down")) for _ in range(300)) / 300

    means = [mean(snoozes) for snoozes in range(8)]
    assert means == sorted(means)
    assert means[0] < 20 < means[-1]
