// Simulates outages of a running test server: hangs, crashes and recoveries.

import { installedPrograms, type TestPostgres } from "./postgres.ts";

/** The folder of the server's socket and data. */
function folderOf({ url }: TestPostgres): string {
  return new URL(url.replace("@/", "@localhost/")).searchParams.get("host")!;
}

async function postmaster(server: TestPostgres): Promise<number> {
  const [line] = (await Deno.readTextFile(`${folderOf(server)}/data/postmaster.pid`)).split("\n");
  return Number(line);
}

/** The postmaster first, so that it does not start new processes meanwhile. */
async function processesOf(server: TestPostgres): Promise<number[]> {
  const parent = await postmaster(server);
  const children = await Deno.readTextFile(`/proc/${parent}/task/${parent}/children`);
  return [parent, ...children.trim().split(/\s+/).filter((pid) => pid !== "").map(Number)];
}

/** The server stops responding but closes no connection, like a machine whose disk hangs. */
export async function freeze(server: TestPostgres): Promise<void> {
  for (const pid of await processesOf(server)) Deno.kill(pid, "SIGSTOP");
}

export async function thaw(server: TestPostgres): Promise<void> {
  for (const pid of await processesOf(server)) Deno.kill(pid, "SIGCONT");
}

/** The server ends at once, without notifying its clients. */
export async function crash(server: TestPostgres): Promise<void> {
  await control(server, ["-m", "immediate", "stop"]);
}

export async function startAgain(server: TestPostgres): Promise<void> {
  await control(server, ["-l", `${folderOf(server)}/log`, "-t", "60", "start"]);
}

async function control(server: TestPostgres, args: string[]): Promise<void> {
  const [programs] = await installedPrograms();
  const folder = folderOf(server);
  const { uid, gid } = await Deno.stat(`${folder}/data`);
  const { success } = await new Deno.Command(`${programs}/pg_ctl`, {
    args: ["-D", `${folder}/data`, "-w", "-s", ...args],
    cwd: folder,
    clearEnv: true,
    env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
    ...Deno.uid() === 0 ? { uid: uid!, gid: gid! } : {},
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).output();
  if (!success) throw new Error(`pg_ctl ${args.at(-1)} failed`);
}
