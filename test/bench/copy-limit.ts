import { hash } from "node:crypto";
import pg from "pg";

/**
 * Rows per second that this server loads by COPY into one logged table with the payload as text and the key (tenant,
 * time, event id), over one psql connection. Returns three rates: L is the median of all of them, measured throughout
 * the bench because a machine's speed changes within minutes.
 */
export async function copyRates(
  url: string,
  lines: readonly string[],
  directory: string,
): Promise<number[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const path = `${directory}/copy.tsv`;
  const rows = lines.map((line, index) => {
    const observedAt = /"observed_at":"([^"]+)"/.exec(line)![1]!;
    const id = hash("sha256", String(index));
    return `main\t${observedAt}\t\\\\x${id}\t${line.replaceAll("\\", "\\\\")}`;
  });
  await Deno.writeTextFile(path, rows.join("\n") + "\n");
  const rates: number[] = [];
  for (let round = 0; round < 3; round++) {
    await client.query("drop table if exists copy_limit");
    await client.query(`create table copy_limit (
      tenant_id text, observed_at timestamptz, event_id bytea, payload text,
      primary key (tenant_id, observed_at, event_id))`);
    await client.query("checkpoint");
    const begun = performance.now();
    await load(url, path);
    rates.push(lines.length / (performance.now() - begun) * 1000);
  }
  await client.query("drop table copy_limit");
  await client.end();
  await Deno.remove(path);
  return rates;
}

async function load(url: string, path: string): Promise<void> {
  const psql = new Deno.Command("psql", {
    args: ["--quiet", "--no-psqlrc", "--command", `\\copy copy_limit from '${path}'`, url],
    stdin: "null",
    stdout: "null",
    stderr: "inherit",
  });
  const { code } = await psql.output();
  if (code !== 0) throw new Error(`psql ended with ${code}`);
}
