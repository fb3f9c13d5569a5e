/** Programs that use this memory: connected in one click, each with a token and manners of its own, taken back alone. */
import "./connections.css";
import { type FormEvent, useState } from "react";
import { useSpeech } from "../../i18n";
import { Field, PageHead } from "../../parts/bits";
import { Loading, Problem } from "../../parts/feedback";
import { CopyButton } from "../../parts/Markdown";
import { ClientCard } from "./ClientCard";
import { type Made, useClientList, useClients } from "./clients";
import { Doubtful } from "./Doubtful";
import { type Recipe, RECIPES, recipeFor } from "./recipes";
import "./words";

export default function Connections() {
  const { t } = useSpeech();
  const list = useClientList();
  const { made, dropMade, add, rotate, change, revoke } = useClients();
  const items = list.data?.items ?? [];
  return (
    <div className="page">
      <PageHead title={t("con.title")} lead={t("con.lead")} />
      {made && <Settled made={made} onClose={dropMade} />}
      <Doubtful clients={items} />
      <section className="stack" aria-labelledby="con-list">
        <h2 id="con-list">{t("con.list")}</h2>
        {list.isPending && <Loading />}
        {list.error && <Problem error={list.error} onRetry={list.refetch} />}
        {list.isSuccess && items.length === 0 && <p className="dim">{t("con.none")}</p>}
        <ul className="stack">
          {items.map((one) => (
            <ClientCard key={one.client_id} client={one} onSave={(body) => change.mutate({ client: one, body })} onRotate={() => rotate.mutate(one)} onRevoke={() => revoke(one)} />
          ))}
        </ul>
      </section>
      <NewClient onAdd={(recipe, name) => add.mutate({ ...recipe.begins, name })} />
    </div>
  );
}

/** Which program? One click makes its token and shows what to paste where. */
function NewClient({ onAdd }: { onAdd: (recipe: Recipe, name: string) => void }) {
  const { t } = useSpeech();
  const [name, setName] = useState("");
  const other = RECIPES.at(-1) as Recipe;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!name.trim()) return;
    onAdd(other, name.trim());
    setName("");
  };
  return (
    <section className="card stack" aria-labelledby="con-new">
      <h2 id="con-new">{t("con.new")}</h2>
      <p className="dim">{t("con.new.lead")}</p>
      <div className="chips">
        {RECIPES.filter((one) => one.name).map((one) => (
          <button type="button" key={one.id} className="btn small" onClick={() => onAdd(one, one.name)}>
            {one.name}
          </button>
        ))}
      </div>
      <form className="row" onSubmit={submit}>
        <Field label={t("con.name")}>
          <input className="input" value={name} maxLength={80} onChange={(e) => setName(e.target.value)} />
        </Field>
        <button type="submit" className="btn" disabled={!name.trim()}>
          {t("con.add")}
        </button>
      </form>
    </section>
  );
}

/** The one time the token is seen: inside the settings it belongs into. */
function Settled({ made, onClose }: { made: Made; onClose: () => void }) {
  const { t } = useSpeech();
  const recipe = recipeFor(made.client.name);
  return (
    <section className="card stack recipe" role="status" aria-label={made.client.name}>
      <h2>{t("con.made", { name: made.client.name })}</h2>
      <p>
        {t(recipe.where)} <strong>{t("con.token")}</strong>
      </p>
      {recipe.pastes(location.origin, made.token).map(({ label, text }) => (
        <div className="paste" key={label}>
          <span className="dim">{t(label)}</span>
          <pre>
            <code>{text}</code>
          </pre>
          <CopyButton text={text} />
        </div>
      ))}
      <p className="dim">{t("con.elsewhere")}</p>
      <p>
        <button type="button" className="btn main" onClick={onClose}>
          {t("con.copied")}
        </button>
      </p>
    </section>
  );
}
