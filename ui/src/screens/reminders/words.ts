/** Words of reminders. */
import { learn } from "../../i18n/known";
import type { Pair } from "../../i18n/pair";

export const reminderWords = {
  "rem.title": ["Reminders", "リマインダー"],
  "rem.lead": ["I'll tell you when it's time, here and in every connected app.", "時間になったら、ここと、つないでいるアプリでお知らせします。"],
  "rem.enabled": ["Reminders on", "リマインダーを使う"],
  "rem.new": ["New reminder", "新しいリマインダー"],
  "rem.content": ["What shall I remind you of?", "何をお知らせしますか？"],
  "rem.kind": ["How often", "くり返し"],
  "rem.once": ["Once", "一度だけ"],
  "rem.daily": ["Every day", "毎日"],
  "rem.weekly": ["Every week", "毎週"],
  "rem.at": ["When", "日時"],
  "rem.time": ["Time", "時刻"],
  "rem.days": ["Days", "曜日"],
  "rem.next": ["next {when}", "次は {when}"],
  "rem.never": ["no next time", "次の予定なし"],
  "rem.empty": ["No reminders yet. Write one above, and I'll speak up in time.", "まだありません。上に書くと、時間になったら声をかけます。"],
  "rem.deleted": ["Reminder deleted.", "リマインダーを削除しました。"],
  "rem.need": ["Please say what and when.", "内容と日時を入力してください。"],
  "rem.heard": ["I heard this in our talk. Shall I remind you?", "やりとりの中で聞きました。お知らせしましょうか？"],
  "rem.yes": ["Yes, please", "お願いする"],
  "rem.on": ["on", "オン"],
  "day.sun": ["Sun", "日"],
  "day.mon": ["Mon", "月"],
  "day.tue": ["Tue", "火"],
  "day.wed": ["Wed", "水"],
  "day.thu": ["Thu", "木"],
  "day.fri": ["Fri", "金"],
  "day.sat": ["Sat", "土"],
  "rem.no": ["No, thanks", "いらない"],
  "rem.set": ["I'll remind you: {text} — {when}", "お知らせします：{text}（{when}）"],
  "rem.snooze": ["Snooze", "あとで"],
  "rem.snooze.10": ["10 min", "10 分後"],
  "rem.snooze.60": ["1 hour", "1 時間後"],
  "rem.snooze.1440": ["tomorrow", "明日"],
  "rem.plans": ["From your plans", "予定から"],
} as const satisfies Record<string, Pair>;

learn(reminderWords);
