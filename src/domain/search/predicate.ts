import type { Grouped, Related } from "../../contract/filter/group.ts";
import type { FieldName } from "../../contract/filter/fields.ts";
import type { Comparison, ResultKind } from "../../contract/filter/tree.ts";
import { compareIp, parseIp } from "../../kit/net/ip.ts";
import { type Criterion, foldCase, isInSpan, questionOf, type SearchContext } from "./criterion.ts";
import { type Part, type SomeOf, visitPart } from "./parts.ts";
import type { SearchedRow } from "./row.ts";
import {
  type SearchedSite,
  searchedSite,
  type Value,
  valuesOfDevice,
  valuesOfFlow,
  valuesOfIncident,
} from "./values.ts";

export type Test<T> = (one: T) => boolean;

const OWNER_OF: Record<ResultKind, Related> = { flows: "flow", devices: "device", incidents: "incident" };
const KIND_OF: Record<Related, ResultKind> = { flow: "flows", device: "devices", incident: "incidents" };

/**
 * The condition of a search for `kind` (see `planSearch`) as a predicate over its rows, the same as the SQL of
 * `store/search`.
 */
export function predicateOf(
  condition: Grouped,
  kind: ResultKind,
  context: SearchContext,
): (row: SearchedRow) => boolean {
  const site = searchedSite(context);
  return compile<SearchedRow>(condition, {
    comparison: (comparison) => {
      const test = testOf(comparison, OWNER_OF[kind], context, site);
      return (row) => row[kind].some(test as Test<unknown>);
    },
    some: ({ some, where }) => {
      const test = compile<never>(where, {
        comparison: (comparison) => testOf(comparison, some, context, site),
        some: () => {
          throw new TypeError("a group within a group");
        },
      });
      const related = KIND_OF[some];
      return (row) => row[related].some(test as Test<unknown>);
    },
  });
}

/** How the comparisons and groups of a condition are tested. */
interface Leaves<T> {
  comparison(comparison: Comparison): Test<T>;
  some(group: SomeOf): Test<T>;
}

/** A condition as a predicate over what its leaves test. */
export function compile<T>(part: Part, leaves: Leaves<T>): Test<T> {
  return visitPart<Test<T>>(part, {
    ...leaves,
    all: (parts) => {
      const tests = parts.map((each) => compile(each, leaves));
      return (one) => tests.every((test) => test(one));
    },
    any: (parts) => {
      const tests = parts.map((each) => compile(each, leaves));
      return (one) => tests.some((test) => test(one));
    },
    not: (inner) => {
      const test = compile(inner, leaves);
      return (one) => !test(one);
    },
  });
}

function testOf(
  comparison: Comparison,
  owner: Related,
  context: SearchContext,
  site: SearchedSite,
): Test<never> {
  const { negated, criterion } = questionOf(comparison, context);
  const meets = meeting(criterion);
  const values = valuesOf(comparison.field, owner, site);
  return (one) => values(one).some((value) => value !== null && meets(value)) !== negated;
}

function valuesOf(
  field: FieldName,
  owner: Related,
  site: SearchedSite,
): (one: never) => readonly (Value | null)[] {
  if (owner === "flow") return valuesOfFlow(field, site);
  return owner === "device" ? valuesOfDevice(field) : valuesOfIncident(field);
}

/** Whether a value meets the criterion. */
export function meeting(criterion: Criterion): (value: Value) => boolean {
  switch (criterion.is) {
    case "present":
      return () => true;
    case "text": {
      const texts = new Set(criterion.texts);
      return criterion.folded
        ? (value) => texts.has(foldCase(String(value)))
        : (value) => texts.has(String(value));
    }
    case "part":
      return (value) => {
        const text = foldCase(String(value));
        return criterion.texts.some((part) => text.includes(part));
      };
    case "branch":
      return (value) => {
        const text = foldCase(String(value));
        return criterion.texts.some((trunk) => text === trunk || text.startsWith(`${trunk}.`));
      };
    case "name": {
      const globs = criterion.patterns.map(globOf);
      return (value) => globs.some((matches) => matches(foldCase(String(value))));
    }
    case "number":
      return (value) => typeof value !== "string" && criterion.spans.some((span) => isInSpan(value, span));
    case "time":
      return (value) =>
        criterion.spans.some(({ from, to }) =>
          (from === null || Number(value) >= from) && (to === null || Number(value) < to)
        );
    case "address": {
      const spans = criterion.spans.map(({ first, last }) => ({
        first: parseIp(first)!,
        last: parseIp(last)!,
      }));
      return (value) => {
        const ip = parseIp(String(value));
        return ip !== null &&
          spans.some(({ first, last }) => compareIp(first, ip) <= 0 && compareIp(ip, last) <= 0);
      };
    }
  }
}

/** Whether a name matches a pattern, of which `*` stands for any text. */
function globOf(pattern: string): (name: string) => boolean {
  const [first = "", ...parts] = pattern.split("*");
  const last = parts.pop();
  if (last === undefined) return (name) => name === first;
  return (name) => {
    if (!name.startsWith(first)) return false;
    let at = first.length;
    for (const part of parts) {
      const found = name.indexOf(part, at);
      if (found === -1) return false;
      at = found + part.length;
    }
    return name.length - last.length >= at && name.endsWith(last);
  };
}
