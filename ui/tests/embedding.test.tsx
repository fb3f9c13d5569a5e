import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import Settings from "../src/screens/settings/Settings";
import { called, serve, settings, show, status } from "./harness";

const provider = (name: string, part: object = {}) => ({ name, label: name, needs_key: true, key_page: "", key_found: false, local: false, base_url: `https://${name}.test/v1`, embeddings: true, ...part });

const served = (part: object = {}) => ({
  "GET /api/settings": settings(),
  "GET /api/status": status(),
  "GET /api/usage": { items: [] },
  "GET /api/minds/providers": { items: [provider("openai"), provider("anthropic", { embeddings: false }), provider("ollama", { local: true, needs_key: false })] },
  "PUT /api/settings": (call: { body: unknown }) => call.body,
  ...part,
});

const group = async () => within((await screen.findByRole("heading", { name: "Meaning search" })).closest("section") as HTMLElement);

test("the built-in embedding asks for nothing; who cannot embed is not offered", async () => {
  serve(served());
  show(<Settings />);
  const part = await group();
  const service = (await part.findByLabelText("Service")) as HTMLSelectElement;
  expect([...service.options].map((one) => one.value)).toEqual(["embedded", "openai", "ollama", "…"]);
  expect(service.value).toBe("embedded");
  for (const name of ["Embedding model", "API key", "Address (optional)", "Dimensions"]) expect(part.queryByLabelText(name)).toBeNull();
  expect(part.queryByRole("button", { name: "Test before saving" })).toBeNull();
});

test("an embedding model is chosen from its list, and the trial finds its dimensions", async () => {
  const user = userEvent.setup();
  const tried = { ok: true, dimension: 1536, milliseconds: 80, words_ja: "使えます", words_en: "It works, with 1536 dimensions." };
  serve(served({ "POST /api/minds/models": { items: [{ id: "text-embedding-3-small" }] }, "POST /api/settings/test-embedding": tried }));
  show(<Settings />);
  const part = await group();
  await user.selectOptions(await part.findByLabelText("Service"), "openai");
  await user.type(part.getByLabelText(/^API key/), "sk-1");
  await user.click(part.getByRole("button", { name: "Ask for its models" }));
  await user.selectOptions(await part.findByLabelText("Its models"), "text-embedding-3-small");
  expect(called("POST", "/api/minds/models")[0]?.body).toMatchObject({ provider: "openai", api_key: "sk-1", kind: "embedding", embedding_preset_id: "m1" });
  await user.click(part.getByRole("button", { name: "Test before saving" }));
  expect(await part.findByText(/with 1536 dimensions/)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(called("PUT", "/api/settings")).toHaveLength(1));
  const put = called("PUT", "/api/settings")[0]?.body as ReturnType<typeof settings>;
  expect(put.embedding_preset[0]).toMatchObject({ embedding_model: "openai/text-embedding-3-small", embedding_dimension: 1536, embedding_model_api_key: "sk-1" });
});

test("an embedding that does not answer is told in words and changes nothing", async () => {
  const user = userEvent.setup();
  const tried = { ok: false, dimension: 0, milliseconds: 9, words_ja: "", words_en: "check the preset's key and model." };
  serve(served({ "POST /api/settings/test-embedding": tried }));
  show(<Settings />);
  const part = await group();
  await user.selectOptions(await part.findByLabelText("Service"), "ollama");
  expect((part.getByLabelText("Address (optional)") as HTMLInputElement).value).toBe("https://ollama.test/v1");
  await user.click(part.getByRole("button", { name: "Test before saving" }));
  expect((await part.findByText(/check the preset's key/)).textContent).toContain("No answer");
  expect((part.getByLabelText("Dimensions") as HTMLInputElement).value).toBe("512");
});

test("back to the built-in one: its model and its length come along", async () => {
  const user = userEvent.setup();
  const hosted = { embedding_preset_id: "m1", embedding_preset_name: "Meaning", embedding_model: "openai/x", embedding_dimension: 9 };
  serve(served({ "GET /api/settings": settings({ embedding_preset: [hosted] }) }));
  show(<Settings />);
  const part = await group();
  await user.selectOptions(await part.findByLabelText("Service"), "embedded");
  await user.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(called("PUT", "/api/settings")).toHaveLength(1));
  const put = called("PUT", "/api/settings")[0]?.body as ReturnType<typeof settings>;
  expect(put.embedding_preset[0]).toMatchObject({ embedding_model: "embedded/use", embedding_dimension: 512 });
});

test("where no list can be had the built-in one and one's own words remain", async () => {
  const user = userEvent.setup();
  serve(served({ "GET /api/minds/providers": Response.json({}, { status: 500 }) }));
  show(<Settings />);
  const part = await group();
  await user.selectOptions(await part.findByLabelText("Service"), "…");
  await user.type(await part.findByLabelText("Embedding model"), "mine/model");
  expect((part.getByLabelText("Embedding model") as HTMLInputElement).value).toBe("mine/model");
});
