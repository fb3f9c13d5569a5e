"""Time expressions: what is found, what it resolves to, and what is no time at all."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from cocoro_ghost.language.times import AboutDates, about_time, find_times, resolve_when
from cocoro_ghost.language.times.numbers import number_en, number_ja
from cocoro_ghost.model.scene import Language

NOW = datetime(2025, 6, 18, 20, 0)  # a Wednesday evening


def short(about: AboutDates | None) -> str | None:
    """`2024-06-01..2024-08-31`, `2018`, `1990..1999`, `high`, `2018 high`."""
    if about is None:
        return None
    parts = []
    if about.start is not None:
        same = about.start == about.end
        parts.append(f"{about.start}" if same else f"{about.start}..{about.end}")
    elif about.year_start is not None:
        same = about.year_start == about.year_end
        parts.append(f"{about.year_start}" if same else f"{about.year_start}..{about.year_end}")
    if about.life_stage is not None:
        parts.append(about.life_stage.value)
    return " ".join(parts)


JAPANESE = [
    ("2018年に東京へ引っ越した", "2018"),
    ("平成元年に生まれた", "1989"),
    ("昭和60年生まれの父", "1985"),
    ("令和五年に結婚しました", "2023"),
    ("大正12年の地震の話を聞いた", "1923"),
    ("H30年に入学", "2018"),
    ("R5年の秋に転職した", "2023-09-01..2023-11-30"),
    ("平成23年3月11日のことは忘れない", "2011-03-11"),
    ("90年代の音楽をよく聴いていた", "1990..1999"),
    ("2000年代はずっと海外にいた", "2000..2009"),
    ("2010年代前半は大変だった", "2010..2014"),
    ("2024/5/1に入籍した", "2024-05-01"),
    ("2024-05-01に届いた", "2024-05-01"),
    ("昨日は雨だった", "2025-06-17"),
    ("おととい映画を観た", "2025-06-16"),
    ("一昨日の夜に電話があった", "2025-06-16"),
    ("昨夜は眠れなかった", "2025-06-17"),
    ("明後日は面接だ", "2025-06-20"),
    ("しあさってから旅行", "2025-06-21"),
    ("3日前に風邪をひいた", "2025-06-15"),
    ("三日前に風邪をひいた", "2025-06-15"),
    ("5日後に帰国する", "2025-06-23"),
    ("先週は忙しかった", "2025-06-09..2025-06-15"),
    ("先週の金曜に飲みに行った", "2025-06-13"),
    ("先々週の火曜日、事故を見た", "2025-06-03"),
    ("来週の木曜に歯医者", "2025-06-26"),
    ("再来週から研修が始まる", "2025-06-30..2025-07-06"),
    ("二週間前に退院した", "2025-06-02..2025-06-08"),
    ("3週間後に引っ越す", "2025-07-07..2025-07-13"),
    ("先週末にキャンプした", "2025-06-14..2025-06-15"),
    ("今週末は実家に帰る", "2025-06-21..2025-06-22"),
    ("週末は釣りに行く予定", "2025-06-21..2025-06-22"),
    ("先月、車を買った", "2025-05-01..2025-05-31"),
    ("先々月から英会話を始めた", "2025-04-01..2025-04-30"),
    ("来月には完成する", "2025-07-01..2025-07-31"),
    ("3ヶ月前に猫を拾った", "2025-03-01..2025-03-31"),
    ("二か月後に出産予定", "2025-08-01..2025-08-31"),
    ("半年前に禁煙した", "2024-12-01..2024-12-31"),
    ("去年の6月に結婚した", "2024-06-01..2024-06-30"),
    ("一昨年の12月24日に告白された", "2023-12-24"),
    ("去年フルマラソンを走った", "2024"),
    ("おととしの夏は暑かった", "2023-06-01..2023-08-31"),
    ("今年の春に異動した", "2025-03-01..2025-05-31"),
    ("来年の春に卒業する", "2026-03-01..2026-05-31"),
    ("去年の冬はスキーばかりしてた", "2024-12-01..2025-02-28"),
    ("この夏は富士山に登る", "2025-06-01..2025-08-31"),
    ("3年前に会社を辞めた", "2022"),
    ("十年前にここに来た", "2015"),
    ("二十年後の自分", "2045"),
    ("5年後には独立したい", "2030"),
    ("6月に引っ越した", "2025-06-01..2025-06-30"),
    ("9月に引っ越した", "2024-09-01..2024-09-30"),
    ("9月に引っ越す予定", "2025-09-01..2025-09-30"),
    ("3月に引っ越す予定なんだ", "2026-03-01..2026-03-31"),
    ("8月3日に花火大会がある", "2025-08-03"),
    ("5月3日に会った", "2025-05-03"),
    ("来月15日が締め切り", "2025-07-15"),
    ("今月末までに提出", "2025-06-30"),
    ("来月上旬に出張", "2025-07-01..2025-07-10"),
    ("20日にライブがある", "2025-06-20"),
    ("金曜までにレポート出さなきゃ", "2025-06-20"),
    ("月曜に面接がある", "2025-06-23"),
    ("この前の日曜に公園へ行った", "2025-06-15"),
    ("今度の土曜は映画", "2025-06-21"),
    ("日曜は一日中寝てた", "2025-06-15"),
    ("去年のクリスマスは一人だった", "2024-12-25"),
    ("今年のゴールデンウィークは沖縄に行った", "2025-04-29..2025-05-05"),
    ("お正月に実家に帰った", "2025-01-01..2025-01-03"),
    ("大晦日に会う約束をしたい", "2025-12-31"),
    ("高校の頃はバスケ部だった", "high"),
    ("中学のとき転校した", "middle"),
    ("小学生の時に犬を飼っていた", "elementary"),
    ("大学時代に一人旅をした", "university"),
    ("小3のときに引っ越した", "elementary"),
    ("高2の夏に骨折した", "high"),
    ("社会人になってから太った", "work"),
    ("新卒の頃はよく怒られた", "work"),
    ("1991年3月3日生まれです", "1991-03-03"),
    ("2015年から2018年まで大阪にいた", "2015..2018"),
    ("2015〜2018年は大阪", "2015..2018"),
    ("2002年、高校生の頃に日韓ワールドカップを観た", "2002 high"),
    ("去年の夏何してたっけ", "2024-06-01..2024-08-31"),
    ("２０１８年に転職した", "2018"),
    ("二〇一八年に転職した", "2018"),
    ("6月20日から6月25日まで出張", "2025-06-20..2025-06-25"),
    # no times
    ("昨日の敵は今日の友って言うしね", None),
    ("石の上にも三年だよ", None),
    ("春巻きが食べたい", None),
    ("夏が好き", None),
    ("秋田犬がかわいい", None),
    ("誕生日は3月3日です", None),
    ("毎年12月に集まる", None),
    ("毎週金曜はジム", None),
    ("3日間ずっと寝てた", None),
    ("10年間続けた仕事", None),
    ("三日坊主なんだよね", None),
    ("高校の先生をしています", None),
    ("大学で教えている", None),
    ("娘が小学校に通ってる", None),
    ("5分待って", None),
    ("一月分の給料", None),
    ("クリスマスが好き", None),
    ("お腹すいた", None),
    ("第3回の大会", None),
    ("1万人が参加した", None),
]

ENGLISH = [
    ("In 2018 I moved to Boston", "2018"),
    ("I graduated in '98", "1998"),
    ("I have lived here since 2011", "2011"),
    ("Music in the 90s was great", "1990..1999"),
    ("She grew up in the eighties", "1980..1989"),
    ("Back in the early 2000s I had a pager", "2000..2003"),
    ("I was born on March 3rd, 1991", "1991-03-03"),
    ("I was born on 3 March 1991", "1991-03-03"),
    ("We met on 2024-05-01", "2024-05-01"),
    ("We signed on 5/1/2024", "2024-05-01"),
    ("Yesterday I baked bread", "2025-06-17"),
    ("I slept badly last night", "2025-06-17"),
    ("The day before yesterday it rained", "2025-06-16"),
    ("Tomorrow I have an exam", "2025-06-19"),
    ("I fly out the day after tomorrow", "2025-06-20"),
    ("I caught a cold three days ago", "2025-06-15"),
    ("In two days we leave", "2025-06-20"),
    ("Last week was rough", "2025-06-09..2025-06-15"),
    ("Two weeks ago I quit smoking", "2025-06-02..2025-06-08"),
    ("I got a puppy a couple of weeks ago", "2025-06-02..2025-06-08"),
    ("In two weeks I start a new job", "2025-06-30..2025-07-06"),
    ("Next week I'm off", "2025-06-23..2025-06-29"),
    ("last Tuesday I fell off my bike", "2025-06-17"),
    ("We had dinner last Friday", "2025-06-13"),
    ("The dentist is on Monday", "2025-06-23"),
    ("I need to submit it by Friday", "2025-06-20"),
    ("I saw her on Sunday", "2025-06-15"),
    ("Let's meet this Saturday", "2025-06-21"),
    ("Last weekend we went camping", "2025-06-14..2025-06-15"),
    ("This weekend I'm going to the beach", "2025-06-21..2025-06-22"),
    ("Last month I bought a car", "2025-05-01..2025-05-31"),
    ("Next month we move", "2025-07-01..2025-07-31"),
    ("Three months ago I adopted a cat", "2025-03-01..2025-03-31"),
    ("Half a year ago I stopped drinking", "2024-12-01..2024-12-31"),
    ("I got married last June", "2024-06-01..2024-06-30"),
    ("In June last year I got married", "2024-06-01..2024-06-30"),
    ("In September 2019 we moved", "2019-09-01..2019-09-30"),
    ("We moved in September", "2024-09-01..2024-09-30"),
    ("We will move in September", "2025-09-01..2025-09-30"),
    ("Last year I ran a marathon", "2024"),
    ("Next year I'll turn thirty", "2026"),
    ("Three years ago I left my job", "2022"),
    ("a couple of years ago I lived in Rome", "2023"),
    ("A decade ago I was in a band", "2015"),
    ("The year before last was awful", "2023"),
    ("Last summer we drove to Maine", "2024-06-01..2024-08-31"),
    ("The summer before last we went to Spain", "2023-06-01..2023-08-31"),
    ("This spring I planted tomatoes", "2025-03-01..2025-05-31"),
    ("Next spring I graduate", "2026-03-01..2026-05-31"),
    ("In the summer of 2016 I hiked the coast", "2016-06-01..2016-08-31"),
    ("Last winter was cold", "2024-12-01..2025-02-28"),
    ("In the fall of 2020 I was alone", "2020-09-01..2020-11-30"),
    ("Last Christmas I was sick", "2024-12-25"),
    ("Christmas 2019 was wonderful", "2019-12-25"),
    ("We went out on Halloween last year", "2024-10-31"),
    ("The rent is due on the 1st", "2025-07-01"),
    ("The report is due by the end of the month", "2025-06-30"),
    ("The deadline is July 4th", "2025-07-04"),
    ("My flight leaves on August 3", "2025-08-03"),
    ("In high school I played the trumpet", "high"),
    ("When I was in college I worked at a bakery", "university"),
    ("In middle school I was bullied", "middle"),
    ("Back in elementary school we had a turtle", "elementary"),
    ("In third grade I broke my arm", "elementary"),
    ("At my first job I learned a lot", "work"),
    ("During uni I lived with four people", "university"),
    ("From 2010 to 2014 I lived in Ohio", "2010..2014"),
    ("I worked there between 2003 and 2007", "2003..2007"),
    ("I was away June 20 to June 25", "2024-06-20..2024-06-25"),
    ("When did we go to Spain last summer?", "2024-06-01..2024-08-31"),
    # no times
    ("I wasn't born yesterday", None),
    ("My birthday is March 3rd", None),
    ("I go running every Friday", None),
    ("On Mondays I feel tired", None),
    ("May I ask you something?", None),
    ("I march to my own drum", None),
    ("I love summer", None),
    ("I fall asleep easily", None),
    ("She teaches high school", None),
    ("My son is in high school", None),
    ("I lived there for three years", None),
    ("Give me a second", None),
    ("I have 2000 songs", None),
    ("The sun is out", None),
    ("I ate three apples", None),
    ("We celebrate every Christmas together", None),
    ("Nice to meet you", None),
]


@pytest.mark.parametrize(("text", "expected"), JAPANESE)
def test_japanese_about(text: str, expected: str | None) -> None:
    assert short(about_time(text, NOW)) == expected


@pytest.mark.parametrize(("text", "expected"), ENGLISH)
def test_english_about(text: str, expected: str | None) -> None:
    assert short(about_time(text, NOW)) == expected


@pytest.mark.parametrize(
    ("text", "scheduled", "kind", "weekdays", "time_of_day"),
    [
        ("明日の7時に起こして", datetime(2025, 6, 19, 7), "once", (), "07:00"),
        ("明日の午後3時半に教えて", datetime(2025, 6, 19, 15, 30), "once", (), "15:30"),
        ("金曜の9時に会議ってリマインドして", datetime(2025, 6, 20, 9), "once", (), "09:00"),
        ("9時に薬を飲むって教えて", datetime(2025, 6, 18, 21), "once", (), "09:00"),
        ("朝6時に起こして", datetime(2025, 6, 19, 6), "once", (), "06:00"),
        ("30分後に教えて", datetime(2025, 6, 18, 20, 30), "once", (), None),
        ("1時間半後に起こして", datetime(2025, 6, 18, 21, 30), "once", (), None),
        ("7月1日の10:15に電話", datetime(2025, 7, 1, 10, 15), "once", (), "10:15"),
        ("毎朝8時に薬", None, "daily", (), "08:00"),
        ("毎日22時に日記", None, "daily", (), "22:00"),
        ("毎週月曜と木曜の8時半にゴミ出し", None, "weekly", ("mon", "thu"), "08:30"),
        ("平日の朝7時に起こして", None, "weekly", ("mon", "tue", "wed", "thu", "fri"), "07:00"),
        ("remind me on Friday at nine", datetime(2025, 6, 20, 9), "once", (), "09:00"),
        ("remind me tomorrow at 3pm", datetime(2025, 6, 19, 15), "once", (), "15:00"),
        ("wake me up at 6:30 tomorrow morning", datetime(2025, 6, 19, 6, 30), "once", (), "06:30"),
        ("remind me in 20 minutes", datetime(2025, 6, 18, 20, 20), "once", (), None),
        ("in half an hour tell me to stretch", datetime(2025, 6, 18, 20, 30), "once", (), None),
        ("ping me in two hours", datetime(2025, 6, 18, 22), "once", (), None),
        ("every Monday and Thursday at 8:30 call mom", None, "weekly", ("mon", "thu"), "08:30"),
        ("every day at noon", None, "daily", (), "12:00"),
        ("on weekdays at 7 am", None, "weekly", ("mon", "tue", "wed", "thu", "fri"), "07:00"),
        ("remind me at 10 tonight", datetime(2025, 6, 18, 22), "once", (), "22:00"),
        ("remind me about the milk", None, None, (), None),
        ("牛乳を忘れないように言って", None, None, (), None),
    ],
)
def test_when_a_reminder_rings(
    text: str,
    scheduled: datetime | None,
    kind: str | None,
    weekdays: tuple[str, ...],
    time_of_day: str | None,
) -> None:
    assert resolve_when(text, NOW) == (scheduled, kind, weekdays, time_of_day)


@pytest.mark.parametrize(
    ("text", "language", "found"),
    [
        ("去年の夏と今年の春、どっちが楽しかった？", None, ["去年の夏", "今年の春"]),
        ("When I was in high school, what did I play?", None, ["high school"]),
        ("What happened last summer and in 2019?", None, ["last summer", "2019"]),
        ("高校の頃の話覚えてる？", None, ["高校"]),
        ("12歳の頃どこに住んでたっけ", None, ["12歳の頃"]),
        ("毎朝7時に起きる", None, ["毎朝"]),
        ("昨日のlast minuteな変更", Language.JA, ["昨日"]),
        ("", None, []),
    ],
)
def test_mentions_stand_where_they_are_written(
    text: str, language: Language | None, found: list[str]
) -> None:
    mentions = find_times(text, NOW, language)
    assert [m.text for m in mentions] == found
    assert all(text[m.start_index : m.end_index] == m.text for m in mentions)


def test_an_age_hints_but_does_not_date() -> None:
    (mention,) = find_times("12歳のときに犬を飼った", NOW)
    assert mention.life_stage is not None
    assert about_time("12歳のときに犬を飼った", NOW) is None


def test_years_and_days_follow_the_label_convention() -> None:
    year = about_time("2018年に転職した", NOW)
    assert year is not None
    assert (year.year_start, year.year_end, year.start, year.end) == (2018, 2018, None, None)
    day = about_time("昨日転職した", NOW)
    assert day is not None
    assert (day.year_start, day.start, day.end) == (2025, date(2025, 6, 17), date(2025, 6, 17))


def test_direction_and_time_of_day() -> None:
    (plan,) = find_times("明日の午後3時に歯医者", NOW)
    assert (plan.direction, plan.time_of_day, plan.recurring) == ("future", "15:00", False)
    (habit,) = find_times("毎週金曜はジムに行く", NOW)
    assert habit.recurring
    (past,) = find_times("I fell last Tuesday", NOW)
    assert past.direction == "past"


@pytest.mark.parametrize(
    ("text", "year_start"),
    [("12月31日の夜に会った", 2024), ("2月29日に生まれた子", 2024), ("正月に会った", 2026)],
)
def test_the_turn_of_the_year(text: str, year_start: int) -> None:
    about = about_time(text, datetime(2026, 1, 2) if "正月" in text else datetime(2025, 3, 1))
    assert about is not None
    assert about.year_start == year_start


@pytest.mark.parametrize(
    "text",
    ["13月45日に", "2月30日に会った", "0日前", "令和99年", "25時に", "99/99", "Feb 31st 2020", "二千年"],
)
def test_impossible_times_do_not_raise(text: str) -> None:
    find_times(text, NOW)
    resolve_when(text, NOW)


def test_numbers() -> None:
    assert [number_ja(n) for n in ("12", "十二", "二〇一八", "百二十", "千九百九十")] == [
        12,
        12,
        2018,
        120,
        1990,
    ]
    assert [number_en(n) for n in ("7", "seven", "twenty-five", "a couple of", "an")] == [7, 7, 25, 2, 1]
