import react from "@vitejs/plugin-react";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

/** Modules by their paths below `src`, without the ending. */
function modules(...paths: string[]): RegExp {
  return new RegExp(`src/(?:${paths.join("|")})\\.tsx?$`);
}

/** Values that lead on, as the first page and most others show them. */
const VALUES = modules(
  "contract/filter/(?:printer|values|lexer|names|fields|tree|countries)",
  "dashboard/base/(?:comparison|site)",
  "dashboard/entity/(?:entity-(?:chip|kinds|scope)|linked-text|addresses|pivot-window)",
  "dashboard/entity/health/health-tags",
  "dashboard/entity/incident/(?:incident-(?:chips|window)|status-tag)",
  "dashboard/ui/(?:grid/in-grid|tags)",
);
/** Charts, apart from the library that plots them. */
const CHARTS = modules(
  "dashboard/entity/device/device-type",
  "dashboard/entity/health/failed-stat",
  "dashboard/overview/attack-(?:matrix|tactics)",
  "dashboard/search/aggregates",
  "dashboard/ui/chart/(?:chart-(?:frame|slot|tooltip)|tools-slot|bar-list|time-(?:series|axis)|unit|colour|stack)",
  "dashboard/ui/chart/(?:use-(?:width|colours)|heat-(?:columns|map))",
  "dashboard/ui/stat",
);

/** The dashboard is plain static files: no inline script or style, no external request. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [react()],
  worker: { format: "es" },
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
      // A slow machine would list the plugins that took long.
      checks: { pluginTimings: false },
      input: ["index.html", "api-docs.html"].map((name) => fileURLToPath(new URL(name, import.meta.url))),
      // What many pages need is few files: forty small ones compress worse and cost a request each.
      output: {
        codeSplitting: {
          groups: [
            { name: "shell", tags: ["$initial"], test: /^(?!.*(api-docs|swagger-ui)).*\.[jt]sx?$/ },
            { name: "charts", test: CHARTS },
            { name: "values", test: VALUES },
          ],
        },
      },
    },
  },
});
