import react from "@vitejs/plugin-react";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

/** Modules by their paths below `src`, or in a build of TanStack Query, without the ending. */
function modules(...paths: string[]): RegExp {
  return new RegExp(`(?:src|modern)/(?:${paths.join("|")})\\.[jt]sx?$`);
}

/** Values that lead on and charts, apart from the library that plots them: the first page and most others show them. */
const VALUES = modules(
  "contract/filter/(?:printer|values|lexer|names|fields|tree|countries)",
  "dashboard/base/(?:comparison|site)",
  "dashboard/entity/(?:entity-(?:chip|kinds|scope)|linked-text|addresses|pivot-window)",
  "dashboard/entity/device/device-type",
  "dashboard/entity/health/(?:health-tags|failed-stat)",
  "dashboard/entity/incident/(?:incident-(?:chips|window)|status-tag)",
  "dashboard/overview/attack-(?:matrix|tactics)",
  "dashboard/search/aggregates",
  "dashboard/ui/chart/(?:chart-(?:frame|slot|tooltip)|tools-slot|bar-list|time-(?:series|axis)|unit|colour|stack)",
  "dashboard/ui/chart/(?:use-(?:width|colours)|heat-(?:columns|map))",
  "dashboard/ui/(?:grid/in-grid|stat|tags)",
);
/** What most pages but the first one need: records, searches, tables, decisions and what is left of a form. */
const COMMON = modules(
  "(?:infiniteQueryObserver|useInfiniteQuery)",
  "contract/filter/(?:aggregate|check|describe|parser|text-fault)",
  "dashboard/base/(?:filter-text|people|step-memory)",
  "dashboard/entity/(?:history|history-changes|last-change)",
  "dashboard/entity/analyst/money",
  "dashboard/entity/incident/(?:entity-incidents|incident-(?:queries|results))",
  "dashboard/entity/record/.*",
  "dashboard/review/(?:decision-form|response-(?:detail|labels|parts)|review-queries|target-evidence|use-decide)",
  "dashboard/review/response/(?:action-decision-form|response-preview)",
  "dashboard/search/(?:search-queries|use-debounced)",
  "dashboard/ui/(?:charts|chart/time-ticks|conflict/.*|field/(?:submit-key|comment-field)|grid/list-state)",
  "dashboard/ui/(?:copy-button|draft|fact|filters|first-rows|form-end|missing|row-click|short-table|tab-count|table)",
  "dashboard/ui/(?:small-bars/.*|time/intervals)",
);
/** What changes something: menus, choices and suggestions with their library, and the forms of work on incidents. */
const FORMS = new RegExp(
  `node_modules/(?:@ariakit|@floating-ui)/|${
    modules(
      "dashboard/app/pages/incident-forms",
      "dashboard/base/use-creation",
      "dashboard/entity/analyst/(?:budget-bar|call-preview|sent-text)",
      "dashboard/incident/change/.*",
      "dashboard/incident/(?:score-sum|triage/(?:queue|triage-query|triage-views))",
      "dashboard/review/(?:detectors|suppress-form|suppression-p.*|response/propose-form)",
      "dashboard/review/feedback/(?:feedback-(?:form|labels)|new-feedback|verdict-tag)",
      "dashboard/review/proposal/(?:proposal-(?:labels|parts)|triage-proposal-form|use-proposed)",
      "dashboard/search/facet-select",
      "dashboard/ui/field/.*",
    ).source
  }`,
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
            { name: "values", test: VALUES },
            { name: "common", test: COMMON },
            { name: "forms", test: FORMS },
          ],
        },
      },
    },
  },
});
