/** Several memories at once: one request, one undo. */
import { useQueryClient } from "@tanstack/react-query";
import { api, take } from "../../api/client";
import { keys } from "../../api/keys";
import type { BulkAct, StateRow } from "../../api/types";
import { useSpeech } from "../../i18n";
import { useFeedback } from "../../parts/feedback";
import { Icon } from "../../parts/icons";

const BACK: Partial<Record<BulkAct, BulkAct>> = { close: "restore", restore: "close", pin: "unpin", unpin: "pin" };
const ACTS: BulkAct[] = ["close", "restore", "pin", "confirm", "forget"];

interface BulkProps {
  picked: ReadonlySet<number>;
  items: StateRow[];
  onDone: () => void;
}

function useBulk(onDone: () => void) {
  const { t } = useSpeech();
  const { say, fail, ask } = useFeedback();
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: keys.states });
  const send = async (act: BulkAct, ids: number[]) => {
    try {
      await take(api.POST("/api/memory/states/act", { body: { state_ids: ids, act, reason: t("edit.reason") } }));
      await refresh();
      return true;
    } catch (error) {
      fail(error);
      return false;
    }
  };
  const recall = async (ids: number[]) => {
    for (const id of ids) await take(api.POST("/api/memory/remember/{kind}/{entity_id}", { params: { path: { kind: "state", entity_id: id } } }));
    await refresh();
  };
  const run = async (act: BulkAct, ids: number[]) => {
    const question = act === "close" ? "mem.bulk.ask" : act === "forget" ? "mem.bulk.forget.ask" : null;
    if (question && !(await ask(t(question, { n: ids.length }), t(`mem.act.${act}`)))) return;
    if (!(await send(act, ids))) return;
    onDone();
    const back = BACK[act];
    const undo = act === "forget" ? () => recall(ids).catch(fail) : back && (() => send(back, ids));
    say(t("mem.bulk.done", { n: ids.length }), undo ? { label: t("act.undo"), run: undo } : undefined);
  };
  const merge = async (keep: StateRow, close: StateRow) => {
    if (!(await ask(t("mem.merge.ask", { keep: keep.body_text }), t("mem.merge")))) return;
    try {
      await take(api.POST("/api/memory/states/merge", { body: { keep: keep.state_id, close: close.state_id, reason: t("edit.reason") } }));
      await refresh();
      onDone();
      say(t("mem.merge.done"));
    } catch (error) {
      fail(error);
    }
  };
  return { run, merge };
}

export function Bulk({ picked, items, onDone }: BulkProps) {
  const { t } = useSpeech();
  const { run, merge } = useBulk(onDone);
  if (picked.size === 0) return null;
  const [one, other] = items.filter((state) => picked.has(state.state_id));
  const pair = picked.size === 2 && one && other && one.kind === other.kind ? { one, other } : null;
  return (
    <div className="bulk row" role="toolbar" aria-label={t("mem.selected", { n: picked.size })}>
      <span className="grow">{t("mem.selected", { n: picked.size })}</span>
      {ACTS.map((act) => (
        <button type="button" className="btn small" key={act} onClick={() => run(act, [...picked])}>
          {t(`mem.act.${act}`)}
        </button>
      ))}
      {pair && (
        <button type="button" className="btn small" onClick={() => merge(pair.one, pair.other)}>
          <Icon name="merge" />
          {t("mem.merge")}
        </button>
      )}
      <button type="button" className="btn small quiet" onClick={onDone}>
        {t("mem.bulk.unselect")}
      </button>
    </div>
  );
}
