import react from "@vitejs/plugin-react";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

/** The dashboard is plain static files: no inline script or style, nothing fetched from elsewhere. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [react()],
  build: {
    outDir: fileURLToPath(new URL("../../dist/dashboard", import.meta.url)),
    emptyOutDir: true,
    // A data: URL or a polyfill script would need a looser Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The viewer of the API's document is large, and has a page of its own.
    chunkSizeWarningLimit: 2000,
    rolldownOptions: {
      input: ["index.html", "api-docs.html"].map((name) => fileURLToPath(new URL(name, import.meta.url))),
    },
  },
});
