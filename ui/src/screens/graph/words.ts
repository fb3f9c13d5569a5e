/** Words of connections. */
import { learn } from "../../i18n/known";
import type { Pair } from "../../i18n/pair";

export const graphWords = {
  "graph.title": ["Graph", "つながり"],
  "graph.lead": ["What's connected to a memory. Choose a node to move the centre.", "ひとつの記憶につながるもの。丸を選ぶと中心が移ります。"],
  "graph.around": ["Around", "中心"],
  "graph.time": ["Up to", "この時まで"],
  "graph.empty": ["No connections yet. Open a memory and choose “See connections”, or talk more.", "まだつながりがありません。記憶の「つながりを見る」から開くか、もっと話してみてください。"],
  "graph.list": ["Connections as a list", "つながりの一覧"],
  "graph.canvas": ["Drawing of {n} memories and {m} connections; the same as a list below.", "{n} 個の記憶と {m} 本のつながりの図。同じ内容が下の一覧にあります。"],
  "graph.open": ["Open", "開く"],
  "graph.centre": ["Move here", "ここを中心に"],
  "graph.filter": ["Show", "表示"],
  "graph.path": ["Path to", "道すじ"],
  "graph.path.hint": ["a word of another memory", "別の記憶の言葉"],
  "graph.path.find": ["Find the path", "道すじを探す"],
  "graph.path.none": ["No path found between the two.", "ふたつを結ぶ道すじは見つかりませんでした。"],
  "graph.path.clear": ["Back to the whole", "全体に戻る"],
} as const satisfies Record<string, Pair>;

learn(graphWords);
