/** Character cards: V1 to V3, as JSON or inside a PNG, where a text chunk holds the JSON in base64. */

export interface Card {
  name: string;
  text: string;
}

/** The words of a character card (V1 to V3, JSON): name, description, personality, scenario. */
export function cardText(json: string): Card | null {
  try {
    const raw = JSON.parse(json) as { data?: Record<string, unknown> } & Record<string, unknown>;
    const data = raw.data ?? raw;
    const part = (name: string) => (typeof data[name] === "string" ? (data[name] as string).trim() : "");
    const text = [part("description"), part("personality"), part("scenario")].filter(Boolean).join("\n\n");
    return text ? { name: part("name") || "Card", text: text.slice(0, 20_000) } : null;
  } catch {
    return null;
  }
}

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const MOST = 20 * 1024 * 1024;

const latin = (bytes: Uint8Array) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");

/** The card inside a picture: `ccv3` before `chara`, as the third version asks. */
export function pictureCard(bytes: Uint8Array): string | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = new Map<string, string>();
  for (let at = PNG.length; at + 12 <= bytes.length; ) {
    const size = view.getUint32(at);
    const kind = latin(bytes.subarray(at + 4, at + 8));
    if (size > bytes.length - at - 12) break;
    if (kind === "tEXt") {
      const [key = "", value = ""] = latin(bytes.subarray(at + 8, at + 8 + size)).split("\0", 2);
      found.set(key, value);
    }
    at += size + 12;
  }
  const held = found.get("ccv3") ?? found.get("chara");
  return held === undefined ? null : unpacked(held);
}

function unpacked(base64: string): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)));
  } catch {
    return null;
  }
}

export async function readCard(file: File): Promise<Card | null> {
  if (file.size > MOST) return null;
  const bytes = new Uint8Array(await file.arrayBuffer());
  const json = PNG.every((byte, at) => bytes[at] === byte) ? pictureCard(bytes) : new TextDecoder().decode(bytes);
  return json === null ? null : cardText(json);
}
