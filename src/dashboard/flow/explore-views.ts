import type { Condition } from "../../contract/filter/tree.ts";
import type { FactType } from "../../contract/record/facts.ts";
import { partsOf, textOf } from "../base/filter-text.ts";

/** What Explore shows of flows: all of them, or those with facts of one kind, which are its columns. */
export const EXPLORE_VIEWS = ["flows", "alerts", "dns", "tls", "http"] as const;
export type ExploreView = (typeof EXPLORE_VIEWS)[number];

/** The alerts as one row for each signature and pair of addresses, as the address names it. */
export const ALERT_GROUPS = "alert-groups";

export const VIEW_NAMES: Readonly<Record<ExploreView, string>> = {
  flows: "Flows",
  alerts: "Alerts",
  dns: "DNS",
  tls: "TLS",
  http: "HTTP",
};

/** The facts that are a view's columns. */
export const VIEW_FACTS: Readonly<Record<ExploreView, FactType | undefined>> = {
  flows: undefined,
  alerts: "alert",
  dns: "dns",
  tls: "tls",
  http: "http",
};

const exists = (
  field: "alert" | "dns.query" | "tls.version" | "ja3" | "ja4" | "http.method" | "http.host",
) => ({
  field,
  op: "exists" as const,
});

const CONDITIONS: Readonly<Record<ExploreView, Condition | null>> = {
  flows: null,
  alerts: exists("alert"),
  dns: exists("dns.query"),
  tls: { any: [exists("tls.version"), exists("ja3"), exists("ja4")] },
  http: { any: [exists("http.method"), exists("http.host")] },
};

export function readView(view: string | undefined): ExploreView {
  return EXPLORE_VIEWS.find((one) => one === view) ?? "flows";
}

/** The filter of a view: that of the query bar and the facts that the view shows; null if the text is no filter. */
export function viewFilter(text: string, view: ExploreView): string | null {
  const parts = partsOf(text);
  if (parts === null) return null;
  const condition = CONDITIONS[view];
  return condition === null ? text : textOf([...parts, condition]);
}
