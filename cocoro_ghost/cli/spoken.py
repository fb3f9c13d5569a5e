"""What commands say, in the person's language: English stands at the commands, Japanese here."""

from __future__ import annotations

from contextvars import ContextVar
from pathlib import Path
from types import MappingProxyType
from typing import TextIO

from cocoro_ghost.bootstrap import speaks_japanese
from cocoro_ghost.errors import GhostError
from cocoro_ghost.settings.file import Config, data_directory, load_config

ASKED_FOR: ContextVar[Path | None] = ContextVar("asked_for", default=None)
"""The `--data-dir` of the command that runs: its ghost's language is spoken."""
JAPANESE = MappingProxyType({
    # backup, restore, export, import
    "{path} ({size}). Bring it back with: cocoro-ghost restore {name}":
        "{path}（{size}）に控えました。戻すには: cocoro-ghost restore {name}",
    "There is no backup yet; `cocoro-ghost backup` makes one.":
        "控えはまだありません。`cocoro-ghost backup` で作れます。",
    "Would restore {files} from {path}.": "{path} から {files} を戻すことになります。",
    "Restored {files}. What was there is kept in {kept}.":
        "{files} を戻しました。それまでのものは {kept} に残してあります。",
    "Going on with what is there: {count} events.": "あるものだけで続けます（{count} 件のやりとり）。",
    "Written to {path}.": "{path} に書き出しました。",
    "This is an export; it would be taken in whole, into an empty ghost.":
        "これは書き出したものです。空のゴーストに丸ごと取り込むことになります。",
    "Taken in: {counts}": "取り込みました: {counts}",
    "{added} turns added, {known} were known already.":
        "{added} 件のやりとりを取り込みました（{known} 件は取り込み済み）。",
    "{added} turns would be added, {known} were known already.":
        "{added} 件のやりとりを取り込むことになります（{known} 件は取り込み済み）。",
    "… and {count} more lines were left out.": "…ほかに {count} 行を取り込めませんでした。",
    "backing up": "控えています", "restoring": "戻しています", "exporting": "書き出しています",
    "importing": "取り込んでいます", "indexing": "索引を作っています", "words": "言葉", "vectors": "意味",
    # reindex, reembed
    "Words: {events} events and {states} states missing.":
        "言葉の索引: やりとり {events} 件、記憶 {states} 件が足りません。",
    "Vectors: {count} missing.": "意味の索引: {count} 件が足りません。",
    "The indexes are complete.": "索引がそろいました。",
    "There are no vectors: {why}": "意味の索引はありません: {why}",
    "Would copy memory_{now}.db and embed it anew for {preset}.":
        "memory_{now}.db を写し、{preset} で意味の索引を作り直すことになります。",
    "The memory now lives with {preset}.": "記憶を {preset} に移しました。",
    # encrypt, decrypt
    "encrypting": "暗号化しています", "decrypting": "暗号を解いています",
    "The memory files are encrypted. Without the passphrase or the keyring nobody opens them again.":
        "記憶のファイルを暗号化しました。パスフレーズか鍵束がなければ、誰にも開けません。",
    "{count} older copies are still readable; remove them when you no longer need them:":
        "暗号化していない古い控えが {count} 件あります。要らなくなったら消してください:",
    "The memory files are readable again.": "記憶のファイルの暗号を解きました。",
    # jobs, clients, token
    "{count} jobs were sent to work again.": "{count} 件の作業をやり直します。",
    "id": "番号", "kind": "種類", "status": "状態", "tries": "試行", "due": "予定", "error": "問題",
    "done": "完了", "failed": "失敗", "pending": "待ち", "due_pending": "すぐ", "running": "実行中",
    "quarantined": "保留", "dead": "中止", "name": "名前", "scopes": "できること",
    "last used": "最後に使った時", "stale_running": "止まったまま", "stale_seconds": "待つ秒数",
    "revoked": "取り消し済み", "never": "まだ",
    "{client} opens nothing any more.": "{client} はもう何も開けません。",
    "A ghost that is running takes it at its next start.": "動いているゴーストは、次の起動から使います。",
    # doctor
    "what": "対象", "finding": "結果", "what to do": "すること",
    "data directory": "データのフォルダー", "disk": "ディスク", "jobs": "作業", "settings": "設定",
    "memory": "記憶", "mind": "言語モデル", "embedding": "埋め込み",
    "words index": "言葉の索引", "meaning index": "意味の索引", "{file} access": "{file} の権限",
    "{path} will be made at the first start.": "{path} は最初の起動で作られます。",
    "Only {free} MB are free.": "空きが {free} MB しかありません。",
    "Free some space.": "空きを増やしてください。",
    "{free} GB are free.": "空きは {free} GB です。",
    "{file} is damaged: {problem}.": "{file} が壊れています: {problem}",
    "Stop the ghost and run `cocoro-ghost restore` with the newest backup.":
        "ゴーストを止め、いちばん新しい控えで `cocoro-ghost restore` を実行してください。",
    "{file} is sound ({size} MB).": "{file} は無事です（{size} MB）。",
    "{file} was moved aside as damaged.": "{file} は壊れていたため脇に置かれています。",
    "Keep it until a restored memory is complete, then remove it.":
        "戻した記憶がそろうまで残し、そのあと消してください。",
    "{count} jobs failed for good.": "{count} 件の作業が失敗したままです。",
    "Look at them with `cocoro-ghost jobs`; send them again with `cocoro-ghost jobs --retry`.":
        "`cocoro-ghost jobs` で確かめ、`cocoro-ghost jobs --retry` でやり直せます。",
    "{waiting} jobs wait, {done} are done.": "待ちが {waiting} 件、完了が {done} 件です。",
    "All {total} memories can be found by words.": "{total} 件すべてを言葉で探せます。",
    "All {total} memories can be found by meaning.": "{total} 件すべてを意味で探せます。",
    "{covered} of {total} memories can be found by words.": "{total} 件のうち {covered} 件を言葉で探せます。",
    "{covered} of {total} memories can be found by meaning.":
        "{total} 件のうち {covered} 件を意味で探せます。",
    "The worker fills the rest in; `cocoro-ghost reindex` does it at once.":
        "残りは順に作られます。すぐ作るなら `cocoro-ghost reindex`。",
    "{file} can be read by others (mode {mode}).": "{file} をほかの人が読めます（モード {mode}）。",
    "{file} is private (mode {mode}).": "{file} はほかの人には読めません（モード {mode}）。",
    "Mend config.toml or the variable, then ask again.": "config.toml か環境変数を直して、もう一度どうぞ。",
    "Do as it says, then ask again.": "そのとおりにして、もう一度どうぞ。",
    "Words answer until then.": "それまでは言葉で探します。",
    "{model} answers.": "{model} は応答します。", "{model}: answers.": "{model}: 応答します。",
    "Check the key and the address in the settings, or choose the embedded mind there.":
        "設定で API キーとアドレスを確かめるか、内蔵を選んでください。",
    # recall
    "Nothing comes to mind.": "思い当たるものはありません。",
    "{now!r} is no ISO 8601 time.": "{now!r} は ISO 8601 の日時ではありません。",
    "ref": "記憶", "when": "いつ", "score": "点数", "text": "内容", "why": "理由",
    "{kind} (past)": "{kind}（過去）", "event": "やりとり", "state": "知識", "affect": "感情",
    "milliseconds: {stages}; in all {all:.1f}": "ミリ秒: {stages}、合わせて {all:.1f}",
    "selected by {who}": "選んだのは{who}", "order": "点数の順",
    "left out of {name}:": "{name} に入らなかったもの:",
    "pack: {tokens} tokens ({sizes})": "渡した記憶: {tokens} トークン（{sizes}）",
    "mode {mode}": "思い出し方: {mode}", "about “{time}”": "時期: {time}", "only asks": "尋ねるだけの文",
    "asks for before": "以前のことを尋ねている", "searched as “{search}”": "探した言葉: {search}",
    "associative_recent": "連想（最近を優先）", "explicit_about_time": "示された時期から",
    "targeted_broad": "昔まで広く", "route": "経路", "hits": "件数", "ms": "ミリ秒", "routes": "探した場所",
    "seat": "枠", "mean": "意味", "time": "時期", "rel": "関連",
    "candidates: {seated} of {weighed} seated": "候補: {weighed} 件から {seated} 件",
    "● selected; {left} weighed but without a seat; seats: {seats}":
        "● 選ばれたもの。枠に入らなかった候補は {left} 件。枠: {seats}",
    "recent": "最近", "meaning": "意味", "states": "いまの知識", "about_time": "その時期",
    "replies": "返事の連なり", "tastes": "好み", "threads": "同じ話題", "links": "つながり",
    "entities": "名前", "state_links": "関連する知識", "several": "いくつもの経路", "context": "文脈",
    "exploration": "寄り道", "rest": "残りの上位", "plan": "計画", "gather": "探す", "fuse": "並べる",
    "select": "選ぶ", "pack": "まとめる", "ok": "済み", "late": "間に合わず", "off": "なし",
    "CONTEXT_CAPSULE": "いまの状況", "STABLE_FACTS": "確かなこと", "SHARED_NARRATIVE": "ふたりの物語",
    "RELATIONSHIP_STATE": "間がら", "EPISODE_EVIDENCE": "思い出したやりとり", "OPEN_LOOPS": "これからのこと",
    "Check the embedding preset in the settings; words answer meanwhile.":
        "設定で埋め込みを確かめてください。その間は言葉で探します。",
})  # fmt: skip


def in_japanese_here() -> bool:
    """As the ghost that is asked for decides; what cannot be read must not hide what is said."""
    try:
        config = load_config(data_directory(ASKED_FOR.get()))
    except (GhostError, OSError):
        config = Config()
    return speaks_japanese(config)


def spoken(sentence: str, /, **fills: object) -> str:
    """The sentence in the person's language, filled in."""
    told = JAPANESE[sentence] if sentence in JAPANESE and in_japanese_here() else sentence
    return told.format(**fills) if fills else told


def tell(sentence: str, /, *, file: TextIO | None = None, **fills: object) -> None:
    print(spoken(sentence, **fills), file=file)
