/** A statement: text fragments and the parameters between them. Made by the `sql` tag only. */
export class Sql {
  constructor(
    readonly strings: readonly string[],
    readonly values: readonly unknown[],
    /** See `prepared`. */
    readonly name?: string,
    /** See `setting`. */
    readonly isSetting = false,
  ) {}

  /** Text with numbered parameters, and their values, for both drivers. */
  compile(): { text: string; values: unknown[]; name?: string } {
    let text = this.strings[0] ?? "";
    for (let i = 0; i < this.values.length; i++) text += `$${i + 1}` + this.strings[i + 1];
    const compiled = { text, values: this.values.map(storable) };
    return this.name === undefined ? compiled : { ...compiled, name: this.name };
  }
}

/**
 * Names a statement, so that each PostgreSQL connection plans it only once, for all values. For statements
 * whose best plan does not depend on the values, and whose planning is expensive: because of many partitions,
 * or values of megabytes that each plan would copy. A name must always have the same text.
 */
export function prepared(name: string, statement: Sql): Sql {
  return new Sql(statement.strings, statement.values, name);
}

/** Marks a statement that only changes settings of its transaction. */
export function setting(statement: Sql): Sql {
  return new Sql(statement.strings, statement.values, statement.name, true);
}

/** NUL cannot be stored in a PostgreSQL text and becomes U+FFFD, as in arrays. */
function storable(value: unknown): unknown {
  return typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\ufffd") : value;
}

/**
 * Builds a statement; every `${value}` becomes a parameter, never text, and a nested `Sql` is spliced in.
 *
 *     sql`select * from flow where tenant_id = ${tenant} ${device ? sql`and src_device_id = ${device}` : sql``}`
 */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Sql {
  const texts: string[] = [];
  const parameters: unknown[] = [];
  let open = strings[0]!;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value instanceof Sql) {
      open += value.strings[0]!;
      for (let j = 0; j < value.values.length; j++) {
        texts.push(open);
        parameters.push(value.values[j]);
        open = value.strings[j + 1]!;
      }
    } else {
      texts.push(open);
      parameters.push(value);
      open = "";
    }
    open += strings[i + 1]!;
  }
  texts.push(open);
  return new Sql(texts, parameters);
}

/** Joins conditions with `and`; `true` if there are none. */
export function all(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`true` : conditions.reduce((left, right) => sql`${left} and ${right}`);
}

/**
 * A condition whose subqueries the planner may not join, and so repeat for each row: it hashes their rows once instead.
 * For those whose rows it cannot estimate.
 */
export function hashed(condition: Sql): Sql {
  return sql`(${condition}) is true`;
}

/** Joins one or more expressions with commas. */
export function list(expressions: readonly Sql[]): Sql {
  return expressions.reduce((left, right) => sql`${left}, ${right}`);
}

/** Joins one or more queries with `union all`. */
export function unionAll(queries: readonly Sql[]): Sql {
  return queries.reduce((left, right) => sql`${left} union all ${right}`);
}

/** A quoted identifier that code, not input, chose (a partition, a database); checked nevertheless. */
export function identifier(name: string): Sql {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(name)) throw new TypeError(`not a plain SQL name: ${name}`);
  return new Sql([`"${name}"`], []);
}
