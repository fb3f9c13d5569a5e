/** Words of the log. */
import { learn } from "../../i18n/known";
import type { Pair } from "../../i18n/pair";

export const logWords = {
  "logs.title": ["Logs", "ログ"],
  "logs.lead": ["What the server is doing. No talk and no keys are written here.", "サーバーの動き。やりとりや API キーはここに書かれません。"],
  "logs.level": ["Level", "レベル"],
  "logs.filter": ["Contains", "含む言葉"],
  "logs.pause": ["Pause", "一時停止"],
  "logs.resume": ["Resume", "再開"],
  "logs.empty": ["Quiet so far. Lines appear here as they are written.", "まだ静かです。書かれしだい、ここに現れます。"],
  "logs.live": ["live", "受信中"],
  "logs.off": ["disconnected", "切断"],
  "logs.list": ["Log lines", "ログの行"],
} as const satisfies Record<string, Pair>;

learn(logWords);
