/** What each program wants to be told, with this ghost's address and a fresh token already in it. */
import type { components } from "../../api/schema";
import type { Key } from "../../i18n";

export type ClientBody = components["schemas"]["ClientChange"];

export interface Paste {
  label: Key;
  text: string;
}

export interface Recipe {
  id: string;
  name: string;
  /** How a client of this kind begins; everything can be changed later. */
  begins: Partial<ClientBody>;
  where: Key;
  pastes: (address: string, token: string) => Paste[];
}

const openai = (address: string, token: string): Paste[] => [
  { label: "con.paste.url", text: `${address}/v1` },
  { label: "con.paste.key", text: token },
  { label: "con.paste.model", text: "ghost" },
];

const HEADERS = {
  "X-Ghost-Task": "{{TASK}}",
  "X-Ghost-Chat": "{{CHAT_ID}}",
  "X-Ghost-Reply": "{{MESSAGE_ID}}",
  "X-Ghost-Message": "{{USER_MESSAGE_ID}}",
  "X-Ghost-Parent": "{{USER_MESSAGE_PARENT_ID}}",
  "X-Ghost-User": "{{USER_ID}}",
  "X-Ghost-User-Name": "{{USER_NAME}}",
};

const libreChat = (address: string, token: string) => `endpoints:
  custom:
    - name: "Ghost"
      apiKey: "${token}"
      baseURL: "${address}/v1"
      models: { default: ["ghost", "ghost:incognito"], fetch: true }
      titleConvo: true
      titleModel: "ghost:task"
      headers:
        X-LibreChat-Conversation-Id: "{{LIBRECHAT_BODY_CONVERSATIONID}}"
`;

const python = (address: string, token: string) => `from openai import OpenAI

ghost = OpenAI(base_url="${address}/v1", api_key="${token}")
said = ghost.chat.completions.create(model="ghost", messages=[{"role": "user", "content": "Hello"}])
print(said.choices[0].message.content)
`;

const mcp = (address: string, token: string) =>
  JSON.stringify({ mcpServers: { ghost: { type: "http", url: `${address}/mcp`, headers: { Authorization: `Bearer ${token}` } } } }, null, 2);

const claudeCode = (address: string, token: string) => `claude mcp add --transport http ghost ${address}/mcp --header "Authorization: Bearer ${token}"`;

export const RECIPES: Recipe[] = [
  {
    id: "openwebui",
    name: "Open WebUI",
    begins: {},
    where: "con.where.openwebui",
    pastes: (address, token) => [...openai(address, token).slice(0, 2), { label: "con.paste.headers", text: JSON.stringify(HEADERS) }, { label: "con.paste.task", text: "ghost:task" }],
  },
  { id: "sillytavern", name: "SillyTavern", begins: {}, where: "con.where.sillytavern", pastes: openai },
  { id: "librechat", name: "LibreChat", begins: {}, where: "con.where.librechat", pastes: (address, token) => [{ label: "con.paste.file", text: libreChat(address, token) }] },
  { id: "airi", name: "AIRI", begins: { emotion_tags: "airi" }, where: "con.where.airi", pastes: (address, token) => [{ label: "con.paste.url", text: `${address}/v1/` }, ...openai(address, token).slice(1)] },
  {
    id: "vtuber",
    name: "Open-LLM-VTuber",
    begins: { emotion_tags: "bracket" },
    where: "con.where.vtuber",
    pastes: (address, token) => [{ label: "con.paste.file", text: `openai_compatible_llm:\n  base_url: ${address}/v1\n  llm_api_key: ${token}\n  model: ghost\n` }],
  },
  {
    id: "aiavatar",
    name: "AIAvatarKit",
    begins: { emotion_tags: "face" },
    where: "con.where.aiavatar",
    pastes: (address, token) => [{ label: "con.paste.code", text: `ChatGPTService(base_url="${address}/v1", openai_api_key="${token}", model="ghost")` }],
  },
  {
    id: "ollama",
    name: "Home Assistant · Ollama",
    begins: {},
    where: "con.where.ollama",
    pastes: (address, token) => [
      { label: "con.paste.url", text: address },
      { label: "con.paste.key", text: token },
      { label: "con.paste.model", text: "ghost:latest" },
    ],
  },
  {
    id: "mcp",
    name: "Claude · Cursor (MCP)",
    begins: { scopes: ["memory:read", "memory:write"] },
    where: "con.where.mcp",
    pastes: (address, token) => [
      { label: "con.paste.file", text: mcp(address, token) },
      { label: "con.paste.command", text: claudeCode(address, token) },
    ],
  },
  { id: "python", name: "Python · Discord", begins: {}, where: "con.where.python", pastes: (address, token) => [{ label: "con.paste.code", text: python(address, token) }] },
  { id: "other", name: "", begins: {}, where: "con.where.other", pastes: openai },
];

/** The recipe a client was made from, by the name it got; any other is told the plain way. */
export function recipeFor(name: string): Recipe {
  return RECIPES.find((one) => one.name !== "" && name.startsWith(one.name)) ?? (RECIPES.at(-1) as Recipe);
}
