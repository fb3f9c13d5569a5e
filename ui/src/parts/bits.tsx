/** Small things used on every screen. */
import type { ReactNode } from "react";
import { useSpeech } from "../i18n";
import { ago, full, millis, type Stamp } from "../lib/time";

export function When({ at, exact = false }: { at: Stamp; exact?: boolean }) {
  const { language } = useSpeech();
  const ms = millis(at);
  if (ms === null) return null;
  return (
    <time dateTime={new Date(ms).toISOString()} title={full(at, language)}>
      {exact ? full(at, language) : ago(at, language)}
    </time>
  );
}

export function Meter({ label, value }: { label: string; value: number }) {
  const percent = Math.round(Math.max(0, Math.min(1, value)) * 100);
  return (
    <span className="meter">
      {label}
      <i aria-hidden="true">
        <b style={{ width: `${percent}%` }} />
      </i>
      {percent}%
    </span>
  );
}

interface SegmentsProps<V extends string> {
  label: string;
  value: V;
  options: readonly (readonly [V, string])[];
  onChange: (value: V) => void;
}

export function Segments<V extends string>({ label, value, options, onChange }: SegmentsProps<V>) {
  return (
    <div className="segments" role="group" aria-label={label}>
      {options.map(([key, text]) => (
        <button type="button" key={key} aria-pressed={key === value} onClick={() => onChange(key)}>
          {text}
        </button>
      ))}
    </div>
  );
}

export function PageHead({ title, lead, children }: { title: string; lead?: string; children?: ReactNode }) {
  return (
    <header className="page-head">
      <h1>{title}</h1>
      {lead && <p>{lead}</p>}
      {children}
    </header>
  );
}

export function Field({ label, help, children }: { label: string; help?: string; children: ReactNode }) {
  return (
    <label className="field">
      <span>{label}</span>
      {children}
      {help && <span className="help">{help}</span>}
    </label>
  );
}

export function Bar({ part, late = false }: { part: number; late?: boolean }) {
  return (
    <span className={late ? "bar late" : "bar"} aria-hidden="true">
      <b style={{ width: `${Math.max(0, Math.min(1, part)) * 100}%` }} />
    </span>
  );
}
