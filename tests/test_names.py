"""Names: people, places, organisations, projects and tools in both languages, and what is none of them."""

from __future__ import annotations

import pytest

from cocoro_ghost.language import morphology
from cocoro_ghost.language.morphology import content_words, tokens
from cocoro_ghost.language.names import find_names
from cocoro_ghost.model.scene import Language


def short(text: str) -> set[str]:
    return {f"{entity.type.value}:{entity.name}" for entity in find_names(text)}


JAPANESE = [
    ("昨日、山田さんと飲みに行った", {"person:山田"}),
    ("高橋部長にほめられた", {"person:高橋"}),
    ("林さんは親切だ", {"person:林"}),
    ("鈴木一郎さんの講演を聞いた", {"person:鈴木一郎"}),
    ("妹の美咲が結婚した", {"person:美咲"}),
    ("うちの猫のきなこがかわいい", {"person:きなこ"}),
    ("犬のポチを散歩させた", {"person:ポチ"}),
    ("愛犬のレオが病気になった", {"person:レオ"}),
    ("インコのぴーちゃんが歌う", {"person:ぴー"}),
    ("ケンくんとゲームした", {"person:ケン"}),
    ("ゆうちゃんに会いたい", {"person:ゆう"}),
    ("同僚の佐々木が辞めた", {"person:佐々木"}),
    ("娘の名前はひなたです", {"person:ひなた"}),
    ("田中先生に相談した", {"person:田中"}),
    ("中村先輩は厳しい", {"person:中村"}),
    ("友達のマイクが日本に来た", {"person:マイク"}),
    ("石川さんは金沢の人", {"person:石川", "place:金沢"}),
    ("私は木村直子といいます", {"person:木村直子"}),
    ("彼氏の翔太と旅行", {"person:翔太"}),
    ("担任の小林先生が好きだった", {"person:小林"}),
    ("先月、札幌に引っ越した", {"place:札幌"}),
    ("京都と奈良を回った", {"place:京都", "place:奈良"}),
    ("フランスに留学したい", {"place:フランス"}),
    ("実家は岡山です", {"place:岡山"}),
    ("新宿駅で待ち合わせ", {"place:新宿駅"}),
    ("代々木公園を散歩した", {"place:代々木公園"}),
    ("草津温泉でのんびりした", {"place:草津温泉"}),
    ("ニューヨークは寒かった", {"place:ニューヨーク"}),
    ("沖縄旅行が楽しみ", {"place:沖縄"}),
    ("横浜に住んでいる", {"place:横浜"}),
    ("渋谷で買い物", {"place:渋谷"}),
    ("ハワイで挙式した", {"place:ハワイ"}),
    ("任天堂に就職が決まった", {"org:任天堂"}),
    ("トヨタで働いています", {"org:トヨタ"}),
    ("ミナト商事を辞めた", {"org:ミナト商事"}),
    ("早稲田大学を卒業した", {"org:早稲田大学"}),
    ("株式会社アオゾラに入社した", {"org:アオゾラ"}),
    ("阪神タイガースが優勝した", {"org:阪神タイガース"}),
    ("ひまわりクリニックで診てもらった", {"org:ひまわりクリニック"}),
    ("「つばめ工房」という会社で働いている", {"org:つばめ工房"}),
    ("三菱商事の面接を受けた", {"org:三菱商事"}),
    ("Slackで連絡が来た", {"tool:Slack"}),
    ("ポケモンにハマってる", {"tool:ポケモン"}),
    ("エルデンリングをクリアした", {"tool:エルデンリング"}),
    ("Pythonの勉強を始めた", {"tool:Python"}),
    ("「星屑の島」っていうゲームが面白い", {"tool:星屑の島"}),
    ("iPhoneを買い替えた", {"tool:iPhone"}),
    ("Blenderでモデルを作ってる", {"tool:Blender"}),
    ("Notionを使って管理してる", {"tool:Notion"}),
    ("オーロラプロジェクトが始動した", {"project:オーロラプロジェクト"}),
    ("「ひかり計画」の資料を作る", {"project:ひかり計画"}),
    ("井上さんと長野のスキー場へ行った", {"person:井上", "place:長野"}),
    ("姪っ子の凛ちゃんに会った", {"person:凛"}),
    ("ハムスターのもなかが脱走した", {"person:もなか"}),
    ("部長の西村さんと大阪出張", {"person:西村", "place:大阪"}),
    ("Googleに転職した", {"org:Google"}),
    ("加藤君と広島で牡蠣を食べた", {"person:加藤", "place:広島"}),
    ("アンナさんはドイツから来た", {"person:アンナ", "place:ドイツ"}),
    ("浦和レッズの試合を見に行った", {"org:浦和レッズ"}),
    ("みどり銀行に口座を作った", {"org:みどり銀行"}),
    # nothing to name
    ("お母さんに電話した", set()),
    ("お客さんが多かった", set()),
    ("店員さんが親切だった", set()),
    ("赤ちゃんが泣いてる", set()),
    ("猫のトイレを掃除した", set()),
    ("犬の散歩に行ってくる", set()),
    ("友達の家に泊まった", set()),
    ("上司の愚痴を聞かされた", set()),
    ("中華料理が好き", set()),
    ("フランス語を勉強してる", set()),
    ("札幌ラーメンが食べたい", set()),
    ("大学で教えてる", set()),
    ("近所の病院に行った", set()),
    ("新しいプロジェクトが始まった", set()),
    ("スイッチを押しても電気がつかない", set()),
    ("コンビニで働いてる", set()),
    ("カフェでのんびりした", set()),
    ("チョコレートケーキが大好き", set()),
    ("日曜に映画を観た", set()),
    ("みんなで鍋をした", set()),
    ("雪が降って嬉しい", set()),
    ("桜がきれいだった", set()),
    ("ピアノを始めた", set()),
    ("今日は暑いね", set()),
    ("パソコンが壊れた", set()),
    ("お疲れさん", set()),
    ("光がまぶしい", set()),
    ("ギターの練習をサボった", set()),
    ("未来が不安だ", set()),
    ("テレビを見ながら寝た", set()),
    ("仕事やめたいなあ", set()),
    ("皆さん元気ですか", set()),
]

ENGLISH = [
    ("My brother Tomasz lives in Gdansk", {"person:Tomasz", "place:Gdansk"}),
    ("I had coffee with Priya yesterday", {"person:Priya"}),
    ("Mr. Okafor gave me an A", {"person:Okafor"}),
    ("My coworker Delphine is leaving", {"person:Delphine"}),
    ("Our cat Waffles knocked over the vase", {"person:Waffles"}),
    ("We named her Juniper", {"person:Juniper"}),
    ("My name is Ingrid", {"person:Ingrid"}),
    ("Tom and I broke up", {"person:Tom"}),
    ("Sarah said she can't come", {"person:Sarah"}),
    ("Professor Lindqvist liked my thesis", {"person:Lindqvist"}),
    ("I miss Abuela Carmen's cooking and Nora too", {"person:Nora", "person:Abuela Carmen"}),
    ("Yesterday Zadie told me a secret", {"person:Zadie"}),
    ("I met my best friend Kwame in Accra", {"person:Kwame", "place:Accra"}),
    ("my dog is named Pickles", {"person:Pickles"}),
    ("I got into a fight with Marcus", {"person:Marcus"}),
    ("I moved to Portland last year", {"place:Portland"}),
    ("We drove through Nebraska", {"place:Nebraska"}),
    ("I grew up in a town near Leeds", {"place:Leeds"}),
    ("Flying to Reykjavik tomorrow", {"place:Reykjavik"}),
    ("It always rains in Bergen", {"place:Bergen"}),
    ("We hiked in Yosemite", {"place:Yosemite"}),
    ("I'm from New Zealand", {"place:New Zealand"}),
    ("Paris was magical", {"place:Paris"}),
    ("I want to visit Lake Como", {"place:Lake Como"}),
    ("I live in Cedar Rapids now", {"place:Cedar Rapids"}),
    ("We ran around Golden Gate Park", {"place:Golden Gate Park"}),
    ("She works at Google", {"org:Google"}),
    ("I got an offer from Spindrift Labs", {"org:Spindrift Labs"}),
    ("I started a job at Meridian", {"org:Meridian"}),
    ("He studies at Ohio State University", {"org:Ohio State University"}),
    ("The Yankees lost again", {"org:Yankees"}),
    ("My company is called Bluefin", {"org:Bluefin"}),
    ("I interviewed at Toyota", {"org:Toyota"}),
    ("I volunteer at Mercy Hospital", {"org:Mercy Hospital"}),
    ("I can't stop playing Hollow Knight", {"tool:Hollow Knight"}),
    ("I use Notion for everything", {"tool:Notion"}),
    ("I bought a new iPhone", {"tool:iPhone"}),
    ("I'm learning Rust", {"tool:Rust"}),
    ("There's this app called Sproutly", {"tool:Sproutly"}),
    ("Minecraft is so relaxing", {"tool:Minecraft"}),
    ("I edit my photos in Lightroom", {"tool:Lightroom"}),
    ("Still playing Moss & Ember on my Switch", {"tool:Moss & Ember", "tool:Switch"}),
    ("Project Nightjar starts Monday", {"project:Project Nightjar"}),
    ("The Heron project is behind schedule", {"project:Heron"}),
    ("My boss Linda moved us to Denver", {"person:Linda", "place:Denver"}),
    ("Grandma Ruth turned ninety", {"person:Ruth"}),
    ("I called Uncle Pete", {"person:Pete"}),
    ("Emma's wedding was in Tuscany", {"person:Emma", "place:Tuscany"}),
    # nothing to name
    ("I hate Mondays", set()),
    ("I love Italian food", set()),
    ("Thanks so much!", set()),
    ("I'm tired. Work was long. Nothing new.", set()),
    ("Christmas is my favorite", set()),
    ("OMG that was AMAZING", set()),
    ("My Mom made pancakes", set()),
    ("May I ask you something?", set()),
    ("Will it rain today?", set()),
    ("Mark my words", set()),
    ("Coffee first, then we talk", set()),
    ("Honestly, Dad is right", set()),
    ("I watched TV all day", set()),
    ("English is hard", set()),
    ("Summer was great", set()),
    ("Pizza and beer tonight", set()),
    ("Hope you are well", set()),
    ("Running is my therapy", set()),
    ("lol ok", set()),
    ("Reading helps me sleep", set()),
    ("Good morning! How are you?", set()),
    ("So I was like, What?", set()),
    ("Turns out I was wrong. Oh Well.", set()),
    ("The Internet is down", set()),
]


@pytest.mark.parametrize(("text", "expected"), JAPANESE)
def test_japanese_names(text: str, expected: set[str]) -> None:
    assert short(text) == expected


@pytest.mark.parametrize(("text", "expected"), ENGLISH)
def test_english_names(text: str, expected: set[str]) -> None:
    assert short(text) == expected


def test_each_name_once_and_with_a_confidence() -> None:
    found = find_names("山田さんと会った。山田さんは元気だった")
    assert [entity.name for entity in found] == ["山田"]
    assert all(0.5 <= entity.confidence <= 0.95 for entity in found)


def test_without_an_analyser_cues_remain(monkeypatch: pytest.MonkeyPatch) -> None:
    tokens.cache_clear()
    monkeypatch.setattr(morphology, "analyser", lambda: None)
    try:
        assert short("山田さんとSlackで話した") == {"person:山田", "tool:Slack"}
        assert short("「星屑の島」っていうゲームが面白い") == {"tool:星屑の島"}
        assert short("お客さんが多かった") == set()
        assert content_words("猫と散歩した", Language.JA) == []
    finally:
        tokens.cache_clear()


def test_content_words_carry_the_topic() -> None:
    assert content_words("昨日は猫と公園を散歩した", Language.JA) == ["猫", "公園", "散歩"]
    assert content_words("Yesterday I walked the dogs in the park", Language.EN) == ["walked", "dog", "park"]


def test_tokens_know_where_they_stand() -> None:
    text = "ネコが好き"
    assert [text[t.start : t.end] for t in tokens(text)] == [t.surface for t in tokens(text)]
    assert tokens(text)[0].normal == "猫"
    assert tokens(text)[0].is_noun
