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

export type Refusal = "chat.image.type" | "chat.image.size" | "chat.image.total" | "chat.image.count";

export function refusal(file: { type: string; size: number }, already: readonly { size: number }[]): Refusal | null {
  if (already.length >= MAX_IMAGES) return "chat.image.count";
  if (!TYPES.has(file.type)) return "chat.image.type";
  if (file.size > MAX_BYTES) return "chat.image.size";
  if (already.reduce((sum, p) => sum + p.size, file.size) > MAX_TOTAL) return "chat.image.total";
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
