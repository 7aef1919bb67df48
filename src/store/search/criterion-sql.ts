import type { OpenSpan } from "../../contract/filter/time.ts";
import type { Criterion, NumberSpan } from "../../domain/search/criterion.ts";
import { plainArray, textArray, timestampLiteral } from "../engine/literals.ts";
import { all, type Sql, sql } from "../engine/sql.ts";

/** Joins conditions with `or`; `false` if there are none. */
export function any(conditions: readonly Sql[]): Sql {
  if (conditions.length === 0) return sql`false`;
  return sql`(${conditions.reduce((left, right) => sql`${left} or ${right}`)})`;
}

/**
 * That the value of an expression meets a criterion; null or false if not. Conditions are leakproof where the
 * criterion allows, so that they can use an index under row-level security.
 */
export function meets(value: Sql, criterion: Criterion): Sql {
  switch (criterion.is) {
    case "present":
      return sql`${value} is not null`;
    case "text":
      return isOneOf(criterion.folded ? folded(value) : value, criterion.texts);
    case "part":
      return any(criterion.texts.map((part) => sql`strpos(${folded(value)}, ${part}) > 0`));
    case "branch":
      return any(
        criterion.texts.map((trunk) =>
          sql`(${folded(value)} = ${trunk} or starts_with(${folded(value)}, ${`${trunk}.`}))`
        ),
      );
    case "name":
      return any(criterion.patterns.map((pattern) => sql`${folded(value)} like ${likePattern(pattern)}`));
    case "number":
      return any(criterion.spans.map((span) => isInSpan(value, span)));
    case "address":
      return any(
        criterion.spans.map(({ first, last }) =>
          first === last
            ? sql`${value} = ${first}::inet`
            : sql`(${value} >= ${first}::inet and ${value} <= ${last}::inet)`
        ),
      );
    case "time":
      return any(criterion.spans.map((span) => isWithin(value, span)));
  }
}

/** As `foldCase`: the C locale knows ASCII letters only. */
function folded(value: Sql): Sql {
  return sql`lower((${value}) collate "C")`;
}

function isOneOf(value: Sql, texts: readonly string[]): Sql {
  if (texts.length === 1) return sql`${value} = ${texts[0]!}`;
  return texts.length === 0 ? sql`false` : sql`${value} = any(${textArray(texts)}::text[])`;
}

function likePattern(pattern: string): string {
  return pattern.replace(/[\\%_]/g, "\\$&").replaceAll("*", "%");
}

/** Numbers are compared exactly, whatever their type. */
function isInSpan(value: Sql, { low, high, openLow, openHigh }: NumberSpan): Sql {
  if (low !== null && low === high && !openLow && !openHigh) return sql`${value} = ${String(low)}::numeric`;
  const bounds: Sql[] = [];
  if (low !== null) bounds.push(sql`${value} ${openLow ? sql`>` : sql`>=`} ${String(low)}::numeric`);
  if (high !== null) bounds.push(sql`${value} ${openHigh ? sql`<` : sql`<=`} ${String(high)}::numeric`);
  return bounds.length === 0 ? sql`${value} is not null` : sql`(${all(bounds)})`;
}

/** That a time is in the span. */
export function isWithin(value: Sql, { from, to }: OpenSpan): Sql {
  const bounds: Sql[] = [];
  if (from !== null) bounds.push(sql`${value} >= ${timestampLiteral(from)}::timestamptz`);
  if (to !== null) bounds.push(sql`${value} < ${timestampLiteral(to)}::timestamptz`);
  return bounds.length === 0 ? sql`${value} is not null` : sql`(${all(bounds)})`;
}

/** That an identifier is one of the criterion's. */
export function meetsId(id: Sql, criterion: Criterion): Sql {
  if (criterion.is !== "text") return sql`${id} is not null`;
  return criterion.texts.length === 0 ? sql`false` : sql`${id} = any(${plainArray(criterion.texts)}::uuid[])`;
}
