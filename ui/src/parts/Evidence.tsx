/** Quotes of the turns something rests on, each a way back to the talk. */
import type { Entity, EventRow } from "../api/types";
import { useSpeech } from "../i18n";
import { link } from "../lib/router";
import { When } from "./bits";

export function EvidenceList({ events }: { events: EventRow[] }) {
  const { t, word } = useSpeech();
  if (events.length === 0) return <p className="dim">{t("list.evidence.none")}</p>;
  return (
    <ul className="stack">
      {events.map((event) => (
        <li key={event.event_id} className="quote">
          <blockquote>
            {event.user_text && <p>{event.user_text}</p>}
            {!event.user_text && event.assistant_text && <p>{event.assistant_text}</p>}
          </blockquote>
          <p className="dim">
            {word("source", event.source)} · <When at={event.created_at} />{" "}
            <a href={link("chat", null, { turn: String(event.event_id) })}>{t("go.talk")}</a>
          </p>
        </li>
      ))}
    </ul>
  );
}

export function EntityChips({ entities, tab }: { entities: Entity[]; tab: "states" | "events" }) {
  const { t, word } = useSpeech();
  if (entities.length === 0) return null;
  return (
    <div className="chips">
      <span className="dim">{t("list.entities")}</span>
      {entities.map((e) => (
        <a className="chip" key={e.type + e.name} href={link("memory", null, { tab, entity: e.name })} title={word("entity", e.type)}>
          {e.name}
        </a>
      ))}
    </div>
  );
}
