/** One line of the memory browser. */
import { memo } from "react";
import type { EventRow, StateRow } from "../../api/types";
import { useSpeech } from "../../i18n";
import { stateStatus } from "../../lib/states";
import { When } from "../../parts/bits";
import { Icon } from "../../parts/icons";

interface StateProps {
  state: StateRow;
  href: string;
  current: boolean;
  picked: boolean;
  onPick: (id: number) => void;
}

export const StateCard = memo(function StateCard({ state, href, current, picked, onPick }: StateProps) {
  const { t, word } = useSpeech();
  const status = stateStatus(state);
  return (
    <div className={`mrow${current ? " current" : ""}${status === "active" ? "" : " faded"}`}>
      <label className="pick">
        <input
          type="checkbox"
          checked={picked}
          aria-label={t("mem.select", { text: state.body_text.slice(0, 60) })}
          onChange={() => onPick(state.state_id)}
        />
      </label>
      <a href={href} aria-current={current ? "true" : undefined}>
        <span className="body">{state.body_text || "…"}</span>
        <span className="chips">
          <span className="chip accent">{word("kind", state.kind)}</span>
          {state.pin && (
            <span className="chip lamp">
              <Icon name="pin" />
              {t("mem.pinned")}
            </span>
          )}
          {status !== "active" && <span className="chip">{t(`mem.${status}`)}</span>}
          {state.entities.slice(0, 3).map((e) => (
            <span className="chip" key={e.type + e.name}>
              {e.name}
            </span>
          ))}
          <span className="dim">
            <When at={state.last_confirmed_at} />
          </span>
        </span>
      </a>
    </div>
  );
});

export const EventCard = memo(function EventCard({ event, href, current }: { event: EventRow; href: string; current: boolean }) {
  const { t, word } = useSpeech();
  return (
    <div className={`mrow${current ? " current" : ""}${event.searchable ? "" : " faded"}`}>
      <a href={href} aria-current={current ? "true" : undefined}>
        {event.user_text && <span className="body">{event.user_text}</span>}
        {event.assistant_text && <span className="body reply">{event.assistant_text}</span>}
        <span className="chips">
          <span className="chip">{word("source", event.source)}</span>
          {event.forgotten_at && <span className="chip rose">{t("talk.forgotten")}</span>}
          {!event.searchable && !event.forgotten_at && <span className="chip">{t("mem.hidden")}</span>}
          {event.entities.slice(0, 3).map((e) => (
            <span className="chip" key={e.type + e.name}>
              {e.name}
            </span>
          ))}
          <span className="dim">
            <When at={event.created_at} />
          </span>
        </span>
      </a>
    </div>
  );
});
