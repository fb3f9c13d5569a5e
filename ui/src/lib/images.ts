/** Pictures for the ghost to look at: the same limits as the server, checked before anything is sent. */

export const MAX_IMAGES = 5;
export const MAX_BYTES = 5 * 1024 * 1024;
export const MAX_TOTAL = 20 * 1024 * 1024;
const TYPES = new Set(["image/png", "image/jpeg", "image/webp"]);

export interface Picture {
  name: string;
  size: number;
  url: string;
}

export type Refusal = "talk.image.type" | "talk.image.size" | "talk.image.total" | "talk.image.count";

export function refusal(file: { type: string; size: number }, already: readonly { size: number }[]): Refusal | null {
  if (already.length >= MAX_IMAGES) return "talk.image.count";
  if (!TYPES.has(file.type)) return "talk.image.type";
  if (file.size > MAX_BYTES) return "talk.image.size";
  if (already.reduce((sum, p) => sum + p.size, file.size) > MAX_TOTAL) return "talk.image.total";
  return null;
}

export function readPicture(file: File): Promise<Picture> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve({ name: file.name, size: file.size, url: String(reader.result) });
    reader.onerror = () => reject(reader.error ?? new Error("unreadable"));
    reader.readAsDataURL(file);
  });
}

const SMALL = 320;
const MOST_CHARACTERS = 60_000;

/** A small copy for later; null when the browser cannot draw it or it would not be small. */
export async function thumbnail(url: string): Promise<string | null> {
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const scale = Math.min(1, SMALL / Math.max(image.naturalWidth, image.naturalHeight, 1));
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(image.naturalWidth * scale));
    canvas.height = Math.max(1, Math.round(image.naturalHeight * scale));
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const small = canvas.toDataURL("image/jpeg", 0.7);
    return small.startsWith("data:image/jpeg") && small.length <= MOST_CHARACTERS ? small : null;
  } catch {
    return null;
  }
}
