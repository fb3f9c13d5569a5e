import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

// The server hands out cocoro_ghost/web as it is: no Node is needed to run the ghost.
export default defineConfig({
  plugins: [react()],
  base: "./",
  build: {
    outDir: "../cocoro_ghost/web",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 600,
  },
  server: { proxy: { "/api": { target: "http://127.0.0.1:55602", ws: true } } },
  test: { environment: "jsdom", include: ["tests/**/*.test.{ts,tsx}"] },
});
