"""Settings, by property: what is stored comes back, what is wrong is named, keys stay where they belong."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.errors import BadInput, ConfigError, Refused
from cocoro_ghost.model.presets import AddonPreset, EmbeddingPreset, LlmPreset, PersonaPreset
from cocoro_ghost.settings import client_secrets, file_key, preset_book
from cocoro_ghost.settings.file import Config, load_config
from cocoro_ghost.settings.page import PageSettings, store_page_settings, stored_page_settings
from cocoro_ghost.settings.secrets import Seal, bearer_token, is_masked, load_seal, mask
from cocoro_ghost.store import meta
from cocoro_ghost.store import settings as rows
from cocoro_ghost.store.ports import Database
from cocoro_ghost.store.sqlite.files import open_settings

FEW = settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
KEY = base64.b64encode(bytes(range(32))).decode()


@pytest.fixture
def seal() -> Seal:
    return Seal(bytes(range(32)))


@pytest.fixture
def db(tmp_path: Path, clock: FrozenClock) -> Iterator[Database]:
    made = open_settings(tmp_path, clock)
    made.write_now(lambda tx: preset_book.ensure_defaults(tx, japanese=False))
    yield made
    made.close()


# -- the file


def _leaves(section: BaseModel, prefix: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in type(section).model_fields:
        value = getattr(section, name)
        if isinstance(value, BaseModel):
            found |= _leaves(value, f"{prefix}{name}.")
        else:
            found[prefix + name] = value
    return found


def _toml(leaves: dict[str, Any]) -> str:
    return "".join(f"{key} = {json.dumps(value)}\n" for key, value in leaves.items() if value is not None)


def test_a_file_that_says_every_default_changes_nothing(tmp_path: Path) -> None:
    leaves = _leaves(Config())
    text = _toml({key: value for key, value in leaves.items() if value != {}})
    (tmp_path / "config.toml").write_text(text, encoding="utf-8")
    assert load_config(tmp_path) == Config()


def test_everything_that_is_wrong_is_named_at_once(tmp_path: Path) -> None:
    """Whoever mends one key and meets the next gives up: all of them are told in one go."""
    wrong = {
        key: "no" if isinstance(value, int | float) else 5
        for key, value in _leaves(Config()).items()
        if key != "time_zone"
    }
    (tmp_path / "config.toml").write_text(_toml(wrong), encoding="utf-8")
    with pytest.raises(ConfigError) as told:
        load_config(tmp_path)
    # A flag takes "no" for what it says.
    flags = {key for key, value in _leaves(Config()).items() if isinstance(value, bool)}
    unnamed = {key for key in wrong.keys() - flags if f"`{key}" not in str(told.value)}
    assert unnamed == set()


@pytest.mark.parametrize("value", ["-1", "1e999", "nan", "-inf", '""', "[]", "{}", "1979-05-27T07:32:00Z"])
def test_no_number_takes_what_is_none(tmp_path: Path, value: str) -> None:
    keys = [key for key, one in _leaves(Config()).items() if type(one) in (int, float)]
    (tmp_path / "config.toml").write_text("".join(f"{key} = {value}\n" for key in keys), encoding="utf-8")
    with pytest.raises(ConfigError) as told:
        load_config(tmp_path)
    named = {key for key in keys if f"`{key}" in str(told.value)}
    # Without an upper border a number may be as large as it likes.
    assert named == set(keys) if value not in ("1e999",) else named


@pytest.mark.parametrize(
    "text",
    [
        "language = ",
        "= 1",
        "[server]\n[server]\n",
        "language = 'ja'\nlanguage = 'en'",
        "\ufffe",
        "[[server]]",
        "a.b.c = 1",
    ],
)
def test_a_broken_file_is_one_sentence_that_names_it(tmp_path: Path, text: str) -> None:
    (tmp_path / "config.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=r"config\.toml"):
        load_config(tmp_path)


def test_bytes_of_another_encoding_are_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_bytes("language = 'ja' # 設定".encode("shift_jis"))
    with pytest.raises(ConfigError, match="not valid TOML"):
        load_config(tmp_path)


@pytest.mark.parametrize(
    "key", ["serverr", "server.htp_port", "recal.weights.words", "backups.folders", "speech.quiet"]
)
def test_a_key_that_is_not_known_names_the_nearest(
    tmp_path: Path, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "config.toml").write_text(f"{key} = 1\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="did you mean"):
        load_config(tmp_path)
    (tmp_path / "config.toml").unlink()
    monkeypatch.setenv(f"COCORO_GHOST_{key.upper().replace('.', '__')}", "1")
    with pytest.raises(ConfigError, match="did you mean"):
        load_config(tmp_path)


# -- presets


LLM = st.builds(
    LlmPreset,
    preset_id=st.sampled_from(["a", "b", "c"]),
    name=st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=5),
    model=st.sampled_from(["openai/m", "openai/n", "xai/m", "embedded/ghost"]),
    api_key=st.sampled_from([None, "", "sk-one-123456789", "sk-two-987654321", "sk-…6789"]),
    base_url=st.sampled_from([None, "https://one.example/v1", "https://two.example/v1"]),
    max_tokens=st.integers(1, 9000),
)
BOOKS = st.lists(
    st.lists(LLM, min_size=1, max_size=3, unique_by=lambda one: one.preset_id), min_size=1, max_size=6
)


def _put(db: Database, seal: Seal, presets: list[LlmPreset]) -> None:
    book = db.read_now(lambda r: preset_book.read_book(r, seal))
    active = {**book.active, "llm": presets[0].preset_id}
    db.write_now(lambda tx: preset_book.replace_book(tx, seal, {**book.by_kind(), "llm": presets}, active))


def _host(preset: LlmPreset) -> tuple[str, str]:
    return preset.base_url or "", preset.model.partition("/")[0]


def test_presets_come_back_and_a_key_stays_with_the_host_it_was_given_for(db: Database, seal: Seal) -> None:
    @FEW
    @given(BOOKS)
    def holds(books: list[list[LlmPreset]]) -> None:
        for preset_id in "abc":
            db.write_now(lambda tx, one=preset_id: rows.drop_secret(tx, f"llm/{one}/api_key"))  # type: ignore[misc]
        given_for: dict[str, tuple[str, tuple[str, str]]] = {}
        for presets in books:
            _put(db, seal, presets)
            for preset in presets:
                known = given_for.get(preset.preset_id)
                if preset.api_key and not is_masked(preset.api_key):
                    given_for[preset.preset_id] = (preset.api_key, _host(preset))
                elif not preset.api_key or (known and known[1] != _host(preset)):
                    given_for.pop(preset.preset_id, None)
            stored = {one.preset_id: one for one in db.read_now(lambda r: preset_book.read_book(r, seal)).llm}
            assert [*stored] == [one.preset_id for one in presets], "in the order they were sent"
            for preset in presets:
                key = given_for.get(preset.preset_id, (None,))[0]
                assert stored[preset.preset_id] == replace(preset, api_key=key)

    holds()


@pytest.mark.parametrize(
    ("llm", "active", "sentence"),
    [
        ([], "a", "At least one llm preset"),
        ([LlmPreset("a", "x"), LlmPreset("a", "y")], "a", "not unique"),
        ([LlmPreset("a", "x")], "b", "active_llm_preset_id 'b'"),
    ],
)
def test_a_rule_that_is_broken_in_one_kind_changes_no_other(
    db: Database, seal: Seal, llm: list[LlmPreset], active: str, sentence: str
) -> None:
    before = db.read_now(lambda r: preset_book.read_book(r, seal))
    wanted: dict[str, Sequence[preset_book.Preset]] = {
        "persona": [PersonaPreset("p", "new", "text", "you")],
        "addon": [AddonPreset("n", "new")],
        "embedding": [EmbeddingPreset("e", "new")],
        "llm": llm,
    }
    chosen = {"persona": "p", "addon": "n", "embedding": "e", "llm": active}
    with pytest.raises(BadInput, match=sentence):
        db.write_now(lambda tx: preset_book.replace_book(tx, seal, wanted, chosen))
    assert db.read_now(lambda r: preset_book.read_book(r, seal)) == before


def test_members_of_another_version_are_passed_over(db: Database, seal: Seal) -> None:
    """A newer program, or an older one, has lived in this directory."""
    db.write_now(
        lambda tx: rows.put_preset(tx, "llm", "embedded", "x", {"model": "openai/m", "from_2030": [1]})
    )
    (llm,) = db.read_now(lambda r: preset_book.read_book(r, seal)).llm
    assert (llm.model, llm.max_tokens) == ("openai/m", LlmPreset("", "").max_tokens)
    page = {"first_run_done": True, "from_2030": {"a": 1}}
    db.write_now(lambda tx: meta.put(tx, "page_settings", json.dumps(page)))
    assert db.read_now(stored_page_settings) == PageSettings(first_run_done=True)


@FEW
@given(st.builds(PageSettings, st.booleans(), st.booleans(), st.booleans()))
def _page(db: Database, wanted: PageSettings) -> None:
    db.write_now(lambda tx: store_page_settings(tx, wanted))
    assert db.read_now(stored_page_settings) == wanted


def test_what_the_page_keeps_comes_back(db: Database) -> None:
    assert db.read_now(stored_page_settings) == PageSettings()
    _page(db)


# -- keys at rest


@FEW
@given(st.text(max_size=20), st.text(max_size=40), st.integers(0, 60), st.integers(0, 255))
def test_a_sealed_text_opens_as_it_was_or_not_at_all(name: str, text: str, at: int, flip: int) -> None:
    seal = Seal(bytes(range(32)))
    try:
        name.encode(), text.encode()
    except UnicodeEncodeError:
        return
    sealed = seal.close(name, text)
    assert seal.open(name, sealed) == text
    assert seal.close(name, text) != sealed, "the same text never looks the same twice"
    with pytest.raises(ConfigError):
        seal.open(f"{name}.", sealed)
    with pytest.raises(ConfigError):
        seal.open(name, sealed[: at % len(sealed)])
    if flip:
        spoiled = bytearray(sealed)
        spoiled[at % len(sealed)] ^= flip
        with pytest.raises(ConfigError):
            seal.open(name, bytes(spoiled))
    assert Seal(bytes(32), bytes(range(32))).open(name, sealed) == text, "an older key still opens it"


@FEW
@given(st.text(min_size=1, max_size=60))
def test_a_mask_never_gives_a_key_away(secret: str) -> None:
    shown = mask(secret)
    assert is_masked(shown)
    plain = shown.replace("…", "", 1)
    assert len(plain) <= max(0, len(secret) - 4), "at least four characters stay hidden"
    assert len(plain) <= 7


@pytest.mark.parametrize(
    "note",
    [
        {"kept": "passphrase"},
        {"kept": "passphrase", "salt": "AAAA", "sealed": ""},
        {"kept": "passphrase", "salt": "AAAA", "sealed": "AAAA"},
        {"kept": "passphrase", "salt": "!", "sealed": "é"},
        {"kept": "passphrase", "salt": "AAAAAAAAAAAAAAAAAAAAAA==", "sealed": "A"},
    ],
)
def test_a_damaged_note_of_a_key_is_a_sentence(
    tmp_path: Path, note: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_key, "_SCRYPT", {"n": 2, "r": 1, "p": 1})
    (tmp_path / file_key.NOTE).write_text(json.dumps(note), encoding="utf-8")
    with pytest.raises((ConfigError, Refused)) as told:
        file_key.open_key(file_key.read_encryption(tmp_path), tmp_path, lambda: "a passphrase")
    assert len(str(told.value)) > 20


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", '{"kept": "nowhere"}', "\x00", '{"kept": '])
def test_a_note_that_cannot_be_read_says_where_to_get_another(tmp_path: Path, text: str) -> None:
    (tmp_path / file_key.NOTE).write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match="backup"):
        file_key.read_encryption(tmp_path)


def test_a_passphrase_opens_what_it_closed_and_no_other_does(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(file_key, "_SCRYPT", {"n": 2, "r": 1, "p": 1})
    key = file_key.new_key()
    for phrase in ("12345678", "とても長い合言葉だよ", " spaces  ", "é" * 8, "x" * 500):
        note = file_key.under_passphrase(key, phrase)
        assert key not in note.model_dump_json()
        assert file_key.open_key(note, tmp_path, lambda phrase=phrase: phrase) == key  # type: ignore[misc]
        for other in (phrase + " ", phrase[:-1] + "y", phrase.upper() + "!", "12345679"):
            with pytest.raises(Refused):
                file_key.open_key(note, tmp_path, lambda other=other: other)  # type: ignore[misc]
    for short in ("", "1234567", "合言葉"):
        with pytest.raises(ConfigError, match="at least 8"):
            file_key.under_passphrase(key, short)


def test_a_passphrase_comes_from_the_environment_or_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    assert file_key.ask_passphrase({file_key.PASSPHRASE_VARIABLE: "given here"}) == "given here"
    monkeypatch.setattr("sys.stdin.isatty", lambda: False, raising=False)
    for nothing in ({}, {file_key.PASSPHRASE_VARIABLE: ""}):
        with pytest.raises(ConfigError, match=file_key.PASSPHRASE_VARIABLE):
            file_key.ask_passphrase(nothing)


@pytest.mark.parametrize(
    "text", ["", "short", KEY[:-4], KEY + "AAAA", "é" * 44, "\ufffd", KEY.replace("A", "*")]
)
def test_a_key_file_of_the_wrong_kind_is_a_sentence(tmp_path: Path, text: str) -> None:
    (tmp_path / "key").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match="damaged"):
        load_seal(tmp_path, use_keyring=False)
    assert (tmp_path / "key").read_text(encoding="utf-8") == text, "it is never replaced by itself"


def test_secrets_of_clients_are_kept_replaced_and_dropped_apart(db: Database, seal: Seal) -> None:
    for client_id, secret in (("a", "one"), ("b", "two"), ("a/b", "three")):
        db.write_now(lambda tx, c=client_id, s=secret: client_secrets.keep_user_jwt(tx, seal, c, s))  # type: ignore[misc]

    def held(client_id: str) -> str | None:
        return db.read_now(lambda r: client_secrets.user_jwt(r, seal, client_id))

    assert (held("a"), held("b"), held("a/b"), held("c")) == ("one", "two", "three", None)
    db.write_now(lambda tx: client_secrets.keep_user_jwt(tx, seal, "a", None))
    assert held("a") == "one", "nothing said leaves it as it is"
    db.write_now(lambda tx: client_secrets.keep_user_jwt(tx, seal, "a", ""))
    assert held("a") is None
    assert db.read_now(lambda r: [client_secrets.has_user_jwt(r, one) for one in ("a", "b")]) == [False, True]
    with pytest.raises(ConfigError):
        db.read_now(lambda r: client_secrets.user_jwt(r, Seal(bytes(32)), "b"))


def test_a_token_is_one_until_it_is_renewed_or_its_key_is_lost(db: Database, seal: Seal) -> None:
    first = db.write_now(lambda tx: bearer_token(tx, seal))
    assert db.write_now(lambda tx: bearer_token(tx, seal)) == first
    renewed = db.write_now(lambda tx: bearer_token(tx, seal, renew=True))
    assert renewed.text != first.text
    assert not renewed.key_lost
    lost = db.write_now(lambda tx: bearer_token(tx, Seal(bytes(32))))
    assert lost.key_lost
    assert lost.text not in (first.text, renewed.text)
    assert len(lost.text) >= 40


def test_sessions_end_and_usage_adds_up(db: Database, clock: FrozenClock) -> None:
    now = clock.system_now()
    db.write_now(lambda tx: rows.put_session(tx, "s", now + 10))
    assert db.read_now(lambda r: rows.session_expiry(r, "s", now + 9)) == now + 10
    assert db.read_now(lambda r: rows.session_expiry(r, "s", now + 10)) is None
    db.write_now(lambda tx: rows.put_session(tx, "s", now + 20))
    assert db.read_now(lambda r: rows.session_expiry(r, "s", now + 10)) == now + 20
    assert db.write_now(lambda tx: rows.drop_session(tx, "s"))
    assert not db.write_now(lambda tx: rows.drop_session(tx, "s"))
    for day, tokens in (("2026-01-01", 3), ("2026-01-02", 4), ("2026-01-02", 5)):
        db.write_now(lambda tx, d=day, n=tokens: rows.count_usage(tx, d, "speak", "m", n, 1, 0))  # type: ignore[misc]
    (used,) = db.read_now(lambda r: rows.usage_since(r, "2026-01-02"))
    assert (used.calls, used.input_tokens, used.output_tokens) == (2, 9, 2)
    assert [one.day for one in db.read_now(lambda r: rows.usage_since(r, ""))] == ["2026-01-02", "2026-01-01"]
