// The evidence of one flow that a few small requests made huge, through `ndr core` and `ndr web` as installed.

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { gzipSync } from "node:zlib";
import type { FlowObservation } from "../../../src/contract/flow/flow.ts";
import { INGEST_PATH, MAX_INGEST_BYTES } from "../../../src/contract/record/ingest.ts";
import { eventId } from "../../../src/domain/record/event-id.ts";
import { sha256Hex } from "../../../src/kit/hash.ts";
import { timeUuid } from "../../../src/kit/id.ts";
import { parseTimestamp } from "../../../src/kit/time.ts";
import { type Processes, startProcesses } from "../../support/processes.ts";
import { IS_SOAK, scaled } from "../../support/scale.ts";
import type { UpSource } from "../../support/up.ts";
import { delay, waitFor } from "../../support/transport/transport-programs.ts";
import { Browser } from "../../web/session/web-browser.ts";

/** The given input in `make soak`: 30 requests, 147 MB. */
const REQUESTS = scaled(3);
/** Just below the bound of a record that is understood. */
const RECORD_BYTES = 255 * 1024;
const RECORDS_PER_REQUEST = 19;
const MAX_PAGE_BYTES = 4 * 1024 * 1024;
/** The envelope around a page, and the observation that ends it. */
const ENVELOPE_BYTES = 16 * 1024;
/** Downloads of one large record at once, by clients that pause; a session may have 32 requests. */
const DOWNLOADS = 24;
const DOWNLOAD_ROUNDS = scaled(1);
/**
 * What a process may grow by, in MB; the core grew by up to 290, the web layer by 110. The whole evidence takes several times
 * its 147 MB when it is in memory at once, as do the downloads.
 */
const MAX_GROWTH = { core: 500, web: 250 };

const OBSERVED_AT = new Date(Date.now() - 60_000).toISOString();

function connection(number: number): string {
  const payload = {
    ts: OBSERVED_AT,
    uid: "CLarge1",
    "id.orig_h": "10.0.0.5",
    "id.orig_p": 50000,
    "id.resp_h": "198.51.100.7",
    "id.resp_p": 443,
    proto: "tcp",
    duration: 10,
    orig_bytes: number,
    resp_bytes: 4000,
    padding: "x".repeat(RECORD_BYTES - 500),
  };
  return JSON.stringify({ kind: "zeek.conn", observed_at: OBSERVED_AT, payload });
}

/** Sends a compressed request, after the waits that the source's rate demands. */
async function send(coreUrl: string, { token }: UpSource, lines: readonly string[]): Promise<number> {
  const body = gzipSync(lines.join("\n"));
  for (;;) {
    const response = await fetch(new URL(INGEST_PATH, coreUrl), {
      method: "POST",
      headers: {
        "authorization": `Bearer ${token}`,
        "content-type": "application/x-ndjson",
        "content-encoding": "gzip",
      },
      body,
    });
    const text = await response.text();
    if (response.status === 200) {
      assert.equal(JSON.parse(text).data.accepted, lines.length, text);
      return body.length;
    }
    assert.ok([429, 503].includes(response.status), text);
    await delay(1000 * Number(response.headers.get("retry-after") ?? 1));
  }
}

/** The highest resident memory of a process so far, in MB. */
async function peakMemory(pid: number): Promise<number> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)![1]) / 1024;
}

async function peaks({ pids }: Processes): Promise<{ core: number; web: number }> {
  return { core: await peakMemory(pids.core), web: await peakMemory(pids.web) };
}

async function assertGrowth(processes: Processes, before: { core: number; web: number }): Promise<void> {
  const now = await peaks(processes);
  const [core, web] = [Math.round(now.core - before.core), Math.round(now.web - before.web)];
  if (IS_SOAK) console.log(`grew by: core ${core} MB, web ${web} MB`);
  assert.ok(core <= MAX_GROWTH.core, `the core grew by ${core} MB`);
  assert.ok(web <= MAX_GROWTH.web, `the web layer grew by ${web} MB`);
}

Deno.test("evidence size: a flow with 147 MB of evidence is read in pages of 4 MB, and nothing is lost", async () => {
  const processes = await startProcesses();
  try {
    const [zeek] = processes.sources;
    const count = REQUESTS * RECORDS_PER_REQUEST;
    for (let request = 0; request < REQUESTS; request++) {
      const first = request * RECORDS_PER_REQUEST;
      const lines = Array.from({ length: RECORDS_PER_REQUEST }, (_, at) => connection(first + at));
      const sent = await send(processes.coreUrl, zeek!, lines);
      assert.ok(sent < 16 * 1024, `a request of ${sent} bytes`);
    }
    const browser = await new Browser(processes.baseUrl).signIn("reader");
    const flow = async () => {
      const { body } = await browser.json(
        `/api/v1/flows?from=${new Date(Date.now() - 3_600_000).toISOString()}`,
      );
      assert.ok(body.data.length <= 1, "one flow");
      return body.data[0];
    };
    await waitFor(
      async () => (await flow())?.observation_count === count,
      () => "the pipeline is not done",
      300,
    );

    const before = await peaks(processes);
    const found: FlowObservation[] = [];
    const path = `/api/v1/flows/${(await flow()).flow_id}/evidence`;
    let cursor: string | null = null;
    let pages = 0;
    do {
      const response = await browser.request(
        cursor === null ? path : `${path}?${new URLSearchParams({ cursor })}`,
      );
      const text = await response.text();
      assert.equal(response.status, 200, text.slice(0, 300));
      const size = Buffer.byteLength(text);
      assert.ok(size <= MAX_PAGE_BYTES + ENVELOPE_BYTES, `a page of ${size} bytes`);
      const page = JSON.parse(text);
      found.push(...page.data);
      cursor = page.next_cursor;
      pages++;
    } while (cursor !== null);
    assert.ok(pages > 1 || count < 60, `${pages} pages`);
    assert.equal(new Set(found.map((one) => one.counters!.src_to_dst.bytes)).size, count);
    assert.equal(new Set(found.map((one) => one.evidence_id)).size, count);

    for (const { evidence_id, counters, raw } of [found.at(0)!, found.at(-1)!]) {
      assert.equal(raw!.truncated, true);
      const whole = await browser.request(`/api/v1/evidence/${evidence_id}/raw`);
      const text = await whole.text();
      assert.equal(whole.status, 200, text.slice(0, 300));
      assert.equal(Buffer.byteLength(text), raw!.payload_bytes);
      assert.ok(connection(Number(counters!.src_to_dst.bytes)).endsWith(`"payload":${text}}`));
    }
    await assertGrowth(processes, before);
  } finally {
    await processes.stop();
  }
});

Deno.test("evidence size: clients that download a record of several MB slowly do not fill the memory", async () => {
  const processes = await startProcesses();
  try {
    const [zeek] = processes.sources;
    const payload = JSON.stringify({ uid: "CLarge2", padding: "x".repeat(MAX_INGEST_BYTES - 1000) });
    const line = `{"kind":"zeek.conn","observed_at":"${OBSERVED_AT}","payload":${payload}}`;
    await send(processes.coreUrl, zeek!, [line]);
    const observedAt = parseTimestamp(OBSERVED_AT)!;
    const id = eventId({
      tenantId: zeek!.tenant_id,
      sensorId: zeek!.sensor_id,
      kind: "zeek.conn",
      observedAtCanonical: observedAt.canonical,
      canonicalPayload: new TextEncoder().encode(`sha256:${sha256Hex(payload)}`),
    });
    const path = `/api/v1/evidence/${timeUuid(observedAt.micros, id)}/raw`;
    const admin = await new Browser(processes.baseUrl).signIn("admin");
    const digest = sha256Hex(await (await admin.request(path)).bytes());
    assert.equal(digest, sha256Hex(payload));

    const before = await peaks(processes);
    for (let round = 0; round < DOWNLOAD_ROUNDS; round++) {
      const started = await Promise.all(Array.from({ length: DOWNLOADS }, async () => {
        const response = await admin.request(path);
        assert.equal(response.status, 200);
        const reader = response.body!.getReader();
        return { reader, first: (await reader.read()).value! };
      }));
      for (const { reader, first } of started) {
        const parts = [first];
        for (let next = await reader.read(); !next.done; next = await reader.read()) parts.push(next.value);
        assert.equal(sha256Hex(Buffer.concat(parts)), digest);
      }
    }
    await assertGrowth(processes, before);
  } finally {
    await processes.stop();
  }
});
