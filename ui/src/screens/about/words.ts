/** Words of "what I know about you". */
import { learn } from "../../i18n/known";
import type { Pair } from "../../i18n/pair";

export const aboutWords = {
  "about.title": ["What I know about you", "あなたについて知っていること"],
  "about.lead": ["Every line comes from what you told me. Correct it, take it back, or see where it comes from.", "どの行も、あなたが話してくれたことです。直すことも、取り消すことも、元の言葉を見ることもできます。"],
  "about.empty": ["I don't know you yet. Tell me your name, or add a line here.", "まだ何も知りません。名前を教えてくれるか、ここに書き加えてください。"],
  "about.self": ["You", "あなた"],
  "about.home": ["Home", "住まい"],
  "about.work": ["Work and school", "仕事と学校"],
  "about.family": ["Family and people", "家族と人"],
  "about.pets": ["Pets", "いっしょに暮らす動物"],
  "about.health": ["Health", "からだ"],
  "about.likes": ["Likes and dislikes", "好き嫌い"],
  "about.plans": ["Plans", "予定"],
  "about.other": ["Other things", "そのほか"],
  "about.changes": ["What changed lately", "最近変わったこと"],
  "about.changed": ["was: {before}", "以前: {before}"],
  "about.ended": ["no longer so", "過去のことに"],
  "about.add": ["Add a memory", "書き加える"],
  "about.add.text": ["What should I remember?", "覚えておいてほしいこと"],
  "about.add.kind": ["It is about", "何について"],
  "about.added": ["I'll remember that.", "覚えました。"],
  "about.print": ["Print", "印刷"],
  "about.still": ["Is this still true?", "いまもそうですか？"],
  "about.yes": ["Still true", "いまもそう"],
  "about.no": ["No longer true", "過去のことにする"],
  "about.confirmed": ["Good, noted.", "確かめました。"],
  "about.remind": ["Remind me", "リマインダーにする"],
  "about.remind.set": ["I'll remind you: {text} — {when}", "お知らせします：{text}（{when}）"],
  "about.remind.none": ["This plan has no date. Set the time in Reminders.", "日付のない予定です。リマインダーで時刻を決めてください。"],
  "about.review": ["Waiting for your word", "あなたの返事を待っています"],
  "about.review.contradiction": ["These two can't both be true. Which one is?", "このふたつは食い違っています。どちらが本当ですか？"],
  "about.review.this": ["This one", "こちら"],
  "about.review.both": ["Both are fine", "どちらも本当"],
  "about.review.guess": ["Do you like it?", "好きで合っていますか？"],
  "about.review.dislike": ["Do you dislike it?", "苦手で合っていますか？"],
  "about.review.reminder": ["Shall I remind you?", "お知らせしましょうか？"],
} as const satisfies Record<string, Pair>;

learn(aboutWords);
