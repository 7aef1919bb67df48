// Real packets on a real wire: softflowd and nfacctd export flows, Unbound logs lookups, syslog-ng delivers
// both to the real program, and a user sees them.

import assert from "node:assert/strict";
import { openDatabase } from "../../../src/store/engine/open.ts";
import { freshPostgres, POSTGRES_URL } from "../../support/database.ts";
import {
  canMakeNamespaces,
  CLIENT,
  HTTP_PORT,
  NAME,
  SERVER,
  TestNetwork,
} from "../../support/transport/transport-network.ts";
import { delay, transportTest, waitFor } from "../../support/transport/transport-programs.ts";
import {
  counterOf,
  installSyslogNg,
  mainTokens,
  type Transport,
} from "../../support/transport/transports.ts";
import { type ApiClient, signIn, startUp, type Up } from "../../support/up.ts";
import { assertSame, readStored } from "../../pipeline/transport/transport-delivery.ts";

const NEEDS = {
  programs: ["syslog-ng", "softflowd", "nfacctd", "unbound", "ip"],
  root: true,
  also: async () => await canMakeNamespaces() ? null : "the right to make network namespaces",
};

interface FlowView {
  flow_id: string;
  src: { ip: string; port: number };
  dst: { ip: string; port: number };
  proto: string;
  sources: string[];
  counters: { src_to_dst: { bytes: number | null } };
}

await transportTest("flows and lookups of real traffic reach a user", NEEDS, async () => {
  const dir = await Deno.makeTempDir({ prefix: "ndr-live-" });
  const server = POSTGRES_URL === "" ? null : await freshPostgres();
  const network = await TestNetwork.create(dir);
  let up: Up | null = null;
  let transport: Transport | null = null;
  try {
    await network.startServer();
    up = await startUp({ stateDir: `${dir}/state`, sample: false, databaseUrl: server?.url });
    const setup = { dir, coreUrl: up.coreUrl, tokens: mainTokens(up.sources) };
    transport = await installSyslogNg(setup, ["netflow", "unbound"]);
    transport.start();
    const logs = () => `${network.output()}\n${transport?.output()}`;
    const person = await signIn(up.baseUrl, "reader");
    let flows: FlowView[] = [];
    await waitFor(
      async () => {
        // softflowd sees packets only when libpcap's buffer is full, so traffic continues until it has.
        await network.visit();
        await delay(500);
        await network.expireFlows();
        flows = await person.get<FlowView[]>("/api/v1/flows?limit=500");
        return hasDownload(flows) && flows.some(isLookup);
      },
      () => `${flows.length} flows\n${logs()}`,
      60,
    );
    await assertLookup(person, flows.find(isLookup)!);

    // Everything the sensors wrote is stored exactly once.
    await network.stopServer();
    const exported = await linesOf(`${dir}/flows.json`);
    const replies = (await linesOf(`${dir}/unbound.log`)).filter((line) => line.includes(" reply: "));
    await waitFor(
      async () =>
        await counterOf(dir, "d_ndr_netflow", "written") === exported.length &&
        await counterOf(dir, "d_ndr_unbound", "written") === replies.length,
      logs,
      60,
    );
    await up.stop();
    const db = await openDatabase(server?.url ?? `embedded:${dir}/state/database`);
    try {
      // Replies to identical queries within one second are identical lines, and thus one record.
      const messages = [...new Set(replies)].map((message) => JSON.stringify({ message }));
      assertSame((await readStored(db)).map(({ payload }) => payload), [...exported, ...messages]);
    } finally {
      await db.close();
    }
  } finally {
    await transport?.kill();
    await network.remove();
    await up?.kill();
    await server?.drop();
    await Deno.remove(dir, { recursive: true });
  }
});

/**
 * The exporter reports each direction separately, softflowd splits flows when it expires them, and records of
 * one flow are joined: the mebibyte may be spread over several flows, each with the counters of one
 * direction.
 */
function hasDownload(flows: readonly FlowView[]): boolean {
  const bytes = flows
    .filter(({ src, dst, proto, sources }) =>
      src.ip === SERVER && src.port === HTTP_PORT && dst.ip === CLIENT && proto === "tcp" &&
      sources.includes("netflow")
    )
    .map(({ counters }) => counters.src_to_dst.bytes ?? 0);
  return bytes.reduce((sum, count) => sum + count, 0) > 1024 * 1024;
}

function isLookup(flow: FlowView): boolean {
  return flow.src.ip === CLIENT && flow.sources.includes("unbound");
}

async function assertLookup(person: ApiClient, { flow_id: id }: FlowView): Promise<void> {
  const evidence = await person.get<{ kind: string; source: string; summary: string }[]>(
    `/api/v1/flows/${id}/evidence`,
  );
  const [item] = evidence;
  assert.deepEqual([item?.kind, item?.source], ["dns", "unbound"]);
  assert.ok(item!.summary.includes(NAME), item!.summary);
}

async function linesOf(path: string): Promise<string[]> {
  return (await Deno.readTextFile(path)).split("\n").filter((line) => line !== "");
}
