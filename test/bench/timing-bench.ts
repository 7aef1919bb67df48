// `make bench ARGS=timing`: whether response times distinguish a foreign object from a missing one, or reveal how much of a
// signature is right. Both kinds are requested in random order; a pair of the same kind shows the noise.
//
//     --rounds 2000       requests per kind

import { Buffer } from "node:buffer";
import { migrate } from "../../src/store/engine/schema/migrate.ts";
import { PostgresDatabase } from "../../src/store/engine/postgres/postgres.ts";
import { SIGNED_HEADERS, signRequest, WEB_SERVICE } from "../../src/contract/request/signed-request.ts";
import { TEST_KEY } from "../contract/core.ts";
import { type Ids, World } from "../contract/isolation/world.ts";
import { ROUTES } from "../../src/contract/routes.ts";
import { startPostgres } from "../support/postgres.ts";

/** Sends one request and returns its status. */
type Ask = () => Promise<number>;
type Pair = [name: string, one: Ask, other: Ask];

const OBJECT_ROUTES = [
  "getDevice",
  "getIncident",
  "getFlowEvidence",
  "getSuppression",
  "getProposal",
  "patchDevice",
] as const;

export async function timingBench(args: string[]): Promise<void> {
  const at = args.indexOf("--rounds");
  const rounds = at < 0 ? 2000 : Number(args[at + 1]);
  const postgres = await startPostgres();
  if (!postgres) throw new Error("the bench needs PostgreSQL");
  const db = new PostgresDatabase({ url: postgres.url });
  try {
    await migrate(db);
    const world = await World.create(db);
    const rows = [["", "one", "other", "difference", "t"]];
    for (const pair of [...objectPairs(world), ...await signaturePairs(world)]) {
      rows.push(await measure(pair, rounds));
    }
    for (const row of rows) {
      console.log(row.map((cell, n) => n === 0 ? cell.padEnd(52) : cell.padStart(12)).join(""));
    }
    console.log(`\nMedians of ${rounds} requests each; |t| below 4.5 is no evidence of a difference.`);
  } finally {
    await db.close();
    await postgres.stop();
  }
}

function objectPairs(world: World): Pair[] {
  const ask = (id: (typeof OBJECT_ROUTES)[number], ids: Ids): Ask => async () => {
    const response = await world.api.core.send({ ...world.request(ROUTES[id], ids), roles: ["analyst"] });
    await response.body?.cancel();
    return response.status;
  };
  const [foreign, missing] = [world.ids("branch"), world.missing];
  return [
    ["noise: missing and missing device", ask("getDevice", missing), ask("getDevice", missing)],
    ...OBJECT_ROUTES.map((id): Pair => [`${id}: foreign and missing`, ask(id, foreign), ask(id, missing)]),
  ];
}

async function signaturePairs(world: World): Promise<Pair[]> {
  const now = world.api.clock.now();
  const headers = await signRequest(TEST_KEY, {
    method: "GET",
    pathname: "/api/v1/site",
    search: "",
    body: Buffer.alloc(0),
  }, {
    service: WEB_SERVICE,
    tenantId: "main",
    subject: "ada",
    roles: ["reader"],
    issuedAt: now,
    expiresAt: now + 60_000_000,
    nonce: crypto.randomUUID(),
  });
  const ask = (change: Record<string, string>): Ask => async () => {
    const sent = { ...headers, ...change };
    const response = await world.api.core.app.request("/api/v1/site", { headers: sent });
    await response.body?.cancel();
    return response.status;
  };
  const right = headers[SIGNED_HEADERS.signature]!;
  const flip = (index: number) => {
    const digit = (parseInt(right[index]!, 16) ^ 1).toString(16);
    return ask({ [SIGNED_HEADERS.signature]: right.slice(0, index) + digit + right.slice(index + 1) });
  };
  const zeros = ask({ [SIGNED_HEADERS.signature]: "0".repeat(64) });
  return [
    ["noise: one wrong signature and the same", flip(0), flip(0)],
    ["signature: wrong in its first and its last digit", flip(0), flip(63)],
    ["signature: wrong in all and in its last digit", zeros, flip(63)],
    [
      "claims: another tenant and another subject",
      ask({ [SIGNED_HEADERS.tenant]: "gone" }),
      ask({ [SIGNED_HEADERS.subject]: "eve" }),
    ],
  ];
}

/** Compares times in microseconds without the slowest tenth, which is noise of the machine. */
async function measure([name, one, other]: Pair, rounds: number): Promise<string[]> {
  const times: [number[], number[]] = [[], []];
  const statuses = new Set<number>();
  for (let round = -100; round < rounds; round++) {
    const order = Math.random() < 0.5 ? [0, 1] as const : [1, 0] as const;
    for (const which of order) {
      const begun = performance.now();
      statuses.add(await (which === 0 ? one : other)());
      if (round >= 0) times[which].push((performance.now() - begun) * 1000);
    }
  }
  if (statuses.size !== 1) throw new Error(`${name}: answered with ${[...statuses]}`);
  const [a, b] = times.map((all) => all.sort((x, y) => x - y).slice(0, Math.floor(all.length * 0.9)));
  const middle = (list: number[]) => list[Math.floor(times[0].length / 2)]!;
  const difference = middle(a!) - middle(b!);
  return [
    `${name} (${[...statuses]})`,
    `${middle(a!).toFixed(0)} us`,
    `${middle(b!).toFixed(0)} us`,
    `${difference.toFixed(1)} us`,
    welch(a!, b!).toFixed(2),
  ];
}

function welch(a: number[], b: number[]): number {
  const mean = (list: number[]) => list.reduce((sum, value) => sum + value, 0) / list.length;
  const spread = (list: number[]) => {
    const centre = mean(list);
    return list.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (list.length - 1) / list.length;
  };
  return (mean(a) - mean(b)) / Math.sqrt(spread(a) + spread(b));
}
