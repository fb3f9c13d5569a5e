/** One connected program: when it came last, what it may do, how it is spoken to. */
import { type FormEvent, useState } from "react";
import { useSpeech } from "../../i18n";
import { Field, When } from "../../parts/bits";
import { Problem } from "../../parts/feedback";
import { type Client, useAccesses } from "./clients";
import type { ClientBody } from "./recipes";

const SCOPES = ["talk", "memory:read", "memory:write", "memory:forget", "admin"] as const;
const TAGS = ["none", "airi", "bracket", "face", "xml"] as const;
const SYSTEM = ["ignore", "append", "replace"] as const;
const HISTORY = ["stored", "sent"] as const;

interface CardProps {
  client: Client;
  onSave: (body: ClientBody) => void;
  onRotate: () => void;
  onRevoke: () => void;
}

export function ClientCard({ client, onSave, onRotate, onRevoke }: CardProps) {
  const { t, word } = useSpeech();
  const gone = typeof client.revoked_at === "number";
  const used = client.last_used_at;
  return (
    <li className={`card stack${gone ? " faded" : ""}`}>
      <div className="row">
        <strong className="grow">{client.name}</strong>
        <span className="dim">
          {gone ? t("con.revoked") : used ? <>{t("con.used")} <When at={used} /></> : t("con.unused")}
        </span>
      </div>
      <p className="chips">
        {client.scopes?.map((scope) => (
          <span className="chip" key={scope}>
            {word("con.scope", scope)}
          </span>
        ))}
        {client.speaks_for_others && <span className="chip lamp">{t("con.others.chip")}</span>}
      </p>
      {!gone && client.offered_tags && client.offered_tags !== client.emotion_tags && (
        <p className="row">
          <span className="grow">{t("con.offered", { name: word("con.tags", client.offered_tags) })}</span>
          <button type="button" className="btn small" onClick={() => client.offered_tags && onSave({ ...bodyOf(client), emotion_tags: client.offered_tags })}>
            {t("con.offered.use")}
          </button>
        </p>
      )}
      <Accesses client={client} />
      {!gone && (
        <>
          <Options key={JSON.stringify(client)} client={client} onSave={onSave} />
          <div className="row">
            <button type="button" className="btn small" aria-label={`${t("con.rotate")}: ${client.name}`} onClick={onRotate}>
              {t("con.rotate")}
            </button>
            <button type="button" className="btn small quiet" aria-label={`${t("con.revoke")}: ${client.name}`} onClick={onRevoke}>
              {t("con.revoke")}
            </button>
          </div>
        </>
      )}
    </li>
  );
}

/** Also of a program that was taken back: what it saw stays of interest. */
function Accesses({ client }: { client: Client }) {
  const { t, word } = useSpeech();
  const [open, setOpen] = useState(false);
  const list = useAccesses(client.client_id, open);
  return (
    <details onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary aria-label={`${t("con.accesses")}: ${client.name}`}>{t("con.accesses")}</summary>
      {list.error && <Problem error={list.error} onRetry={list.refetch} />}
      {list.data?.items.length === 0 && <p className="dim">{t("con.accesses.none")}</p>}
      <ul className="accesses">
        {list.data?.items.map((one, at) => (
          <li className="row" key={`${one.at}-${at}`}>
            <span className="dim">
              <When at={one.at} />
            </span>
            <span className="chip">{word("con.scope", one.scope)}</span>
            <code>{one.call}</code>
          </li>
        ))}
      </ul>
    </details>
  );
}

function bodyOf(client: Client): ClientBody {
  const { name, scopes, speaks_for_others, emotion_tags, system_rule, history_rule, tools, owner_user } = client;
  return { name, scopes, speaks_for_others, emotion_tags, system_rule, history_rule, tools, owner_user };
}

interface ChoiceProps<V extends string> {
  label: string;
  help: string;
  value: V;
  options: [V, string][];
  onChange: (value: V) => void;
}

function Choice<V extends string>({ label, help, value, options, onChange }: ChoiceProps<V>) {
  return (
    <Field label={label} help={help}>
      <select className="input" value={value} onChange={(e) => onChange(e.target.value as V)}>
        {options.map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
    </Field>
  );
}

interface OthersProps {
  client: Client;
  body: ClientBody;
  onChange: (part: Partial<ClientBody>) => void;
}

/** Who of its users is the owner, and what proves who they are; the secret is never shown again. */
function Others({ client, body, onChange }: OthersProps) {
  const { t } = useSpeech();
  return (
    <>
      <Field label={t("con.owner")} help={t("con.owner.help")}>
        <input className="input" value={body.owner_user ?? ""} maxLength={200} onChange={(e) => onChange({ owner_user: e.target.value || null })} />
      </Field>
      <Field label={t("con.jwt")} help={t("con.jwt.help")}>
        <input
          className="input"
          type="password"
          autoComplete="off"
          maxLength={500}
          value={body.user_jwt_secret ?? ""}
          placeholder={client.knows_user_jwt ? t("con.jwt.kept") : undefined}
          onChange={(e) => onChange({ user_jwt_secret: e.target.value || null })}
        />
      </Field>
      {client.knows_user_jwt && (
        <label className="check">
          <input type="checkbox" checked={body.user_jwt_secret === ""} onChange={(e) => onChange({ user_jwt_secret: e.target.checked ? "" : null })} />
          {t("con.jwt.drop")}
        </label>
      )}
    </>
  );
}

/** Folded until wanted: a client works with what it began with. */
function Options({ client, onSave }: { client: Client; onSave: (body: ClientBody) => void }) {
  const { t, word } = useSpeech();
  const [body, setBody] = useState(() => bodyOf(client));
  const set = (part: Partial<ClientBody>) => setBody((before) => ({ ...before, ...part }));
  const flip = (scope: (typeof SCOPES)[number], on: boolean) => set({ scopes: SCOPES.filter((one) => (one === scope ? on : body.scopes?.includes(one))) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSave(body);
  };
  return (
    <details>
      <summary>{t("con.options")}</summary>
      <form className="stack" onSubmit={submit} aria-label={`${t("con.options")}: ${client.name}`}>
        <Field label={t("con.name")}>
          <input className="input" value={body.name} maxLength={80} required onChange={(e) => set({ name: e.target.value })} />
        </Field>
        <fieldset className="choices">
          <legend>{t("con.scopes")}</legend>
          {SCOPES.map((scope) => (
            <label className="check" key={scope}>
              <input type="checkbox" checked={body.scopes?.includes(scope) ?? false} onChange={(e) => flip(scope, e.target.checked)} />
              {word("con.scope", scope)}
            </label>
          ))}
        </fieldset>
        <div className="fields">
          <Choice label={t("con.tags.title")} help={t("con.tags.help")} value={body.emotion_tags} options={TAGS.map((one) => [one, word("con.tags", one)])} onChange={(emotion_tags) => set({ emotion_tags })} />
          <Choice label={t("con.system.title")} help={t("con.system.help")} value={body.system_rule} options={SYSTEM.map((one) => [one, word("con.system", one)])} onChange={(system_rule) => set({ system_rule })} />
          <Choice label={t("con.history.title")} help={t("con.history.help")} value={body.history_rule} options={HISTORY.map((one) => [one, word("con.history", one)])} onChange={(history_rule) => set({ history_rule })} />
        </div>
        <label className="check">
          <input type="checkbox" checked={body.speaks_for_others ?? false} onChange={(e) => set({ speaks_for_others: e.target.checked })} />
          {t("con.others")}
        </label>
        <p className="dim">{t("con.others.help")}</p>
        {body.speaks_for_others && <Others client={client} body={body} onChange={set} />}
        <label className="check">
          <input type="checkbox" checked={body.tools ?? false} onChange={(e) => set({ tools: e.target.checked })} />
          {t("con.tools")}
        </label>
        <p>
          <button type="submit" className="btn main small" disabled={!body.name.trim() || body.scopes?.length === 0}>
            {t("act.save")}
          </button>
        </p>
      </form>
    </details>
  );
}
