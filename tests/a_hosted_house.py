"""A house of several ghosts for tests: small minds, small encoders, one clock."""

from __future__ import annotations

from cocoro_ghost.bootstrap import Stand
from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.embed.choose_embedder import Choice
from cocoro_ghost.house.homes import Homes, SharedDatabase
from cocoro_ghost.house.house import Budget, House
from cocoro_ghost.house.shared import SharedFaculties
from cocoro_ghost.settings.file import Config
from cocoro_ghost.store.postgres.engine import PostgresEngine
from cocoro_ghost.testing import HashEmbedder

CONFIG = Config(use_keyring=False, language="ja", time_zone="Asia/Tokyo")
KEY = bytes(range(32))


def shared_faculties() -> SharedFaculties:
    return SharedFaculties(lambda preset: Choice(HashEmbedder(), "for tests"))


def a_house_over(homes: Homes, clock: FrozenClock, *, awake: int = 100, lively: bool = True) -> House:
    # Each ghost has its own clock (it may be advanced); the house's own says when somebody is due.
    stand = Stand(config=CONFIG)
    return House(homes, shared_faculties(), Budget(awake=awake), lively=lively, stand=stand, clock=clock)


def in_database(engine: PostgresEngine) -> SharedDatabase:
    return SharedDatabase(engine, CONFIG, KEY)
