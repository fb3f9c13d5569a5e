"""Help in the person's language: the English texts stand at the commands, the Japanese ones here."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType

import typer
from typer.core import TyperArgument, TyperGroup, TyperOption

PANELS = MappingProxyType({"arguments": "引数", "options": "オプション", "commands": "コマンド"})
HELP_OPTION = "この説明を表示して終わる。"
JAPANESE = MappingProxyType({
    "The memory and voice of a persistent AI companion.": "ずっと覚えている AI コンパニオンの、記憶と声。",
    "Say which version this is.": "バージョンを表示する。",
    "Start the ghost; stop it with Ctrl-C.": "ゴーストを起動する。Ctrl-C で止まる。",
    "Where the ghost keeps everything (else COCORO_GHOST_HOME).":
        "データのフォルダー（省くと COCORO_GHOST_HOME）。",
    "0 takes any free port.": "0 なら空いているポートを使う。",
    "Talk in the terminal; /help lists what else you can ask.":
        "ターミナルで話す。/help でほかにできることを表示。",
    "Nothing of this talk is kept.": "この会話は何も残さない。",
    "Choose which mind speaks: the embedded one, a key found here, a local server, an open model.":
        "言語モデルを選ぶ。内蔵、見つかった API キー、ローカルサーバー、公開モデル。",
    "`local` downloads an open model for this machine; `rerank` looks at memories twice.":
        "`local` で公開モデルを入れ、`rerank` で記憶を二度見て選ぶ。",
    "Its tools reach the model.": "アプリの道具を言語モデルに渡す。",
    "Its user who is you: id, address or name.": "アプリ側のあなた: ID、メール、名前。",
    "What its users' tokens are signed with.": "利用者のトークンの署名に使う鍵。",
    "Many ghosts in one PostgreSQL database.": "ひとつの PostgreSQL に多くのゴースト。",
    "Serve the ghosts of a database; every server of the house runs this.":
        "データベースのゴーストを動かす。どのサーバーでもこれを実行する。",
    "postgresql://…; else COCORO_HOUSE_DATABASE in the environment.":
        "postgresql://…（省くと環境変数 COCORO_HOUSE_DATABASE）。",
    "Listens plainly: a balancer stands before it.": "暗号化なしで待つ。前にバランサーを置く。",
    "What the house is called; several times.": "サーバーの名前。いくつでも指定できる。",
    "The balancer speaks HTTPS to the world.": "外とはバランサーが HTTPS で話す。",
    "Ghosts held in memory at most.": "同時にメモリーに置くゴーストの上限。",
    "Who lives in the house.": "住んでいるゴースト。",
    "Make room for a new ghost; its token is printed once and kept nowhere.":
        "新しいゴーストを作る。トークンは一度だけ表示され、どこにも残らない。",
    "The ghost's name in this house.": "ゴーストの名前。",
    "Like Asia/Tokyo; else the server's.": "たとえば Asia/Tokyo。省くとサーバーの時間帯。",
    "ja, en or auto.": "ja、en、auto のどれか。",
    "Everybody who lives here.": "すべてのゴーストの一覧。",
    "One ghost: its quotas, and how many rows it has; no word of it.":
        "ひとつのゴーストの上限と行数。言葉は表示しない。",
    "A new owner's token; the one before opens nothing any more.":
        "持ち主の新しいトークン。前のものは使えなくなる。",
    "Nobody speaks with it, and it does nothing, until `--resume`; nothing is lost.":
        "`--resume` まで、話すことも動くこともない。何も失われない。",
    "What a ghost may use of a day.": "ゴーストが一日に使える量。",
    "A day; -1 lifts it.": "一日あたり。-1 で上限なし。",
    "Everything of a ghost as JSON lines, as `cocoro-ghost export` writes them; keys and tokens stay.":
        "ゴーストのすべてを `cocoro-ghost export` と同じ JSON で書き出す。鍵とトークンは含まない。",
    "Put an export of either engine into a ghost that has not lived yet.":
        "書き出したものを、まだ話していないゴーストに入れる。",
    "Seal every ghost's stored API keys with the new master key; may be stopped and run again.":
        "預かった API キーを新しいマスターキーで封じ直す。途中で止めて、もう一度実行してもよい。",
    "Delete everything of a ghost, for good, and show that nothing is left.":
        "ゴーストのすべてを完全に消し、何も残っていないことを示す。",
    "Do not ask.": "確かめずに行う。",
    "Bring the database to this program's schema, as its owner; servers may go on meanwhile.":
        "データベースをこのプログラムの形に合わせる（所有者として）。サーバーは動いていてよい。",
    "Recall without a reply: what comes to mind, and why.": "返事はせずに思い出す。何を、なぜ思い出したか。",
    "A message, as it would be said.": "話しかける言葉。",
    "Show where each memory came from.": "それぞれの記憶がどこから来たかを表示する。",
    "Override the rules' choice.": "自動で決まる種類を上書きする。",
    "Remember as at this time (ISO 8601).": "この時刻として思い出す（ISO 8601）。",
    "How many to select.": "選ぶ数。",
    "Also write the trace here.": "記録をこのファイルにも書く。",
    "Copy everything, whole and consistent; the ghost may go on talking.":
        "すべてをそっくり控える。話している途中でもよい。",
    "A new folder for it (else backups/ in the data).":
        "控えを置く新しいフォルダー（省くとデータの backups/）。",
    "Under a passphrase of its own.": "専用のパスフレーズで暗号化する。",
    "Put a backup in place; what is there now is kept in `replaced/`.":
        "バックアップから戻す。いまのものは `replaced/` に残す。",
    "A backup's name or folder; none lists them.": "バックアップの名前かフォルダー。省くと一覧を表示する。",
    "Say what would be done; change nothing.": "何をするかだけを表示し、何も変えない。",
    "After a loss: go on with the files that are there.": "失われたあと、いまあるファイルで続ける。",
    "Write everything but keys and tokens as JSON lines.":
        "API キーとトークン以外のすべてを JSON で書き出す。",
    "A file; standard output if not given.": "ファイル。省くと標準出力。",
    "Build the word index anew and fill in missing vectors.":
        "言葉の索引を作り直し、足りないベクトルを補う。",
    "Move the memory to another embedding preset, with every vector made anew and nothing lost.":
        "記憶を別の埋め込みプリセットへ移す。ベクトルは作り直し、何も失わない。",
    "The embedding preset to move the memory to.": "移す先の埋め込みプリセット。",
    "Take in an export (into an empty ghost), or a history of turns from elsewhere.":
        "書き出したもの（空のゴーストへ）や、ほかの会話の履歴を取り込む。",
    "An export, or JSON lines of turns.": "書き出したファイル、または会話の JSON Lines。",
    "A name for this history.": "この履歴の名前。",
    "Also learn from the turns (slower).": "会話から覚えることもする（時間がかかる）。",
    "Encrypt the memory files; run again to change passphrase or keeping place. Stop the ghost first.":
        "記憶ファイルを暗号化する。もう一度使うと鍵を替える。先にゴーストを止めておく。",
    "Keep the key in the system's keyring; else a passphrase.":
        "鍵をシステムのキーリングに置く。省くとパスフレーズ。",
    "Make the memory files readable again. Stop the ghost first.":
        "記憶ファイルの暗号化を解く。先にゴーストを止めておく。",
    "Check files, permissions, indexes, jobs and models; exit 1 when something is bad.":
        "ファイル、権限、索引、作業、モデルを調べる。悪いところがあれば終了コード 1。",
    "Show jobs, newest first, or send the failed ones again.":
        "作業を新しい順に表示する。失敗したものをやり直す。",
    "Only jobs of this status.": "この状態の作業だけ。",
    "Send quarantined and dead jobs to work again.": "止まった作業をもう一度行う。",
    "Serve the memory of a running ghost as MCP tools to the program that started this.":
        "動いているゴーストの記憶を、起動したプログラムに MCP の道具として渡す。",
    "Where the ghost is served.": "ゴーストのアドレス。",
    "A client's token, else COCORO_TOKEN.": "アプリのトークン（省くと COCORO_TOKEN）。",
    "Print the token that clients send as `Authorization: Bearer …`.":
        "アプリが `Authorization: Bearer …` で送るトークンを表示する。",
    "Make a new token; clients need the new one.": "新しいトークンを作る。アプリも新しいものに替える。",
    "Show what a message says: acts, claims, tastes, the question, times, names, feeling.":
        "言葉をどう読んだかを表示する。行為、事実、好み、質問、時、名前、感情。",
    "A message to read.": "読む言葉。",
    "Local time it is said at, ISO 8601.": "話した時刻（現地時刻、ISO 8601）。",
    "Print the whole reading as JSON.": "読み取りのすべてを JSON で表示する。",
    'IN OUT: lines {"text", "now"?, "before"?} in, readings as JSON out.':
        '入力 出力: {"text", "now"?, "before"?} の行を読み、結果を JSON で書く。',
    "Tokens of their own for other programs.": "ほかのアプリのための専用トークン。",
    "Every client that was ever let in.": "これまでにつないだアプリの一覧。",
    "Let a client in; its token is printed once and kept nowhere.":
        "アプリをつなぐ。トークンは一度だけ表示され、どこにも残らない。",
    "What it is called, like Open WebUI.": "アプリの名前。たとえば Open WebUI。",
    "May be given several times; else talk.": "いくつでも指定できる。省くと talk。",
    "Its headers may name other speakers.": "ヘッダーでほかの話し手を名乗れる。",
    "Feelings in the reply.": "返事に添える感情の印。",
    "Its system messages.": "アプリのシステム文の扱い。",
    "The talk so far.": "これまでのやりとりの扱い。",
    "A new token; the old one opens nothing any more.": "新しいトークン。古いものは使えなくなる。",
    "Let it in no more; what it said stays.": "もうつながない。話したことは残る。",
    "Measure recall and learning on data of your own.": "手もとのデータで、思い出す力と覚える力を測る。",
    "Measure recall on conversations with questions whose answers are known.":
        "答えの分かっている質問つきの会話で、思い出す力を測る。",
    "Turns, JSON lines.": "会話（JSON Lines）。",
    "Questions, JSON lines.": "質問（JSON Lines）。",
    "`embedded`, `none`, or an embedding preset.": "`embedded`、`none`、または埋め込みプリセット。",
    "Depths, separated by commas.": "深さをコンマで区切って。",
    "Leave out: recent, words, meaning, states, about_time, replies, tastes, threads, links, entities, "
    "state_links, neighbours, passages, related, sides, scaffolding, trust, recency, ongoing, tellings, "
    "closeness, around, pieces.":
        "使わない手がかり: recent, words, meaning, states, about_time, replies, tastes, threads, links, "
        "entities, state_links, neighbours, passages, related, sides, scaffolding, trust, recency, ongoing, "
        "tellings, closeness, around, pieces。",
    "Folder of NAME.events.jsonl and NAME.queries.jsonl.":
        "NAME.events.jsonl と NAME.queries.jsonl のあるフォルダー。",
    "With --sets: also without each part, one by one.": "--sets とともに: 部品をひとつずつ外しても測る。",
    "With --sets: an earlier --json to compare with.": "--sets とともに: 比べる相手の、前の --json。",
    "With --sets: Markdown page to put the table in.": "--sets とともに: 表を書き込む Markdown のページ。",
    "Conversations at once.": "同時に進める会話の数。",
    "Learn from each turn first (embedded mind).": "先に会話から覚える（内蔵のモデル）。",
    "Also write the whole result here.": "結果のすべてをこのファイルにも書く。",
    "Run stored retrievals of this memory again and show what would be recalled differently.":
        "残っている思い出しをもう一度行い、どう変わるかを表示する。",
    "How many stored runs, newest first.": "やり直す数（新しい順）。",
    "How many differences to show.": "表示する違いの数。",
    "Measure what write plans teach: preferences, times, names, states, feelings.":
        "何を覚えるかを測る。好み、時、名前、事実、感情。",
    "Labelled turns, JSON lines.": "正解つきの会話（JSON Lines）。",
    "`embedded`, or the id or name of an LLM preset.":
        "`embedded`、または言語モデルのプリセットの ID か名前。",
    "How many failures to show.": "表示する失敗の数。",
    "Play talks with checks, a fresh ghost for each, and show how many checks of each kind hold.":
        "検査つきの会話を、毎回新しいゴーストで行い、種類ごとに合った数を表示する。",
    "Talks with checks, JSON or JSON lines.": "検査つきの会話（JSON か JSON Lines）。",
    "Also print what was said and answered.": "話した言葉と返事も表示する。",
    "Measure replies and learning: memory used, nothing made up, nothing leaked, language kept.":
        "返事と覚え方を測る。記憶を使い、作り話をせず、漏らさず、言語を守るか。",
    "How many of the sixty scenarios.": "六十の場面のうちいくつ行うか。",
    "Run everything CI checks: style, types, the page, all tests.":
        "CI と同じ検査をすべて行う。書式、型、ページ、全テスト。",
    "Run style, types, layers and sizes only.": "書式、型、階層、大きさだけを調べる。",
})  # fmt: skip


Command = typer.core.TyperCommand | TyperGroup


def texts(command: Command) -> Iterator[str]:
    """Every help text of a command tree, as it is written."""
    yield command.help or ""
    yield from (one.help or "" for one in _parameters(command))
    for below in _below(command):
        yield from texts(below)


def in_japanese(command: Command) -> None:
    """Puts the Japanese words into a command tree; what has none yet stays English rather than silent."""
    command.help = JAPANESE.get(command.help or "", command.help)
    for one in _parameters(command):
        one.help = JAPANESE.get(one.help or "", one.help)
        one.rich_help_panel = PANELS["arguments" if isinstance(one, TyperArgument) else "options"]
    # Made once for each command and kept by it: asked for here, it is the one that is shown later.
    shown = command.get_help_option(command.context_class(command))
    if isinstance(shown, TyperOption):
        shown.help, shown.rich_help_panel = HELP_OPTION, PANELS["options"]
    for below in _below(command):
        below.rich_help_panel = PANELS["commands"]
        in_japanese(below)


def _parameters(command: Command) -> Iterator[TyperArgument | TyperOption]:
    yield from (one for one in command.params if isinstance(one, TyperArgument | TyperOption))


def _below(command: Command) -> Iterator[Command]:
    if isinstance(command, TyperGroup):
        yield from (one for one in command.commands.values() if isinstance(one, Command))
