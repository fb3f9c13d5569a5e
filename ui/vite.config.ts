import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

const OUT = "../cocoro_ghost/api/web";
const GHOST = "http://127.0.0.1:55602";

/** What the build was made from; tests/test_page.py compares it, so that no stale build is committed. */
function sourceStamp(): Plugin {
  return {
    name: "source-stamp",
    apply: "build",
    closeBundle() {
      const files = ["index.html", ...["src", "public"].flatMap((dir) => readdirSync(dir, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).replaceAll("\\", "/")))];
      const hash = createHash("sha256");
      for (const file of files.sort()) hash.update(file).update("\0").update(readFileSync(file)).update("\0");
      writeFileSync(join(OUT, "source.sha256"), `${hash.digest("hex")}\n`);
    },
  };
}

// The server hands out cocoro_ghost/api/web as it is: no Node is needed to run the ghost.
export default defineConfig({
  plugins: [react(), sourceStamp()],
  base: "./",
  build: {
    outDir: OUT,
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 600,
  },
  server: { proxy: { "/api": { target: GHOST, ws: true, changeOrigin: true, headers: { Origin: GHOST } } } },
  test: { environment: "jsdom", include: ["tests/**/*.test.{ts,tsx}"], testTimeout: 60_000 },
});
