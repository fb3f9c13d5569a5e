import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { Talk } from "../src/screens/talk/Talk";
import { cardText, pictureCard, readCard } from "../src/screens/talk/card";
import { finished } from "../src/screens/talk/first";
import { commandOf } from "../src/screens/talk/commands";
import { hourKey } from "../src/screens/talk/Greeting";
import { translate } from "../src/i18n";
import { called, nothing, serve, settings, show, status, stream, turn } from "./harness";

const talk = (turns: object[]) => ({
  "GET /api/settings": settings(),
  "GET /api/status": status(),
  "GET /api/memory/turns": { items: turns, next_cursor: null },
  "GET /api/memory/on-this-day": { items: [] },
});
const box = () => screen.getByLabelText("Say something");

test("history comes with its signs in one request, and quotes unfold in place", async () => {
  const user = userEvent.setup();
  const recalled = [{ ref: "s3", text: "lives in Kyoto" }];
  serve(talk([turn(2, { run_id: 9, recalled }), turn(1, { lessons: [{ revision_id: 5, entity_type: "user_preferences", entity_id: 1, text: "tea", polarity: "like", undone: false, closed: false }], learning: "learned" })]));
  show(<Talk />);
  expect(await screen.findByText("reply 2")).toBeTruthy();
  expect(screen.getByText("learned: likes tea")).toBeTruthy();
  await user.click(screen.getByText("recalled 1"));
  expect(screen.getByText("lives in Kyoto")).toBeTruthy();
  expect(called("GET", "/api/memory/turns")).toHaveLength(1);
  expect(called("GET", "/api/memory/events/2")).toHaveLength(0);
});

test("a message is sent, its reply streams in as Markdown, and the box is empty", async () => {
  const user = userEvent.setup();
  serve({ ...talk([]), "POST /api/chat": () => stream(["token", { text: "**hi" }], ["done", { event_id: 7, reply_text: "**hi** <i>there</i>" }]), "GET /api/memory/turns/7": turn(7) });
  show(<Talk />);
  await user.type(await screen.findByLabelText("Say something"), "hello{Enter}");
  await waitFor(() => expect(screen.getByText("hi").closest("strong")).toBeTruthy());
  expect(document.body.textContent).toContain("<i>there</i>");
  expect(document.querySelector(".md i")).toBeNull();
  expect((box() as HTMLTextAreaElement).value).toBe("");
  expect(called("POST", "/api/chat")[0]?.body).toMatchObject({ input_text: "hello" });
});

test("a lost message can be sent again and its words come back", async () => {
  const user = userEvent.setup();
  let lost = true;
  serve({ ...talk([turn(1)]), "POST /api/chat": () => { if (lost) throw new TypeError("network error"); return stream(["done", { event_id: 8, reply_text: "here" }]); }, "GET /api/memory/turns/8": turn(8) });
  show(<Talk />);
  await user.type(await screen.findByLabelText("Say something"), "are you there{Enter}");
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("Can't reach the ghost");
  expect(alert.textContent, "what was not sent is sent by hand").toContain("Try again");
  expect(alert.textContent).not.toContain("network error");
  await waitFor(() => expect((box() as HTMLTextAreaElement).value).toBe("are you there"));
  lost = false;
  await user.click(within(alert).getByRole("button", { name: "Send again" }));
  expect(await screen.findByText("here")).toBeTruthy();
  expect((box() as HTMLTextAreaElement).value).toBe("");
});

test("words the ghost kept are answered anew, not said twice", async () => {
  const user = userEvent.setup();
  let failing = true;
  serve({
    ...talk([]),
    "GET /api/memory/events": { items: [{ event_id: 4, user_text: "think" }], next_cursor: null },
    "GET /api/memory/turns/4": turn(4),
    "POST /api/chat": () => (failing ? stream(["error", { code: "llm_unavailable", message: "x" }]) : stream(["done", { event_id: 4, reply_text: "thought" }])),
  });
  show(<Talk />);
  await user.type(await screen.findByLabelText("Say something"), "think{Enter}");
  await screen.findByText(/doesn't answer/);
  failing = false;
  await user.click(await screen.findByRole("button", { name: "Send again" }));
  await screen.findByText("thought");
  expect(called("POST", "/api/chat").at(-1)?.body).toMatchObject({ regenerate: 4 });
});

test("only the last message can be said differently; what it taught is taken back first", async () => {
  const user = userEvent.setup();
  serve({ ...talk([turn(2), turn(1)]), "POST /api/memory/events/2/forget": {}, "POST /api/chat": () => stream(["done", { event_id: 0, reply_text: "ok" }]) });
  show(<Talk />);
  const edits = await screen.findAllByRole("button", { name: "Edit my message" });
  expect(edits).toHaveLength(1);
  await user.click(edits[0] as HTMLElement);
  const area = screen.getByLabelText("Edit my message");
  await user.clear(area);
  await user.type(area, "better");
  await user.click(screen.getByRole("button", { name: "Say this instead" }));
  await screen.findByText("ok");
  expect(called("POST", "/api/memory/events/2/forget")).toHaveLength(1);
  expect(called("POST", "/api/chat")[0]?.body).toMatchObject({ input_text: "better" });
});

test("a draft outlives a visit to another screen; an unknown command stays and says so", async () => {
  const user = userEvent.setup();
  serve(talk([turn(1)]));
  const first = show(<Talk />);
  await user.type(await screen.findByLabelText("Say something"), "/dance{Enter}");
  expect(await screen.findByText(/don't know “\/dance”/)).toBeTruthy();
  first.unmount();
  show(<Talk />);
  expect(((await screen.findByLabelText("Say something")) as HTMLTextAreaElement).value).toBe("/dance");
  await user.clear(box());
});

test("a lesson is taken back from the talk", async () => {
  const user = userEvent.setup();
  const lesson = { revision_id: 5, entity_type: "state", entity_id: 1, text: "lives in Nara", polarity: null, undone: false, closed: false };
  serve({ ...talk([turn(1, { lessons: [lesson], learning: "learned" })]), "POST /api/memory/revisions/5/undo": {} });
  show(<Talk />);
  await user.click(await screen.findByText("learned: lives in Nara"));
  await user.click(screen.getByRole("button", { name: "Undo: lives in Nara" }));
  expect(await screen.findByText("Taken back.")).toBeTruthy();
});

test("a forgotten turn folds away and can be remembered", async () => {
  const user = userEvent.setup();
  serve({ ...talk([turn(1, { forgotten_at: 5 })]), "POST /api/memory/remember/event/1": null });
  show(<Talk />);
  await user.click(await screen.findByText("Remember this again"));
  expect(await screen.findByText("Undone.")).toBeTruthy();
});

test("first run: three answers become settings, and examples only fill the box", async () => {
  const user = userEvent.setup();
  const fresh = settings({ page: { first_run_done: false, keep_thumbnails: false, follow_up_plans: true } });
  serve({ ...talk([]), "GET /api/settings": fresh, "PUT /api/settings": (call: { body: unknown }) => call.body });
  show(<Talk />);
  await user.type(await screen.findByLabelText("What shall I call you?"), "Mika");
  expect(screen.queryByRole("button", { name: /dentist/ })).toBeNull();
  await user.click(screen.getByLabelText("Lively friend"));
  await user.click(screen.getByRole("button", { name: "Begin" }));
  await waitFor(() => expect(called("PUT", "/api/settings")).toHaveLength(1));
  const put = called("PUT", "/api/settings")[0]?.body as { persona_preset: { second_person_label: string }[]; page: { first_run_done: boolean } };
  expect(put.persona_preset.at(-1)).toMatchObject({ second_person_label: "Mika", persona_preset_name: "Lively friend" });
  expect(put.page.first_run_done).toBe(true);
  await user.click(await screen.findByRole("button", { name: /dentist/ }));
  expect((box() as HTMLTextAreaElement).value).toContain("dentist");
  expect(called("POST", "/api/chat")).toHaveLength(0);
});

test("first run: a card and a mind that was found become presets in use", async () => {
  const user = userEvent.setup();
  const fresh = settings({ page: { first_run_done: false, keep_thumbnails: false, follow_up_plans: true } });
  const found = { provider: "ollama", kind: "local_server", detail: "http://127.0.0.1:11434", models: ["small"] };
  serve({ ...talk([]), "GET /api/settings": fresh, "GET /api/status": status({ found: [found] }), "PUT /api/settings": (call: { body: unknown }) => call.body });
  show(<Talk />);
  const picker = document.querySelector("form.steps input[type=file]") ?? (await screen.findByLabelText("Read a character card…", { selector: "input" }));
  await user.upload(picker as HTMLInputElement, new File(['{"name":"Aki","description":"A fox."}'], "aki.json", { type: "application/json" }));
  expect(((await screen.findByLabelText("Aki")) as HTMLInputElement).checked).toBe(true);
  await user.click(screen.getByLabelText(/ollama small/));
  await user.click(screen.getByRole("button", { name: "Begin" }));
  await waitFor(() => expect(called("PUT", "/api/settings")).toHaveLength(1));
  const put = called("PUT", "/api/settings")[0]?.body as ReturnType<typeof settings>;
  expect(put.persona_preset.at(-1)).toMatchObject({ persona_preset_name: "Aki", persona_text: "A fox.", second_person_label: "you" });
  expect(put.llm_preset.at(-1)).toMatchObject({ llm_model: "ollama/small", llm_base_url: "http://127.0.0.1:11434" });
});

test("a card that cannot be read is told and nothing changes", async () => {
  const user = userEvent.setup();
  const fresh = settings({ page: { first_run_done: false, keep_thumbnails: false, follow_up_plans: true } });
  serve({ ...talk([]), "GET /api/settings": fresh });
  show(<Talk />);
  await user.upload(await screen.findByLabelText("Read a character card…", { selector: "input" }), new File(["nothing"], "x.json", { type: "application/json" }));
  expect(await screen.findByText(/couldn't read that card/)).toBeTruthy();
  expect((screen.getByLabelText("As I am") as HTMLInputElement).checked).toBe(true);
});

test("the built-in mind says once what it is, and never after", async () => {
  const user = userEvent.setup();
  localStorage.removeItem("keeper_told");
  serve({ ...talk([turn(1), turn(2), turn(3)]) });
  const first = show(<Talk />);
  await user.click(await screen.findByRole("button", { name: "It's fine like this" }));
  expect(screen.queryByText(/what is built in/)).toBeNull();
  first.unmount();
  show(<Talk />);
  await screen.findByText("reply 3");
  expect(screen.queryByText(/what is built in/)).toBeNull();
});

test("a chosen model is not told what it is not", async () => {
  localStorage.removeItem("keeper_told");
  serve({ ...talk([turn(1), turn(2), turn(3)]), "GET /api/status": status({ mind: { model: "openai/x", embedded: false } }) });
  show(<Talk />);
  await screen.findByText("reply 3");
  await waitFor(() => expect(called("GET", "/api/status").length).toBeGreaterThan(0));
  expect(screen.queryByText(/what is built in/)).toBeNull();
});

test("a word of distress: help stands quietly beside the reply", async () => {
  const user = userEvent.setup();
  const care = { region: "JP", emergency: "119", text: "You are not alone.", lines: [{ name: "A line", number: "0120-000-000", hours: "24 h" }] };
  serve({ ...talk([]), "POST /api/chat": () => stream(["done", { event_id: 0, reply_text: "I'm here.", care }]) });
  show(<Talk />);
  await user.type(box(), "it is all too much{Enter}");
  const card = await screen.findByRole("complementary", { name: "Someone to talk to" });
  expect(within(card).getByText("You are not alone.")).toBeTruthy();
  expect(within(card).getByText("0120-000-000").getAttribute("href")).toBe("tel:0120000000");
  expect(within(card).getByText("119").getAttribute("href")).toBe("tel:119");
});

test("skipping changes nothing but that it is not asked again", () => {
  const t = (key: never) => translate("en", key);
  const before = settings() as never;
  expect(finished(before, null, t as never)).toEqual({ ...(before as object), page: { first_run_done: true, keep_thumbnails: false, follow_up_plans: true } });
});

test("character cards of every version are read; anything else is refused", () => {
  expect(cardText('{"data":{"name":"Aki","description":"A fox."}}')).toEqual({ name: "Aki", text: "A fox." });
  expect(cardText('{"name":"Aki","description":"A fox.","personality":"sly"}')?.text).toContain("sly");
  expect(cardText("not json")).toBeNull();
  expect(cardText("{}")).toBeNull();
});

test("slash words: commands, not paths", () => {
  expect(commandOf("/search tea")).toEqual({ name: "search", rest: "tea" });
  expect(commandOf("/")).toEqual({ name: "search", rest: "" });
  expect(commandOf("/etc/hosts is a file")).toBeNull();
  expect(commandOf("half 1/2")).toBeNull();
});

test("the greeting knows the hour", () => {
  expect([2, 8, 13, 20].map(hourKey)).toEqual(["talk.greet.night", "talk.greet.morning", "talk.greet.day", "talk.greet.evening"]);
});

test("coming back after days is greeted with the gap", async () => {
  const days = Math.floor(Date.now() / 1000) - 3 * 86_400;
  serve({ ...talk([turn(1, { created_at: days })]), "GET /api/memory/on-this-day": { items: [{ years_ago: 1, event: { event_id: 3, user_text: "went to the sea" } }] } });
  show(<Talk />);
  expect(await screen.findByText(/It's been 3 days/)).toBeTruthy();
  expect(await screen.findByText("went to the sea")).toBeTruthy();
});

test("an empty search says so", async () => {
  const user = userEvent.setup();
  serve({ ...talk([]), "GET /api/memory/turns": nothing() });
  show(<Talk />);
  await user.type(await screen.findByLabelText("Search the talk"), "zebra");
  expect(await screen.findByText(/Nothing found for “zebra”/)).toBeTruthy();
});

/** A PNG of chunks only: what a card's reader looks at. */
function picture(chunks: [string, string][]): Uint8Array<ArrayBuffer> {
  const bytes = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
  for (const [kind, body] of chunks) {
    const length = body.length;
    bytes.push((length >>> 24) & 255, (length >>> 16) & 255, (length >>> 8) & 255, length & 255, ...[...kind, ...body].map((letter) => letter.charCodeAt(0)), 0, 0, 0, 0);
  }
  return new Uint8Array(bytes);
}

const packed = (value: object) => btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(value))));

test("a card inside a picture is read, the third version before the older ones", async () => {
  const old = packed({ name: "Old", description: "older" });
  const newer = packed({ data: { name: "\u30a2\u30ad", description: "\u72d0" } });
  const both = picture([["IHDR", "x"], ["tEXt", `chara\0${old}`], ["tEXt", `ccv3\0${newer}`], ["IEND", ""]]);
  expect(await readCard(new File([both], "aki.png"))).toEqual({ name: "\u30a2\u30ad", text: "\u72d0" });
  expect(await readCard(new File([picture([["tEXt", `chara\0${old}`]])], "old.png"))).toMatchObject({ name: "Old" });
  expect(await readCard(new File(['{"name":"J","description":"as JSON"}'], "j.json"))).toMatchObject({ name: "J" });
});

test("a picture without a card, or a broken one, is no card", async () => {
  expect(pictureCard(picture([["IDAT", "..."]]))).toBeNull();
  expect(pictureCard(picture([["tEXt", "chara\0%%%"]]))).toBeNull();
  const cut = picture([["tEXt", `chara\0${packed({ name: "x", description: "y" })}`]]).subarray(0, 30);
  expect(pictureCard(cut)).toBeNull();
  expect(await readCard(new File([picture([])], "empty.png"))).toBeNull();
});

const denial = { denial_event_id: 41, asked_at: 1_790_000_000, memories: [{ ref: "s12", text: "you had a dog" }, { ref: "e7", text: "we saw a dog" }] };

test("a denial of several memories: one click says which, and the question goes", async () => {
  const user = userEvent.setup();
  let open: object | null = denial;
  const closed = () => {
    open = null;
    return null;
  };
  serve({ ...talk([turn(1)]), "GET /api/memory/separations/open": () => open ?? Response.json(null), "POST /api/memory/separations/open": closed });
  show(<Talk />);
  const asked = await screen.findByRole("complementary", { name: /Which memory did you mean/ });
  expect(within(asked).getByText("we saw a dog").getAttribute("href")).toContain("memory/e7");
  await user.click(within(asked).getByRole("button", { name: "This one: you had a dog" }));
  await waitFor(() => expect(called("POST", "/api/memory/separations/open")[0]?.body).toEqual({ denial_event_id: 41, ref: "s12" }));
  expect(await screen.findByText(/won't recall that one/)).toBeTruthy();
  await waitFor(() => expect(screen.queryByText(/Which memory did you mean/)).toBeNull());
});

test("a denial answered meanwhile is told and no longer asked", async () => {
  const user = userEvent.setup();
  let times = 0;
  const gone = () => Response.json({ detail: { code: "conflict", message: "That question is not open." } }, { status: 409 });
  serve({ ...talk([turn(1)]), "GET /api/memory/separations/open": () => (times++ === 0 ? denial : Response.json(null)), "POST /api/memory/separations/open": gone });
  show(<Talk />);
  await user.click(await screen.findByRole("button", { name: "This one: we saw a dog" }));
  expect(await screen.findByText(/It changed meanwhile/)).toBeTruthy();
  await waitFor(() => expect(screen.queryByText(/Which memory did you mean/)).toBeNull());
});

const lesson = (id: number, part: object = {}) => ({ revision_id: id, entity_type: "state", entity_id: id, text: `fact ${id}`, polarity: null, undone: false, closed: false, ...part });

test.each([
  ["what is new before what it took the place of", [lesson(1, { closed: true, text: "lives in Kyoto" }), lesson(2, { text: "lives in Nara" })], "learned: lives in Nara and 1 more"],
  ["only an end, where nothing took its place", [lesson(1, { closed: true, text: "lives in Kyoto" })], "no longer: lives in Kyoto"],
  ["what still stands, where one was taken back", [lesson(1, { undone: true }), lesson(2, { text: "has a cat" })], "learned: has a cat and 1 more"],
  ["a sentence without its full stop", [lesson(2, { text: "You live in Nara." }), lesson(3)], "learned: You live in Nara and 1 more"],
  ["a dislike as one", [lesson(3, { entity_type: "user_preferences", polarity: "dislike", text: "rain" })], "learned: dislikes rain"],
])("the chip tells %s", async (_, lessons, told) => {
  serve(talk([turn(1, { lessons, learning: "learned" })]));
  show(<Talk />);
  expect(await screen.findByText(told)).toBeTruthy();
});

test("learning that failed leads to where it is mended", async () => {
  serve(talk([turn(1, { learning: "failed" })]));
  show(<Talk />);
  expect((await screen.findByText("couldn't learn from this")).getAttribute("href")).toBe("#/care");
});

test("what the built-in mind is is told for a few lines only, and never beside help for somebody in need", async () => {
  const user = userEvent.setup();
  localStorage.removeItem("keeper_told");
  const care = { region: "JP", emergency: "119", text: "You are not alone.", lines: [] };
  serve({ ...talk([turn(3), turn(2), turn(1)]), "POST /api/chat": () => stream(["done", { event_id: 9, reply_text: "I'm here.", care }]), "GET /api/memory/turns/9": turn(9) });
  const first = show(<Talk />);
  expect(await screen.findByText(/what is built in/)).toBeTruthy();
  await user.type(box(), "too much{Enter}");
  await screen.findByText("You are not alone.");
  expect(screen.queryByText(/what is built in/)).toBeNull();
  first.unmount();
  serve(talk([6, 5, 4, 3, 2, 1].map((id) => turn(id))));
  show(<Talk />);
  await screen.findByText("reply 6");
  await waitFor(() => expect(called("GET", "/api/status").length).toBeGreaterThan(1));
  expect(screen.queryByText(/what is built in/)).toBeNull();
});

test("help that the reply has said in full is not said twice", async () => {
  const user = userEvent.setup();
  const care = { region: "", emergency: "", text: "Please reach someone you trust.", lines: [] };
  serve({ ...talk([]), "POST /api/chat": () => stream(["done", { event_id: 0, reply_text: "I'm with you. Please reach someone you trust.", care }]) });
  show(<Talk />);
  await user.type(box(), "it is all too much{Enter}");
  expect(await screen.findByText(/I'm with you/)).toBeTruthy();
  expect(screen.queryByRole("complementary", { name: "Someone to talk to" })).toBeNull();
});
