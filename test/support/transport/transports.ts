// The shipped transports, installed as by an administrator, with every path moved into the test's folder.

import { exists } from "../files.ts";
import type { UpSource } from "../up.ts";
import {
  type Program,
  type ProgramEnv,
  programPath,
  runProgram,
  startProgram,
} from "./transport-programs.ts";

export const SHIPPED = new URL("../../../debian/transport/", import.meta.url).pathname;

export const SENSORS = ["suricata", "zeek", "netflow", "unbound", "syslog"] as const;
export type TransportSensor = (typeof SENSORS)[number];

export interface TransportSetup {
  /**
   * The test's folder. It contains the sensor files `eve.json`, `zeek/*.log`, `flows.json` and `unbound.log`.
   */
  dir: string;
  /** Address of the core: `http://127.0.0.1:8081`. */
  coreUrl: string;
  tokens: Readonly<Partial<Record<TransportSensor, string>>>;
  /** Whether a few megabytes fill the buffer, so that a test can fill it. */
  smallBuffer?: boolean;
  /** Where syslog-ng receives syslog. */
  syslogPort?: number;
  /** Another machine than the appliance: `coreUrl` is the appliance's, and its certificates are in this folder. */
  tls?: string;
}

export interface Transport {
  start(): void;
  /** Stops in an orderly way. */
  stop(): Promise<void>;
  /** Stops like a crash. */
  kill(): Promise<void>;
  /** Output of all runs. */
  output(): string;
}

const INGEST = "/internal/v1/ingest/events";

/** Replaces text that must be present: otherwise the test would no longer test the shipped configuration. */
export function replaceAll(text: string, changes: Readonly<Record<string, string>>): string {
  for (const [from, to] of Object.entries(changes)) {
    if (!text.includes(from)) throw new Error(`the shipped configuration no longer has ${from}`);
    text = text.replaceAll(from, to);
  }
  return text;
}

/** Installs `pieces` (`eve`, `zeek`, ...) of the syslog-ng transport. */
export async function installSyslogNg(setup: TransportSetup, pieces: readonly string[]): Promise<Transport> {
  const { dir, coreUrl, tokens, smallBuffer = false, tls } = setup;
  const etc = `${dir}/syslog-ng`;
  await Deno.mkdir(`${etc}/ndr/enabled`, { recursive: true });
  await Deno.mkdir(`${dir}/zeek`, { recursive: true });
  const shipped = (file: string) => Deno.readTextFile(`${SHIPPED}syslog-ng/${file}`);
  await Deno.writeTextFile(
    `${etc}/ndr.conf`,
    replaceAll(await shipped("ndr.conf"), { '@include "/etc/syslog-ng/ndr/': `@include "${etc}/ndr/` }),
  );
  await Deno.writeTextFile(
    `${etc}/ndr/settings.conf`,
    replaceAll(withRemote(await shipped("settings.conf"), tls), {
      [tls === undefined ? "http://127.0.0.1:8081" : "https://ndr.example.org:6515"]: coreUrl,
      '"/var/lib/syslog-ng"': `"${etc}"`,
      '"1073741824"': smallBuffer ? '"8388608"' : '"134217728"',
      '"67108864"': smallBuffer ? '"6291456"' : '"67108864"',
      'ndr-retry-seconds "5"': 'ndr-retry-seconds "1"',
      '"/var/log/suricata/eve.json"': `"${dir}/eve.json"`,
      '"/opt/zeek/logs/current"': `"${dir}/zeek"`,
      '"/var/spool/ndr/netflow/flows.json"': `"${dir}/flows.json"`,
      '"/var/lib/unbound/ndr.log"': `"${dir}/unbound.log"`,
      '"6514"': `"${setup.syslogPort ?? 6514}"`,
    }),
  );
  const lines = (await shipped("tokens.conf")).split("\n").map((line) => {
    const sensor = SENSORS.find((name) => line.startsWith(`@define ndr-token-${name} `));
    return sensor === undefined ? line : `@define ndr-token-${sensor} "${tokens[sensor] ?? "no token"}"`;
  });
  await Deno.writeTextFile(`${etc}/ndr/tokens.conf`, lines.join("\n"), { mode: 0o600 });
  for (const piece of pieces) {
    await Deno.copyFile(`${SHIPPED}syslog-ng/ndr.d/${piece}.conf`, `${etc}/ndr/enabled/${piece}.conf`);
  }
  await Deno.writeTextFile(`${etc}/main.conf`, `@version: 3.38\n@include "${etc}/ndr.conf"\n`);
  const paths = ["persist-file", "control", "pidfile"].map((name) => `--${name}=${etc}/${name}`);
  const args = ["--no-caps", `--cfgfile=${etc}/main.conf`, ...paths];
  const path = await programPath("syslog-ng");
  await runProgram(path, ["--syntax-only", ...args]);
  return new Restartable(() => startProgram(path, ["--foreground", "--stderr", ...args]));
}

/** The settings of another machine than the appliance, as their comment says. */
function withRemote(settings: string, tls: string | undefined): string {
  if (tls === undefined) return settings;
  return replaceAll(settings, {
    '@define ndr-url "http://127.0.0.1:8081/internal/v1/ingest/events"\n': "",
    '@define ndr-tls ""\n': "",
    "#@define": "@define",
    "/etc/syslog-ng/ndr/tls/": `${tls}/`,
  });
}

/** Installs the rsyslog transport with all sensors. */
export async function installRsyslog(setup: TransportSetup): Promise<Transport> {
  const { dir, coreUrl, tokens, smallBuffer = false } = setup;
  const etc = `${dir}/rsyslog`;
  for (const folder of ["work", "spool"]) await Deno.mkdir(`${etc}/${folder}`, { recursive: true });
  await Deno.mkdir(`${dir}/zeek`, { recursive: true });
  for (const [sensor, token] of Object.entries(tokens)) {
    await Deno.writeTextFile(`${etc}/${sensor}.token`, `${token}\n`, { mode: 0o600 });
  }
  const config = replaceAll(await Deno.readTextFile(`${SHIPPED}rsyslog/ndr.conf`), {
    "/usr/lib/ndr/ndr-post": `${SHIPPED}rsyslog/ndr-post`,
    [`http://127.0.0.1:8081${INGEST}`]: `${coreUrl}${INGEST}`,
    "/etc/ndr/transport/": `${etc}/`,
    "/var/spool/ndr/rsyslog": `${etc}/spool`,
    'queue.size="1000000"': smallBuffer ? 'queue.size="20000"' : 'queue.size="1000000"',
    'queue.fullDelayMark="950000"': smallBuffer
      ? 'queue.fullDelayMark="12000"'
      : 'queue.fullDelayMark="950000"',
    "/var/log/suricata/eve.json": `${dir}/eve.json`,
    "/opt/zeek/logs/current/": `${dir}/zeek/`,
    "/var/spool/ndr/netflow/flows.json": `${dir}/flows.json`,
    "/var/lib/unbound/ndr.log": `${dir}/unbound.log`,
  });
  await Deno.writeTextFile(`${etc}/ndr.conf`, config);
  await Deno.writeTextFile(
    `${etc}/main.conf`,
    `global(workDirectory="${etc}/work")\n$IncludeConfig ${etc}/ndr.conf\n`,
  );
  const path = await programPath("rsyslogd");
  // If unpacked rather than installed, its modules and libraries are in the same tree.
  const root = path.replace(/\/usr\/sbin\/rsyslogd$/, "");
  const libraries = `${root}/usr/lib/${Deno.build.arch}-linux-gnu`;
  const env: ProgramEnv = root === "" ? {} : { LD_LIBRARY_PATH: libraries };
  const args = ["-M", `${libraries}/rsyslog`, "-i", `${etc}/pid`, "-f", `${etc}/main.conf`];
  await runProgram(path, ["-N1", ...args], env);
  return new Restartable(() => startProgram(path, ["-n", ...args], env));
}

class Restartable implements Transport {
  #program: Program | null = null;
  #before = "";

  constructor(private readonly launch: () => Program) {}

  start(): void {
    this.#program = this.launch();
  }

  stop(): Promise<void> {
    return this.#end("SIGTERM");
  }

  kill(): Promise<void> {
    return this.#end("SIGKILL");
  }

  output(): string {
    return this.#before + (this.#program?.output() ?? "");
  }

  async #end(signal: Deno.Signal): Promise<void> {
    const program = this.#program;
    if (program === null) return;
    await program.stop(signal);
    this.#before += program.output();
    this.#program = null;
  }
}

/** syslog-ng's own count, since its start, of records that the core acknowledged, or that are queued. */
export async function counterOf(
  dir: string,
  destination: string,
  counter: "written" | "queued",
): Promise<number> {
  const control = `${dir}/syslog-ng/control`;
  // The control socket appears a moment after the start.
  if (!(await exists(control))) return 0;
  const stats = await runProgram(await programPath("syslog-ng-ctl"), ["stats", `--control=${control}`]);
  const found = new RegExp(`^dst\\.http;${destination}#0;.*;${counter};(\\d+)$`, "m").exec(stats);
  return Number(found?.[1] ?? 0);
}

/** The tokens of tenant `main`, by sensor kind. */
export function mainTokens(sources: readonly UpSource[]): TransportSetup["tokens"] {
  const tokens: Partial<Record<TransportSensor, string>> = {};
  for (const name of SENSORS) {
    tokens[name] = sources.find(({ sensor_id: id }) => id === `main-${name}`)?.token;
  }
  return tokens;
}
