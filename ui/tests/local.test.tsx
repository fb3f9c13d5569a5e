import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import Settings from "../src/screens/settings/Settings";
import { called, serve, settings, show, status, type Table } from "./harness";

const model = (id: string, part: object = {}) => ({
  id,
  name: `Model ${id}`,
  kind: "chat",
  size_bytes: 1_900_000_000,
  licence: "Apache-2.0",
  languages: "ja en +100",
  source: `https://models.example/${id}`,
  memory_bytes: 2_600_000_000,
  fits: true,
  dimension: 0,
  model: `local/${id}`,
  state: "absent",
  have_bytes: 0,
  whole_bytes: 0,
  in_use: false,
  child: "stopped",
  problem_ja: "",
  problem_en: "",
  ...part,
});

/** A server whose models move as the real one's do. */
function machine(items: ReturnType<typeof model>[], part: { runnable?: boolean } & Table = {}): void {
  const { runnable = true, ...more } = part;
  const one = (id: string) => items.find((x) => x.id === id) ?? model(id);
  const acts = (id: string): Table => ({
    [`POST /api/minds/local/${id}/download`]: () => Object.assign(one(id), { state: "downloading", have_bytes: 475_000_000, whole_bytes: 1_900_000_000 }),
    [`POST /api/minds/local/${id}/cancel`]: () => Object.assign(one(id), { state: "partial" }),
    [`POST /api/minds/local/${id}/use`]: () => Object.assign(one(id), { in_use: true }),
    [`POST /api/minds/local/${id}/leave`]: () => Object.assign(one(id), { in_use: false }),
    [`DELETE /api/minds/local/${id}`]: () => Object.assign(one(id), { state: "absent", have_bytes: 0 }),
  });
  serve({
    "GET /api/settings": settings(),
    "GET /api/status": status(),
    "GET /api/usage": { items: [] },
    "GET /api/minds/local": () => ({ memory_bytes: 8e9, runnable, items }),
    ...Object.assign({}, ...items.map((x) => acts(x.id))),
    ...more,
  });
}

const card = async () => within(await screen.findByRole("region", { name: "Models on this machine" }));

test("a local model says its size, licence and page, and whether it fits", async () => {
  machine([model("a", { state: "ready" }), model("b", { state: "partial", fits: false, memory_bytes: 30e9, problem_en: "The disk is full." })]);
  show(<Settings />);
  const local = await card();
  expect(local.getAllByText(/1\.9 GB · Japanese, English, \+100 · Apache-2\.0/)).toHaveLength(2);
  expect(local.queryByText("fits this machine")).toBeNull();
  expect(local.getAllByRole("link", { name: "about it" })[0]?.getAttribute("href")).toBe("https://models.example/a");
  expect(local.getByText("wants 30 GB of memory: more than is here")).toBeTruthy();
  expect(local.getByText("The disk is full.")).toBeTruthy();
});

test("a download shows how far it is, is stopped, gone on with, and removed after a question", async () => {
  const user = userEvent.setup();
  machine([model("a")]);
  show(<Settings />);
  const local = await card();
  expect(local.getByText("fits this machine")).toBeTruthy();
  await user.click(local.getByText("For talking"));
  await user.click(local.getByRole("button", { name: "Download: Model a" }));
  const bar = await local.findByRole("progressbar", { name: "Model a" });
  expect(bar.getAttribute("aria-valuenow")).toBe("25");
  expect(within(bar).getByText("475 MB of 1.9 GB")).toBeTruthy();
  await user.click(local.getByRole("button", { name: "Stop: Model a" }));
  expect(await local.findByRole("button", { name: "Go on downloading: Model a" })).toBeTruthy();
  await user.click(local.getByRole("button", { name: "Remove the file: Model a" }));
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Cancel" }));
  expect(called("DELETE", "/api/minds/local/a")).toHaveLength(0);
  await user.click(local.getByRole("button", { name: "Remove the file: Model a" }));
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Remove the file" }));
  expect(await local.findByRole("button", { name: "Download: Model a" })).toBeTruthy();
});

test("a download is followed until it is whole", async () => {
  let asked = 0;
  machine([], { "GET /api/minds/local": () => ({ memory_bytes: 8e9, runnable: true, items: [model("a", asked++ === 0 ? { state: "checking", have_bytes: 1_900_000_000 } : { state: "ready" })] }) });
  show(<Settings />);
  const local = await card();
  expect(local.getByText("checking what came (1.9 GB)")).toBeTruthy();
  expect(await local.findByRole("button", { name: "Use it: Model a" })).toBeTruthy();
  expect(local.queryByRole("progressbar")).toBeNull();
});

test("a ready model is used with one click and cannot be removed while it is; a reranker can be left off", async () => {
  const user = userEvent.setup();
  machine([model("a", { state: "ready" }), model("r", { kind: "rerank", state: "ready", in_use: true })]);
  show(<Settings />);
  const local = await card();
  await user.click(local.getByRole("button", { name: "Use it: Model a" }));
  await waitFor(() => expect(local.getAllByText("In use")).toHaveLength(2));
  expect(local.queryByRole("button", { name: "Remove the file: Model a" })).toBeNull();
  expect(await screen.findByText("Model a is in use now.")).toBeTruthy();
  // The settings were changed by it: they are read again.
  await waitFor(() => expect(called("GET", "/api/settings").length).toBeGreaterThan(1));
  await user.click(local.getByRole("button", { name: "Leave it off: Model r" }));
  expect(await local.findByRole("button", { name: "Use it: Model r" })).toBeTruthy();
});

test("with unsaved changes no model is put to use: saving them would take it back", async () => {
  const user = userEvent.setup();
  machine([model("a", { state: "ready" })]);
  show(<Settings />);
  const use = (await card()).getByRole("button", { name: "Use it: Model a" }) as HTMLButtonElement;
  await user.type(screen.getByLabelText("What I call you"), "!");
  await waitFor(() => expect(use.disabled).toBe(true));
  expect(use.title).toBe("Save or discard your changes first.");
  await user.click(screen.getByRole("button", { name: "Discard" }));
  await waitFor(() => expect(use.disabled).toBe(false));
});

test("what is missing is said; a refusal is told; where there are no local models nothing is shown", async () => {
  const user = userEvent.setup();
  const refused = () => Response.json({ detail: { code: "bad_input", message: "No space left." } }, { status: 400 });
  machine([model("a", { state: "partial" })], { runnable: false, "POST /api/minds/local/a/download": refused });
  const page = show(<Settings />);
  const local = await card();
  expect(local.getByText(/install the extra “local” first/)).toBeTruthy();
  await user.click(local.getByRole("button", { name: "Go on downloading: Model a" }));
  expect(await screen.findByText("I couldn't accept that: No space left.")).toBeTruthy();
  page.unmount();
  serve({ "GET /api/settings": settings(), "GET /api/status": status(), "GET /api/usage": { items: [] } });
  show(<Settings />);
  await screen.findByText("Looking at your screen");
  await waitFor(() => expect(called("GET", "/api/minds/local").length).toBeGreaterThan(1));
  expect(screen.queryByText("Models on this machine")).toBeNull();
});

test("a mind of this machine is named as such and asks for no key and no address", async () => {
  const [preset] = settings().llm_preset;
  const mine = settings({ llm_preset: [{ ...preset, llm_preset_name: "Mine", llm_model: "local/a" }] });
  machine([model("a", { state: "ready", in_use: true })], { "GET /api/settings": mine, "GET /api/minds/providers": { items: [{ name: "openai", label: "OpenAI", needs_key: true, local: false }] } });
  show(<Settings />);
  const mind = within(await screen.findByRole("region", { name: "Language model" }));
  const service = (await mind.findByLabelText("Service")) as HTMLSelectElement;
  expect(service.selectedOptions[0]?.textContent).toBe("Models on this machine");
  expect(mind.queryByLabelText("API key")).toBeNull();
  expect(mind.queryByLabelText("Address (optional)")).toBeNull();
  expect((mind.getByLabelText("Model") as HTMLInputElement).value).toBe("local/a");
});
