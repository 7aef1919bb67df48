import type { Comparison } from "../../contract/filter/tree.ts";
import { type Part, type SomeOf, visitPart } from "../../domain/search/parts.ts";
import { all, type Sql, sql } from "../engine/sql.ts";
import { any } from "./criterion-sql.ts";

/** How the parts of a condition are compiled. */
interface Compiler {
  comparison(comparison: Comparison): Sql;
  some(group: SomeOf): Sql;
}

/**
 * A condition in SQL. Parts may be null where they are false: `and` and `or` keep that, and `not` makes it true.
 */
export function compileTree(part: Part, compiler: Compiler): Sql {
  const compile = (each: Part) => compileTree(each, compiler);
  return visitPart<Sql>(part, {
    comparison: compiler.comparison,
    some: compiler.some,
    all: (parts) => sql`(${all(parts.map(compile))})`,
    any: (parts) => any(parts.map(compile)),
    not: (inner) => notTrue(compile(inner)),
  });
}

export function notTrue(condition: Sql): Sql {
  return sql`(${condition}) is not true`;
}

/** For conditions on something related, which have no groups themselves. */
export function noGroups(): never {
  throw new TypeError("a group within a group");
}
