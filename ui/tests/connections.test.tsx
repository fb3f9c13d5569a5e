import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import Connections from "../src/screens/connections/Connections";
import { RECIPES, recipeFor } from "../src/screens/connections/recipes";
import { called, serve, show } from "./harness";

const client = (part: object = {}) => ({
  client_id: "c1",
  name: "Open WebUI",
  scopes: ["talk"],
  speaks_for_others: false,
  emotion_tags: "none",
  system_rule: "ignore",
  history_rule: "stored",
  tools: true,
  owner_user: null,
  offered_tags: null,
  knows_user_jwt: false,
  created_at: 1_790_000_000,
  last_used_at: null,
  revoked_at: null,
  ...part,
});

const served = (items: object[], doubtful: object[] = []) => ({
  "GET /api/clients": { items },
  "GET /api/clients-doubtful": { items: doubtful },
});

test("every recipe names this address and holds the token", () => {
  for (const recipe of RECIPES) {
    const all = recipe.pastes("http://127.0.0.1:55602", "tok-1").map((one) => one.text).join("\n");
    expect(all, recipe.id).toContain("http://127.0.0.1:55602");
    expect(all, recipe.id).toContain("tok-1");
  }
  expect(recipeFor("Open WebUI 2").id).toBe("openwebui");
  expect(recipeFor("my own").id).toBe("other");
});

test("pasted settings are what the programs read", () => {
  const paste = (id: string) => RECIPES.find((one) => one.id === id)?.pastes("http://h", "tok") ?? [];
  expect(JSON.parse(paste("openwebui").find((one) => one.label === "con.paste.headers")?.text ?? "")).toMatchObject({ "X-Ghost-Task": "{{TASK}}" });
  expect(JSON.parse(paste("mcp")[0]?.text ?? "")).toEqual({ mcpServers: { ghost: { type: "http", url: "http://h/mcp", headers: { Authorization: "Bearer tok" } } } });
  expect(paste("airi")[0]?.text).toBe("http://h/v1/");
  expect(paste("librechat")[0]?.text).toContain('titleModel: "ghost:task"');
});

test("an app is connected in one click: its token stands once in what is pasted", async () => {
  const user = userEvent.setup();
  serve({ ...served([]), "POST /api/clients": (call: { body: { name: string } }) => ({ client: client({ name: call.body.name }), token: "tok-123" }) });
  show(<Connections />);
  expect(await screen.findByText("No app is connected yet.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "AIRI" }));
  const made = await screen.findByRole("status", { name: "AIRI" });
  expect(within(made).getByText("tok-123")).toBeTruthy();
  expect(within(made).getByText(`${location.origin}/v1/`)).toBeTruthy();
  expect(called("POST", "/api/clients")[0]?.body).toEqual({ name: "AIRI", scopes: ["talk"], speaks_for_others: false, emotion_tags: "airi", system_rule: "ignore", history_rule: "stored", tools: false });
  await user.click(within(made).getByRole("button", { name: "Done" }));
  expect(screen.queryByText("tok-123")).toBeNull();
});

test("a program of one's own gets the plain three", async () => {
  const user = userEvent.setup();
  serve({ ...served([]), "POST /api/clients": { client: client({ name: "mine" }), token: "tok-9" } });
  show(<Connections />);
  await user.type(await screen.findByLabelText("Name of the app"), "mine");
  await user.click(screen.getByRole("button", { name: "Make a token" }));
  expect(await screen.findByText("tok-9")).toBeTruthy();
  expect(screen.getByText(`${location.origin}/v1`)).toBeTruthy();
});

test("what an app may do and how it is spoken to is changed and kept", async () => {
  const user = userEvent.setup();
  serve({ ...served([client({ last_used_at: 1_790_000_100 })]), "PUT /api/clients/c1": client() });
  show(<Connections />);
  await user.click(await screen.findByText("What it may do"));
  const form = screen.getByRole("form", { name: "What it may do: Open WebUI" });
  await user.click(within(form).getByLabelText("look into the memory"));
  await user.selectOptions(within(form).getByLabelText(/Feelings in replies/), "face");
  await user.selectOptions(within(form).getByLabelText(/Its system messages/), "replace");
  await user.selectOptions(within(form).getByLabelText(/The talk so far/), "sent");
  await user.click(within(form).getByLabelText("Other people speak through it"));
  await user.type(within(form).getByLabelText(/Which of them is you/), "mika");
  await user.click(within(form).getByRole("button", { name: "Save" }));
  await waitFor(() => expect(called("PUT", "/api/clients/c1")[0]?.body).toEqual({ name: "Open WebUI", scopes: ["talk", "memory:read"], speaks_for_others: true, emotion_tags: "face", system_rule: "replace", history_rule: "sent", tools: true, owner_user: "mika" }));
  expect(await screen.findByText("Saved.")).toBeTruthy();
});

test("an app that may do nothing cannot be saved", async () => {
  const user = userEvent.setup();
  serve(served([client()]));
  show(<Connections />);
  await user.click(await screen.findByText("What it may do"));
  const form = screen.getByRole("form", { name: "What it may do: Open WebUI" });
  await user.click(within(form).getByLabelText("talk"));
  expect((within(form).getByRole("button", { name: "Save" }) as HTMLButtonElement).disabled).toBe(true);
});

test("a token is renewed, and taken back after a question", async () => {
  const user = userEvent.setup();
  serve({ ...served([client(), client({ client_id: "c2", name: "Old one", revoked_at: 1_790_000_000 })]), "POST /api/clients/c1/rotate": { client: client(), token: "tok-new" }, "DELETE /api/clients/c1": null });
  show(<Connections />);
  expect(await screen.findByText("taken back")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "New token: Open WebUI" }));
  expect(await screen.findByText("tok-new")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Take back: Open WebUI" }));
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Take back" }));
  await waitFor(() => expect(called("DELETE", "/api/clients/c1")).toHaveLength(1));
});

test("heard, not remembered: one click says that a person said it", async () => {
  const user = userEvent.setup();
  let left = [{ event_id: 7, created_at: 1_790_000_000, client_id: "c1", text: "give me a title" }];
  serve({
    ...served([client()]),
    "GET /api/clients-doubtful": () => ({ items: left }),
    "POST /api/clients-doubtful/7/real": () => {
      left = [];
      return null;
    },
  });
  show(<Connections />);
  expect(await screen.findByRole("heading", { name: "Heard, not remembered" })).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "I said this: give me a title" }));
  expect(await screen.findByText("I'll remember that.")).toBeTruthy();
  await waitFor(() => expect(screen.queryByText("give me a title")).toBeNull());
});

test("heard, not remembered: an app's own call leaves the list for good", async () => {
  const user = userEvent.setup();
  serve({ ...served([client()], [{ event_id: 8, created_at: 1_790_000_000, client_id: "c1", text: "tags please" }]), "POST /api/clients-doubtful/8/program": null });
  show(<Connections />);
  await user.click(await screen.findByRole("button", { name: "The app did: tags please" }));
  expect(await screen.findByText("Left out for good.")).toBeTruthy();
});

test("the way an app wants feelings is offered and taken with one click", async () => {
  const user = userEvent.setup();
  serve({ ...served([client({ offered_tags: "airi" })]), "PUT /api/clients/c1": client() });
  show(<Connections />);
  await user.click(await screen.findByRole("button", { name: "Use it" }));
  await waitFor(() => expect(called("PUT", "/api/clients/c1")[0]?.body).toMatchObject({ emotion_tags: "airi", tools: true }));
});

test("what an app read and changed is listed when asked for, also of one taken back", async () => {
  const user = userEvent.setup();
  const items = [{ at: 1_790_000_100, call: "POST /api/memory/recall", scope: "memory:read" }, { at: 1_790_000_000, call: "POST /api/memory/state", scope: "memory:write" }];
  serve({ ...served([client({ revoked_at: 1_790_000_200 }), client({ client_id: "c2", name: "AIRI" })]), "GET /api/clients/c1/accesses": { items }, "GET /api/clients/c2/accesses": { items: [] } });
  show(<Connections />);
  const [gone, quiet] = await screen.findAllByText("What it read and changed");
  expect(called("GET", "/api/clients/c1/accesses")).toHaveLength(0);
  await user.click(gone!);
  const read = (await screen.findByText("POST /api/memory/recall")).closest("li")!;
  expect(within(read).getByText("look into the memory")).toBeTruthy();
  expect(screen.getByText("POST /api/memory/state")).toBeTruthy();
  await user.click(quiet!);
  expect(await screen.findByText(/Nothing yet: talking alone/)).toBeTruthy();
});

const options = async (user: ReturnType<typeof userEvent.setup>) => {
  await user.click(await screen.findByText("What it may do"));
  return within(screen.getByRole("form", { name: "What it may do: Open WebUI" }));
};

test("the secret of its users' tokens is typed hidden, kept unseen and sent once", async () => {
  const user = userEvent.setup();
  serve({ ...served([client({ speaks_for_others: true })]), "PUT /api/clients/c1": client() });
  show(<Connections />);
  const form = await options(user);
  const secret = form.getByLabelText(/Secret its users' tokens/) as HTMLInputElement;
  expect(secret.type).toBe("password");
  expect(form.queryByLabelText("Drop the kept secret")).toBeNull();
  await user.type(secret, "s3cret");
  await user.click(form.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(called("PUT", "/api/clients/c1")[0]?.body).toMatchObject({ user_jwt_secret: "s3cret", speaks_for_others: true }));
});

test("a kept secret stays when nothing is typed, and is dropped only on demand", async () => {
  const user = userEvent.setup();
  serve({ ...served([client({ speaks_for_others: true, knows_user_jwt: true })]), "PUT /api/clients/c1": client() });
  show(<Connections />);
  const form = await options(user);
  expect((form.getByLabelText(/Secret its users' tokens/) as HTMLInputElement).placeholder).toContain("one is kept");
  await user.click(form.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(called("PUT", "/api/clients/c1")).toHaveLength(1));
  expect((called("PUT", "/api/clients/c1")[0]?.body as { user_jwt_secret?: string | null }).user_jwt_secret ?? null).toBeNull();
  await user.click(form.getByLabelText("Drop the kept secret"));
  await user.click(form.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(called("PUT", "/api/clients/c1").at(-1)?.body).toMatchObject({ user_jwt_secret: "" }));
});

test("an app that speaks for its owner alone is asked for no secret", async () => {
  const user = userEvent.setup();
  serve(served([client()]));
  show(<Connections />);
  const form = await options(user);
  expect(form.queryByLabelText(/Secret its users' tokens/)).toBeNull();
});
