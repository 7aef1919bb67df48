// The core is stopped while sensors continue to write, and restarted: nothing is lost or duplicated.

import { type AddressInfo, createServer } from "node:net";
import { openDatabase } from "../../../src/store/engine/open.ts";
import { freshPostgres, POSTGRES_URL } from "../../support/database.ts";
import { scaled } from "../../support/scale.ts";
import { append } from "../../support/transport/transport-files.ts";
import { delay, transportTest, waitFor } from "../../support/transport/transport-programs.ts";
import {
  counterOf,
  installSyslogNg,
  mainTokens,
  type Transport,
} from "../../support/transport/transports.ts";
import { startUp, type Up } from "../../support/up.ts";
import { assertSame, readStored } from "../../pipeline/transport/transport-delivery.ts";

const SECONDS = scaled(10);
const PER_SECOND = 600;

await transportTest(
  `an outage of the core of ${SECONDS} s under load loses nothing and duplicates nothing`,
  { programs: ["syslog-ng"] },
  async () => {
    const dir = await Deno.makeTempDir({ prefix: "ndr-outage-" });
    const server = POSTGRES_URL === "" ? null : await freshPostgres();
    const options = {
      stateDir: `${dir}/state`,
      sample: false,
      databaseUrl: server?.url,
      // The same after each start, because the transport expects it.
      env: { NDR_CORE_LISTEN: `127.0.0.1:${await freePort()}` },
    };
    let up: Up = await startUp(options);
    const setup = { dir, coreUrl: up.coreUrl, tokens: mainTokens(up.sources), smallBuffer: true };
    const transport: Transport = await installSyslogNg(setup, ["eve", "zeek"]);
    const load = new Load(dir);
    try {
      transport.start();
      const writing = load.run();
      await waitFor(
        async () => await counterOf(dir, "d_ndr_zeek", "written") > 0,
        () => transport.output(),
        60,
      );
      await up.stop();
      await delay((SECONDS * 1000) / 2);
      // The transport is killed, too, with data in its buffer.
      await transport.kill();
      transport.start();
      await delay((SECONDS * 1000) / 2);
      up = await startUp(options);
      await delay(1000);
      load.stop();
      await writing;
      await untilDelivered(dir, load, transport);
      await up.stop();
      const db = await openDatabase(server?.url ?? `embedded:${dir}/state/database`);
      try {
        assertSame((await readStored(db)).map(({ payload }) => payload), load.lines());
      } finally {
        await db.close();
      }
    } finally {
      load.stop();
      await transport.kill();
      await up.kill();
      await server?.drop();
      await Deno.remove(dir, { recursive: true });
    }
  },
);

/** Two sensors that write continuously; every record is distinct. */
class Load {
  readonly #files: { path: string; lines: string[] }[];
  #stopped = false;

  constructor(dir: string) {
    this.#files = [{ path: `${dir}/zeek/conn.log`, lines: [] }, { path: `${dir}/eve.json`, lines: [] }];
  }

  async run(): Promise<void> {
    const [zeek, suricata] = this.#files;
    for (let number = 0; !this.#stopped;) {
      const [conns, alerts]: [string[], string[]] = [[], []];
      for (const end = number + PER_SECOND / 10; number < end; number++) {
        conns.push(connection(number));
        if (number % 3 === 0) alerts.push(dnsEvent(number));
      }
      zeek!.lines.push(...conns);
      suricata!.lines.push(...alerts);
      await append(zeek!.path, conns, number);
      await append(suricata!.path, alerts, number);
      await delay(100);
    }
  }

  stop(): void {
    this.#stopped = true;
  }

  lines(): string[] {
    return this.#files.flatMap(({ lines }) => lines);
  }
}

function connection(number: number): string {
  const ts = `${1_767_323_045 + Math.floor(number / 1000)}.${String(number % 1000).padStart(3, "0")}001`;
  return `{"ts":${ts},"uid":"C${number}","id.orig_h":"10.0.${number % 7}.${number % 200}",` +
    `"id.orig_p":${1024 + (number % 60_000)},"id.resp_h":"192.0.2.${
      number % 50
    }","id.resp_p":443,"proto":"tcp",` +
    `"duration":1.50,"orig_bytes":${number},"resp_bytes":9007199254740993,"conn_state":"SF"}`;
}

function dnsEvent(number: number): string {
  const time = new Date(1_767_323_045_000 + number).toISOString().replace("Z", "000+0000");
  return `{"timestamp":"${time}","flow_id":${
    2n ** 63n + BigInt(number)
  },"event_type":"dns","src_ip":"10.0.0.9",` +
    `"src_port":5353,"dest_ip":"192.0.2.53","dest_port":53,"proto":"UDP",` +
    `"dns":{"version":2,"type":"query","id":${number % 65_536},"rrname":"h${number}.example","rrtype":"A"}}`;
}

/** Waits until syslog-ng's queues are empty and no more lines are read from the files. */
async function untilDelivered(dir: string, load: Load, transport: Transport): Promise<void> {
  const sum = async (counter: "written" | "queued") =>
    await counterOf(dir, "d_ndr_zeek", counter) + await counterOf(dir, "d_ndr_eve", counter);
  let written = -1;
  await waitFor(
    async () => {
      const before = written;
      written = await sum("written");
      const idle = written > 0 && written === before && await sum("queued") === 0;
      if (!idle) await delay(1000);
      return idle;
    },
    () => `${load.lines().length} written, ${written} acknowledged\n${transport.output().slice(-2000)}`,
    60 + SECONDS * 4,
  );
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
