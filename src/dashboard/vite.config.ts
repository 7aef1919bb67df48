import react from "@vitejs/plugin-react";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

/** The dashboard is plain static files: no inline script or style, no external request. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [react()],
  build: {
    outDir: fileURLToPath(new URL("../../dist/dashboard", import.meta.url)),
    emptyOutDir: true,
    // A data: URL or a polyfill script would need a weaker Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The API viewer is large and has its own page.
    chunkSizeWarningLimit: 2000,
    rolldownOptions: {
      input: ["index.html", "api-docs.html"].map((name) => fileURLToPath(new URL(name, import.meta.url))),
    },
  },
});
