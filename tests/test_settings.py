"""Config file, preset_book, keys at rest."""

from __future__ import annotations

import stat
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.errors import BadInput, ConfigError, NotFound
from cocoro_ghost.model.presets import EmbeddingPreset, LlmPreset
from cocoro_ghost.settings import preset_book
from cocoro_ghost.settings.file import data_directory, load_config
from cocoro_ghost.settings.secrets import Seal, bearer_token, is_masked, load_seal, mask
from cocoro_ghost.store.ports import Database
from cocoro_ghost.store.sqlite.files import memory_path, open_settings

KEY = "sk-canary-0123456789"


@pytest.fixture
def seal(tmp_path: Path) -> Seal:
    return load_seal(tmp_path, use_keyring=False)


@pytest.fixture
def settings(tmp_path: Path, clock: FrozenClock) -> Database:
    db = open_settings(tmp_path, clock)
    db.write_now(lambda tx: preset_book.ensure_defaults(tx, japanese=True))
    return db


def replace_llm(db: Database, seal: Seal, *llm: LlmPreset, active: str | None = None) -> None:
    book = db.read_now(lambda r: preset_book.read_book(r, seal))
    chosen = {**book.active, "llm": active or llm[0].preset_id}
    wanted = {**book.by_kind(), "llm": llm}
    db.write_now(lambda tx: preset_book.replace_book(tx, seal, wanted, chosen))


def llm_of(db: Database, seal: Seal) -> tuple[LlmPreset, ...]:
    return db.read_now(lambda r: preset_book.read_book(r, seal)).llm


def test_a_first_run_needs_no_file_and_no_key(tmp_path: Path, settings: Database, seal: Seal) -> None:
    config = load_config(tmp_path)
    assert (config.server.https_port, config.server.http_port, config.server.lan) == (55601, 55602, False)
    chosen = settings.read_now(lambda r: preset_book.read_book(r, seal)).chosen()
    assert chosen.llm.model.startswith("embedded/")
    assert chosen.embedding.model.startswith("embedded/")
    assert chosen.persona.second_person_label == "あなた"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "[server]\nhttp_prot = 1\n",
            "`server.http_prot` is not a known key; did you mean `server.http_port`?",
        ),
        ("langauge = 'ja'\n", "did you mean `language`?"),
        ("[server]\nhttp_port = 99999\n", "`server.http_port` is wrong"),
        ("[server\n", "not valid TOML"),
        ("time_zone = 'Asia/Tokio'\n", "`time_zone` is wrong"),
        ("time_zone = '../etc/passwd'\n", "`time_zone` is wrong"),
        ("[speech]\nquiet_from = '25:00'\n", "`speech.quiet_from` is wrong"),
    ],
)
def test_a_wrong_config_is_one_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "config.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_config(tmp_path)
    assert sentence in str(caught.value)


def test_the_environment_wins_over_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "config.toml").write_text("language = 'ja'\n[server]\nhttp_port = 1000\n", encoding="utf-8")
    monkeypatch.setenv("COCORO_GHOST_SERVER__HTTP_PORT", "2000")
    monkeypatch.setenv("COCORO_GHOST_HOME", "/x")
    config = load_config(tmp_path)
    assert (config.language, config.server.http_port) == ("ja", 2000)
    monkeypatch.setenv("COCORO_GHOST_SERVER", '{"https_port": 3000}')
    assert load_config(tmp_path).server.https_port == 3000
    monkeypatch.setenv("COCORO_GHOST_SERVER", "3000")
    with pytest.raises(ConfigError, match="server"):
        load_config(tmp_path)
    monkeypatch.delenv("COCORO_GHOST_SERVER")
    monkeypatch.setenv("COCORO_GHOST_TIDY__EVERY_TURN", "3")
    with pytest.raises(ConfigError, match=r"tidy\.every_turns"):
        load_config(tmp_path)


def test_a_value_where_a_section_belongs_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "config.toml").write_text("server = 5\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"`server` is wrong"):
        load_config(tmp_path)
    monkeypatch.setenv("COCORO_GHOST_SERVER__HTTP_PORT", "2000")
    assert load_config(tmp_path).server.http_port == 2000


def test_a_time_zone_and_quiet_hours_are_read(tmp_path: Path) -> None:
    text = "time_zone = 'Europe/Berlin'\n[speech]\nquiet_from = '23:30'\nquiet_until = '07:00'\n"
    (tmp_path / "config.toml").write_text(text, encoding="utf-8")
    config = load_config(tmp_path)
    assert (config.time_zone, config.speech.quiet_from) == ("Europe/Berlin", "23:30")


def test_the_data_directory_can_be_given(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("COCORO_GHOST_HOME", str(tmp_path))
    assert data_directory() == tmp_path
    assert data_directory(tmp_path / "other") == tmp_path / "other"


def test_keys_are_sealed_at_rest_and_the_key_file_is_private(
    tmp_path: Path, settings: Database, seal: Seal
) -> None:
    replace_llm(settings, seal, LlmPreset("a", "A", model="openai/x", api_key=KEY))
    assert llm_of(settings, seal)[0].api_key == KEY
    settings.close()
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600
    for path in tmp_path.iterdir():
        assert KEY.encode() not in path.read_bytes(), path.name


def test_a_masked_key_keeps_the_stored_one_and_another_host_drops_it(settings: Database, seal: Seal) -> None:
    stored = LlmPreset("a", "A", model="openai/x", api_key=KEY)
    replace_llm(settings, seal, stored)
    masked = replace(stored, api_key=mask(KEY), name="B")
    assert is_masked(mask(KEY))
    assert mask(KEY).endswith("6789")
    replace_llm(settings, seal, masked)
    assert llm_of(settings, seal)[0].api_key == KEY
    replace_llm(settings, seal, replace(masked, base_url="https://elsewhere.example/v1"))
    assert llm_of(settings, seal)[0].api_key is None


def test_a_preset_left_out_is_archived_and_comes_back_whole(settings: Database, seal: Seal) -> None:
    first, second = LlmPreset("a", "A"), LlmPreset("b", "B", max_tokens=7)
    replace_llm(settings, seal, first, second)
    replace_llm(settings, seal, first)
    assert [preset.preset_id for preset in llm_of(settings, seal)] == ["a"]
    replace_llm(settings, seal, second, first)
    assert llm_of(settings, seal) == (second, first)


def test_the_token_is_made_once_and_can_be_renewed(settings: Database, seal: Seal) -> None:
    token = settings.write_now(lambda tx: bearer_token(tx, seal))
    assert len(token.text) >= 40
    assert settings.write_now(lambda tx: bearer_token(tx, seal)) == token
    assert settings.write_now(lambda tx: bearer_token(tx, seal, renew=True)) != token


def test_a_sealed_value_cannot_be_moved_or_opened_with_another_key(tmp_path: Path, seal: Seal) -> None:
    sealed = seal.close("a", KEY)
    with pytest.raises(ConfigError, match="cannot be opened"):
        seal.open("b", sealed)
    (tmp_path / "other").mkdir()
    with pytest.raises(ConfigError):
        load_seal(tmp_path / "other", use_keyring=False).open("a", sealed)
    assert load_seal(tmp_path, use_keyring=False).open("a", sealed) == KEY


@pytest.mark.parametrize(
    "changed",
    [{"base_url": "https://evil.example/v1"}, {"model": "openrouter/x"}],
)
def test_a_key_never_follows_to_another_host_not_even_out_of_the_archive(
    settings: Database, seal: Seal, changed: dict[str, Any]
) -> None:
    stored, other = LlmPreset("a", "A", model="openai/x", api_key=KEY), LlmPreset("b", "B")
    replace_llm(settings, seal, stored, other)
    replace_llm(settings, seal, other)
    back = replace(stored, api_key=mask(KEY), **changed)
    replace_llm(settings, seal, back, other)
    assert llm_of(settings, seal)[0].api_key is None


def test_the_key_of_the_eyes_keeps_its_own_host(settings: Database, seal: Seal) -> None:
    stored = LlmPreset("a", "A", model="openai/x", image_model="openai/eye", image_api_key=KEY)
    replace_llm(settings, seal, stored)
    masked = replace(stored, image_api_key=mask(KEY))
    replace_llm(settings, seal, replace(masked, base_url="https://elsewhere.example/v1"))
    assert llm_of(settings, seal)[0].image_api_key == KEY
    replace_llm(settings, seal, replace(masked, image_model="google/eye"))
    assert llm_of(settings, seal)[0].image_api_key is None


@pytest.mark.parametrize("preset_id", ["../evil", "日本", "a/b", "", "a\n"])
def test_an_embedding_preset_must_be_able_to_name_a_file(
    settings: Database, seal: Seal, preset_id: str
) -> None:
    book = settings.read_now(lambda r: preset_book.read_book(r, seal))
    wanted = {**book.by_kind(), "embedding": [EmbeddingPreset(preset_id, "X")]}
    with pytest.raises(BadInput, match="cannot name a memory file"):
        settings.write_now(
            lambda tx: preset_book.replace_book(tx, seal, wanted, {**book.active, "embedding": preset_id})
        )
    assert settings.read_now(lambda r: preset_book.read_book(r, seal)) == book


def test_with_the_key_lost_the_ghost_still_starts_and_asks_again(
    tmp_path: Path, settings: Database, seal: Seal
) -> None:
    replace_llm(settings, seal, LlmPreset("a", "A", model="openai/x", api_key=KEY))
    token = settings.write_now(lambda tx: bearer_token(tx, seal))
    (tmp_path / "key").unlink()
    new_seal = load_seal(tmp_path, use_keyring=False)
    assert llm_of(settings, new_seal)[0].api_key is None
    new = settings.write_now(lambda tx: bearer_token(tx, new_seal))
    assert new.text != token.text
    assert new.key_lost
    assert not settings.write_now(lambda tx: bearer_token(tx, new_seal)).key_lost


@pytest.mark.parametrize("damage", ["", "not base64 at all!", "c2hvcnQ="])
def test_a_damaged_key_file_is_a_sentence(tmp_path: Path, damage: str) -> None:
    (tmp_path / "key").write_text(damage, encoding="utf-8")
    with pytest.raises(ConfigError, match="damaged"):
        load_seal(tmp_path, use_keyring=False)


class FakeKeyring(ModuleType):
    """The system's keyring, unlocked or locked."""

    def __init__(self, priority: float = 5) -> None:
        super().__init__("keyring")
        self.priority, self.kept, self.locked = priority, dict[tuple[str, str], str](), False

    def get_keyring(self) -> FakeKeyring:
        return self

    def get_password(self, service: str, name: str) -> str | None:
        if self.locked:
            raise RuntimeError("locked")
        return self.kept.get((service, name))

    def set_password(self, service: str, name: str, text: str) -> None:
        self.kept[(service, name)] = text


def test_a_key_in_the_keyring_is_not_replaced_when_the_keyring_is_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ring = FakeKeyring()
    monkeypatch.setitem(sys.modules, "keyring", ring)
    sealed = load_seal(tmp_path).close("a", KEY)
    assert len(ring.kept) == 1
    assert next(iter(ring.kept.values())) not in (tmp_path / "key").read_text(encoding="utf-8")
    ring.locked = True
    with pytest.raises(ConfigError, match="keyring"):
        load_seal(tmp_path)
    ring.locked = False
    assert load_seal(tmp_path).open("a", sealed) == KEY
    (tmp_path / "key").unlink()
    assert load_seal(tmp_path).open("a", sealed) == KEY


def test_a_keyring_of_no_worth_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ring = FakeKeyring(priority=0)
    monkeypatch.setitem(sys.modules, "keyring", ring)
    sealed = load_seal(tmp_path).close("a", KEY)
    assert not ring.kept
    assert load_seal(tmp_path, use_keyring=False).open("a", sealed) == KEY


def test_short_keys_are_masked_whole() -> None:
    assert (mask(None), mask(""), mask("abc"), mask("abcdefgh")) == ("", "", "…", "…efgh")


def test_a_chosen_preset_must_be_there(settings: Database, seal: Seal) -> None:
    book = settings.read_now(lambda r: preset_book.read_book(r, seal))
    with pytest.raises(NotFound, match="no preset"):
        replace(book, active={**book.active, "llm": "gone"}).chosen()


def test_without_a_home_in_the_environment_the_platform_says_where(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COCORO_GHOST_HOME", raising=False)
    assert data_directory().name == "CocoroGhost"


def test_new_ids_can_name_a_memory() -> None:
    first, second = preset_book.new_id(), preset_book.new_id()
    assert first != second
    assert memory_path(Path(), first).name == f"memory_{first}.db"


def test_a_keyring_that_breaks_is_as_good_as_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ring = FakeKeyring()
    monkeypatch.setattr(ring, "set_password", None)
    monkeypatch.setitem(sys.modules, "keyring", ring)
    sealed = load_seal(tmp_path).close("a", KEY)
    assert load_seal(tmp_path, use_keyring=False).open("a", sealed) == KEY
