// The shipped Prometheus and Grafana examples, and the metrics text itself, checked with promtool.

import assert from "node:assert/strict";
import { parse } from "@std/yaml";
import { renderMetrics } from "../../../src/observe/metrics.ts";
import { type MetricsText, parseMetrics } from "../../support/health/metrics-text.ts";
import { fullView } from "../../support/health/metrics-view.ts";
import {
  checkExpressions,
  EXAMPLES,
  installExample,
  promtool,
  tryPromtool,
} from "../../support/health/prometheus.ts";
import { transportTest as programTest } from "../../support/transport/transport-programs.ts";

const PROMTOOL = { programs: ["promtool"] };
const RULES = `${EXAMPLES}/prometheus/ndr-alerts.yml`;
const RULE_TESTS = new URL("../../data/metrics/ndr-alerts.test.yml", import.meta.url).pathname;
const DASHBOARD = `${EXAMPLES}/grafana/ndr-dashboard.json`;

/** The only remark promtool may make: the interface document fixes the name. */
const REMARK =
  'service_connector_count non-histogram and non-summary metrics should not have "_count" suffix';

interface Rule {
  alert: string;
  expr: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}

interface Panel {
  id: number;
  type: string;
  title: string;
  description?: string;
  datasource?: { uid: string };
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string; legendFormat: string; refId: string; datasource: { uid: string } }[];
}

interface Dashboard {
  uid: string;
  title: string;
  schemaVersion: number;
  panels: Panel[];
  templating: { list: { name: string; query: string | { query: string } }[] };
}

async function rules(): Promise<Rule[]> {
  const { groups } = parse(await Deno.readTextFile(RULES)) as { groups: { rules: Rule[] }[] };
  return groups.flatMap((group) => group.rules);
}

async function dashboard(): Promise<Dashboard> {
  return JSON.parse(await Deno.readTextFile(DASHBOARD));
}

/** With Grafana's variables substituted. */
function filledIn(expression: string): string {
  return expression.replaceAll("$__rate_interval", "2m").replaceAll(/\$(job|tenant)\b/g, ".+");
}

/** Each selector's metric, and the labels it matches. */
function selectorsOf(expression: string): { name: string; labels: string[] }[] {
  return [...expression.matchAll(/\b(service_[a-z0-9_]+)(?:\{([^}]*)\})?/g)].map((
    [, name, matchers = ""],
  ) => ({
    name: name!,
    labels: [...matchers.matchAll(/([a-z_]+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label!),
  }));
}

/** Labels that Prometheus adds, including its name for a connector's instance. */
const ADDED = ["job", "exported_instance"];

function isKnown(text: MetricsText, { name, labels }: { name: string; labels: string[] }): boolean {
  const sample = text.samples.find((one) => one.name === name);
  return sample !== undefined && labels.every((label) => label in sample.labels || ADDED.includes(label));
}

await programTest("promtool check metrics: clean, but for the name connector_count", PROMTOOL, async () => {
  const { text } = await tryPromtool(["check", "metrics"], renderMetrics(fullView()));
  assert.deepEqual(text.trim().split("\n"), [REMARK]);
});

await programTest("promtool check metrics accepts hostile names as labels", PROMTOOL, async () => {
  const name = 'a\\"b\n# TYPE x counter\nx{y="z"} 1\r\0\ud800 {}=,é';
  const hostile = fullView({ version: name }, { tenant_id: name });
  const { text } = await tryPromtool(["check", "metrics"], renderMetrics(hostile));
  assert.deepEqual(text.trim().split("\n"), [REMARK]);
});

await programTest("promtool check metrics reports real faults", PROMTOOL, async () => {
  const { success } = await tryPromtool(["check", "metrics"], "service_x{a=} 1\n");
  assert.equal(success, false);
});

await programTest("the scrape example and its rules: promtool check config", PROMTOOL, async () => {
  const folder = await Deno.makeTempDir({ prefix: "ndr-prometheus-" });
  try {
    const output = await promtool([
      "check",
      "config",
      await installExample(folder, "127.0.0.1:8080", "x".repeat(16)),
    ]);
    assert.match(output, /SUCCESS: .*prometheus\.yml is valid/);
    assert.match(output, new RegExp(`SUCCESS: ${(await rules()).length} rules found`));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

await programTest("the alerting rules: promtool test rules", PROMTOOL, async () => {
  assert.match(await promtool(["test", "rules", RULE_TESTS]), /SUCCESS/);
});

Deno.test("every alert is tested, has a severity, gives plain-text instructions and uses existing metrics", async () => {
  const tested = await Deno.readTextFile(RULE_TESTS);
  const text = parseMetrics(renderMetrics(fullView()));
  const all = await rules();
  assert.equal(new Set(all.map(({ alert }) => alert)).size, all.length);
  for (const { alert, expr, labels, annotations } of all) {
    assert.match(tested, new RegExp(`alertname(: |=")${alert}\\b`), alert);
    assert.ok(["critical", "warning"].includes(labels.severity!), alert);
    assert.match(annotations.summary!.replace(/\{\{.*?\}\}/g, "name"), /^\S.{10,79}$/, alert);
    assert.match(annotations.description!, /^[A-Z{].*\.$/s, alert);
    for (const selector of selectorsOf(expr)) {
      assert.ok(isKnown(text, selector), `${alert}: ${selector.name}`);
    }
  }
});

await programTest("the Grafana dashboard: every expression parses with promtool", PROMTOOL, async () => {
  const { panels } = await dashboard();
  const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => filledIn(expr)));
  assert.ok(expressions.length > 25);
  assert.match(await checkExpressions(expressions), new RegExp(`SUCCESS: ${expressions.length} rules found`));
  await assert.rejects(checkExpressions(["sum by (tenant) (service_incidents{"]), /FAILED|error/i);
});

Deno.test("the Grafana dashboard shows every metric, and uses only existing metrics and labels", async () => {
  const text = parseMetrics(renderMetrics(fullView()));
  const { panels, templating } = await dashboard();
  const queries = templating.list.flatMap(({ query }) => typeof query === "string" ? [] : [query.query]);
  const shown = panels.flatMap(({ targets = [] }) => targets);
  const selectors = [...shown.map(({ expr }) => expr), ...queries].flatMap(selectorsOf);
  for (const selector of selectors) assert.ok(isKnown(text, selector), JSON.stringify(selector));
  const names = new Set(selectors.map(({ name }) => name));
  assert.deepEqual([...text.types.keys()].filter((name) => !names.has(name)), []);
  for (const { expr, legendFormat } of shown) {
    const labels = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label!);
    const known = selectorsOf(expr).flatMap(({ name }) => text.samples.find((one) => one.name === name)!);
    for (const label of labels) {
      assert.ok(ADDED.includes(label) || known.some((one) => label in one.labels), `${label} in ${expr}`);
    }
  }
});

Deno.test("the Grafana dashboard can be imported: ids, positions and data sources", async () => {
  const { panels, uid, title, schemaVersion, templating } = await dashboard();
  assert.match(uid, /^[a-z-]{1,40}$/);
  assert.ok(title && schemaVersion >= 36);
  assert.deepEqual(templating.list.map(({ name }) => name), ["datasource", "job", "tenant"]);
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
  const taken = new Set<string>();
  for (const { id, type, title, description, gridPos: { x, y, w, h }, targets = [], datasource } of panels) {
    assert.ok(title.length > 0 && x + w <= 24 && w > 0 && h > 0, String(id));
    for (let column = x; column < x + w; column++) {
      for (let line = y; line < y + h; line++) {
        assert.ok(!taken.has(`${column} ${line}`), `${title} overlaps another panel`);
        taken.add(`${column} ${line}`);
      }
    }
    if (type === "row") continue;
    assert.match(description ?? "", /\.$/, title);
    assert.ok(targets.length > 0, title);
    assert.equal(new Set(targets.map(({ refId }) => refId)).size, targets.length);
    for (const source of [datasource, ...targets.map((target) => target.datasource)]) {
      assert.equal(source?.uid, "${datasource}", title);
    }
  }
});
