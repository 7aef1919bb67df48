import type { Database, Tx } from "../../../src/store/engine/database.ts";
import { Sql, sql } from "../../../src/store/engine/sql.ts";

export interface Plan {
  statement: string;
  /** Partitions and tables read by sequential scans; none of a statement that was planned often enough before. */
  scanned: string[];
}

interface PlannedOptions {
  forbidScans: boolean;
  /** How often to plan one text, with other values each time: planning takes longer than reading a page. */
  most?: number;
}

interface Explained {
  "QUERY PLAN": { Plan: Node }[];
}

interface Node {
  "Node Type": string;
  "Relation Name"?: string;
  Plans?: Node[];
}

/**
 * A database that plans each statement of a tenant, as the plain role under row-level security, before
 * running it.
 *
 * On small tables a sequential scan may be the best plan: `forbidScans` leaves it only where no index
 * applies.
 */
export function planned(db: Database, plans: Plan[], options: PlannedOptions): Database {
  const { forbidScans, most = Infinity } = options;
  const times = new Map<string, number>();
  const explain = async (tx: Tx, made: Sql) => {
    const { strings: [first, ...rest], values } = made;
    if (!/^\s*(select|with|insert|update|delete|\()/i.test(first!)) return;
    const statement = [first, ...rest].join("$");
    const before = times.get(statement) ?? 0;
    times.set(statement, before + 1);
    if (before >= most) return void plans.push({ statement, scanned: [] });
    // Binary values have no literal; such a statement is planned with its values, on the same indexes.
    const isKept = made.name !== undefined && !values.some((value) => value instanceof Uint8Array);
    const [row] = !isKept || db.engine === "pglite"
      ? await tx.rows<Explained>(new Sql([`explain (format json) ${first}`, ...rest], values))
      : await explainKept(tx, made);
    plans.push({ statement, scanned: scannedBy(row!["QUERY PLAN"][0]!.Plan) });
  };
  const explaining = (tx: Tx): Tx => {
    // Concurrent statements run one after another, each with its plan, in the order of the calls.
    let last: Promise<unknown> = Promise.resolve();
    const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
      const result = last.then(work);
      last = result.catch(() => {});
      return result;
    };
    return {
      rows: <R extends object>(statement: Sql) =>
        inTurn(async () => {
          await explain(tx, statement);
          return await tx.rows<R>(statement);
        }),
      run: (statement) =>
        inTurn(async () => {
          await explain(tx, statement);
          return await tx.run(statement);
        }),
    };
  };
  return {
    engine: db.engine,
    tenant: (tenantId, work, limits) =>
      db.tenant(tenantId, async (tx) => {
        if (forbidScans) await tx.run(sql`set local enable_seqscan = off`);
        return await work(explaining(tx));
      }, limits),
    shared: (work, limits) => db.shared(work, limits),
    owner: (work) => db.owner(work),
    close: () => db.close(),
  };
}

/** The generic plan of a prepared statement. */
async function explainKept(tx: Tx, made: Sql): Promise<Explained[]> {
  const { text, values } = made.compile();
  const literals = values.map((value) =>
    value === null ? "null" : `'${String(value).replaceAll("'", "''")}'`
  );
  await tx.run(new Sql([`prepare planned as ${text}`], []));
  await tx.run(sql`set local plan_cache_mode = force_generic_plan`);
  const rows = await tx.rows<Explained>(
    new Sql([`explain (format json) execute planned(${literals.join(", ")})`], []),
  );
  await tx.run(sql`set local plan_cache_mode = auto`);
  await tx.run(sql`deallocate planned`);
  return rows;
}

function scannedBy(node: Node): string[] {
  const own = node["Node Type"] === "Seq Scan" ? [node["Relation Name"]!] : [];
  return [...own, ...(node.Plans ?? []).flatMap(scannedBy)];
}

/** Fewer rows than this fit in a page or two: a sequential scan is the fastest plan. */
const LARGE = 450;

/** The day and default partitions large enough for an index. */
export async function largePartitions(db: Database): Promise<Set<string>> {
  const rows = await db.owner((tx) =>
    tx.rows<{ name: string }>(sql`
      select relname::text as name from pg_class c join pg_inherits i on i.inhrelid = c.oid
      where c.relkind = 'r' and c.reltuples > ${LARGE}`)
  );
  return new Set(rows.map(({ name }) => name));
}
