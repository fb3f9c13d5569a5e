"""The year as data: what is said in each session, in two languages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Tongue = Literal["ja", "en"]
GAPS = [0, *[5] * 19, 30, 45, 60, 75, 60]
"""Days before each session: twenty of them five days apart, then the rest of the year."""


@dataclass(frozen=True, slots=True)
class Turn:
    text: str
    plan: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Expect:
    """What holds from a session on; it stays so until a later session says otherwise."""

    slots: Mapping[str, str] = field(default_factory=dict)
    """Single-valued facts: slot → current value."""
    past: tuple[str, ...] = ()
    """Values that must be found in closed states, not in current ones of a slot."""
    likes: Mapping[str, str | None] = field(default_factory=dict)
    """Subject → the polarity that may be asserted, None when nothing may be."""
    open_tasks: Mapping[str, bool] = field(default_factory=dict)
    """A word of a task → whether it is still open."""


@dataclass(frozen=True, slots=True)
class Session:
    title: str
    turns: tuple[Turn, ...]
    expect: Expect = Expect()
    mood: Literal["up", "down", None] = None
    denial: bool = False


@dataclass(frozen=True, slots=True)
class Words:
    """The same year in one language."""

    name: str
    home: tuple[str, str, str]
    job: tuple[str, str]
    food: str
    bitter: str
    topic: str
    sister: str
    report: str
    dentist: str
    says: Mapping[str, tuple[str, ...]]


JA = Words(
    name="健太",
    home=("東京", "福岡", "大阪"),
    job=("印刷会社", "出版社"),
    food="ラーメン",
    bitter="納豆",
    topic="ジャズ",
    sister="美咲",
    report="企画書",
    dentist="歯医者",
    says={
        "intro": ("はじめまして。健太といいます。", "東京に住んでて、印刷会社で働いてる。"),
        "food": ("ラーメンが大好き。", "でも納豆は苦手。"),
        "sister": ("妹の美咲が昨日泊まりに来て、とても楽しかった！", "美咲は大学で建築を勉強してる。"),
        "report": ("来月の10日までに企画書を出さないといけない。", "ちょっと緊張する。"),
        "sad": ("今日、会社でひどく怒られて落ち込んでる。", "もう何もかも嫌になった。悲しい。"),
        "school": ("高校のころ、吹奏楽部でトランペットを吹いてた。", "文化祭の演奏が懐かしい。"),
        "topic": ("ジャズの話が好き。", "ラーメンはやっぱり好きだな。"),
        "done": ("企画書、やっと出したよ！", "ほっとした。"),
        "again": ("東京に住んでるとラーメン屋が多くて嬉しい。",),
        "move": ("福岡に引っ越した。", "新しい部屋は海が見えて気持ちいい。"),
        "settle": ("福岡に住んでるけど、まだ道に迷う。",),
        "job": ("転職した。今は出版社で働いてる。", "編集の仕事は新鮮で楽しい。"),
        "flip": ("ラーメンは嫌いになった。", "胃がもたれるんだ。"),
        "dentist": ("今月の20日に歯医者に行かないといけない。",),
        "bitter": ("納豆が好きになった。", "毎朝食べてる。"),
        "recall": ("高校の吹奏楽部のこと、覚えてる？", "それは関係ないよ。"),
        "happy": ("資格試験に合格した！最高にうれしい！",),
        "same": ("福岡に住んでる。", "出版社で働いてる。"),
        "back": ("やっぱりラーメンが好き。",),
        "cat": ("白い猫を飼い始めた。名前は小雪。",),
        "quiet": ("最近は落ち着いて過ごしてる。",),
        "away": ("大阪に引っ越した。", "にぎやかで楽しい街だ。"),
        "year": ("今年はいろいろあったね。", "来年もよろしく。"),
        "calm": ("お茶を飲みながら本を読んでる。",),
        "last": ("大阪に住んで、出版社で働いてる。猫も元気。",),
    },
)

EN = Words(
    name="Alex",
    home=("Boston", "Denver", "Seattle"),
    job=("nurse", "teacher"),
    food="ramen",
    bitter="cilantro",
    topic="jazz",
    sister="Emily",
    report="report",
    dentist="dentist",
    says={
        "intro": ("Hi, my name is Alex.", "I live in Boston and I work as a nurse."),
        "food": ("I love ramen.", "I hate cilantro though."),
        "sister": (
            "My sister Emily visited me yesterday and it was so much fun!",
            "Emily studies architecture.",
        ),
        "report": ("I have to submit the report by February 10.", "I am a bit nervous."),
        "sad": ("I got yelled at by my boss today and feel terrible.", "Everything is awful. I am so sad."),
        "school": ("In high school I played the trumpet in the marching band.", "I miss the concerts."),
        "topic": ("I like jazz.", "I still love ramen."),
        "done": ("I finally submitted the report!", "What a relief."),
        "again": ("I live in Boston, so there are many ramen places around.",),
        "move": ("I moved to Denver.", "The new place has a lovely view."),
        "settle": ("I live in Denver but still get lost.",),
        "job": ("I changed jobs. I work as a teacher now.", "The kids are fun."),
        "flip": ("I hate ramen now.", "It upsets my stomach."),
        "dentist": ("I have to go to the dentist on March 20.",),
        "bitter": ("I like cilantro now.", "I put it on everything."),
        "recall": ("Do you remember the marching band in high school?", "That's not what I meant."),
        "happy": ("I passed my certification exam! I am so happy!",),
        "same": ("I live in Denver.", "I work as a teacher."),
        "back": ("I love ramen again.",),
        "cat": ("I adopted a white cat named Snow.",),
        "quiet": ("Things are calm these days.",),
        "away": ("I moved to Seattle.", "It is a lively city and I enjoy it."),
        "year": ("So much happened this year.", "Let's talk next year too."),
        "calm": ("I am reading a book with a cup of tea.",),
        "last": ("I live in Seattle and I work as a teacher. The cat is fine.",),
    },
)
