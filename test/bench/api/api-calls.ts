// The requests of the bench: every read in the API document, with each filter alone and in pairs, for common and rare
// values.

import { openApiText } from "../../../src/contract/openapi.ts";
import { type Route, ROUTES } from "../../../src/contract/routes.ts";
import type { OpenApi, Operation, Schema } from "../../contract/openapi/document.ts";

/** Requests of one kind, sent in turn. */
export interface Kind {
  /** Operation and the filters that are set. */
  name: string;
  targets: string[];
  /** Whether later pages are measured, too. */
  walk: boolean;
  /** Whether the answer is a stream, which does not end. */
  streams: boolean;
}

export type Values = Record<string, string[]>;
export interface Span {
  from: string;
  to: string;
}

/** Operations whose window may not be as long as the longest span; they are measured with the others. */
const SHORT_WINDOWS = new Set(["getGraph"]);
/** Parameter names for paging and time. */
const COMMON = ["limit", "cursor", "from", "to"];

/** @param values By parameter name. @param spans Time windows, the longest first. */
export function kindsOf(values: Values, spans: Record<string, Span>): Kind[] {
  const document: OpenApi = JSON.parse(openApiText());
  return (Object.entries(ROUTES) as [string, Route][])
    .filter(([, route]) => route.method === "GET" && route.servedBy === "core")
    .flatMap(([id, route]) => kindsOfRoute(id, route, document.paths[route.path]!.get!, values, spans));
}

function kindsOfRoute(
  id: string,
  route: Route,
  { parameters = [] }: Operation,
  values: Values,
  spans: Record<string, Span>,
): Kind[] {
  const inQuery = parameters.filter((one) => one.in === "query");
  const names = inQuery.map(({ name }) => name);
  const filters = inQuery.filter(({ name }) => !COMMON.includes(name))
    .map(({ name, schema }) => ({ name, values: valuesOf(id, name, schema, values) }))
    .filter((filter) => filter.values.length > 0);
  const paths = pathsOf(route.path, values);
  const hasWindow = names.includes("from");
  const windows = hasWindow
    ? Object.entries(spans).slice(SHORT_WINDOWS.has(id) ? 1 : 0)
    : [["", null] as const];
  const kinds: Kind[] = [];
  const add = (what: string, queries: Record<string, string>[], [span, window]: (typeof windows)[number]) => {
    const targets = paths.flatMap((path) =>
      queries.map((query) => {
        const text = new URLSearchParams({ ...window, ...query }).toString();
        return text === "" ? path : `${path}?${text}`;
      })
    );
    const name = [id, span, what].filter((part) => part !== "").join(" ");
    const walk = names.includes("cursor") && !what.includes("+");
    kinds.push({ name, targets, walk, streams: route.stream !== undefined });
  };
  for (const window of windows) {
    add("", [{}], window);
    if (names.includes("limit")) add("limit=500", [{ limit: "500" }], window);
    for (const filter of filters) {
      add(filter.name, filter.values.map((value) => ({ [filter.name]: value })), window);
    }
  }
  // Pairs only over the longest window, the most expensive one.
  for (const [at, one] of filters.entries()) {
    for (const other of filters.slice(at + 1)) {
      const both = one.values.flatMap((left) =>
        other.values.map((right) => ({ [one.name]: left, [other.name]: right }))
      );
      add(`${one.name}+${other.name}`, both, windows[0]!);
    }
  }
  return kinds;
}

/** Values known for the operation or its parameter; else those that the document allows. */
function valuesOf(id: string, name: string, schema: Schema, values: Values): string[] {
  const known = values[`${id}.${name}`] ?? values[name];
  if (known) return known;
  if (schema.enum) return schema.enum.map(String);
  if (schema.type === "boolean") return ["true", "false"];
  console.error(`  ${id}: no value is known for ${name}; it is left out`);
  return [];
}

function pathsOf(template: string, values: Values): string[] {
  const name = /\{(\w+)\}/.exec(template)?.[1];
  if (name === undefined) return [template];
  return (values[name] ?? []).map((value) => template.replace(`{${name}}`, value));
}
