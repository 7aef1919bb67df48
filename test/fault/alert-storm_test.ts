// Alert storms through ingest and pipeline: sources that change with each record, and the addresses of one IPv6 /64.
// They open a bounded number of incidents, count everything, and do not change when the program is killed meanwhile.

import assert from "node:assert/strict";
import type { HealthReport } from "../../src/contract/health/health.ts";
import type { IncidentDetail } from "../../src/contract/incident/incident.ts";
import { type Campaign, MAX_OPENED_PER_HOUR, MAX_SHOWN_SOURCES } from "../../src/domain/incident/campaign.ts";
import { DEFAULT_ENGINES } from "../support/database.ts";
import { IS_SOAK, scaled } from "../support/scale.ts";
import { assertSameSnapshot, type Snapshot } from "../support/record/snapshot.ts";
import { signIn, type Up } from "../support/up.ts";
import { killedReplay, killReport, totals } from "./killed-replay.ts";

/** In full: 50,000 records, two from each source. */
const RECORDS = Math.min(50_000, scaled(5_000));
const SOURCES = RECORDS / 2;
/** In full: 1,500 addresses of one /64. */
const SOURCES_OF_PREFIX = Math.min(1_500, scaled(150));
const PREFIX = "2001:db8:26:1::";
const KILLS = scaled(3);

/** An hour that has passed, because bounds and health count per hour of source time. */
const HOUR = 3_600_000;
const START = Math.floor(Date.now() / HOUR) * HOUR - HOUR;

interface Alert {
  src: string;
  dst: string;
  signature: string;
  category: string;
}

function eveLine({ src, dst, signature, category }: Alert, number: number): string {
  return JSON.stringify({
    timestamp: new Date(START + number * (HOUR / 60_000)).toISOString(),
    flow_id: 1_000_000 + number,
    event_type: "alert",
    src_ip: src,
    src_port: 1_024 + number % 60_000,
    dest_ip: dst,
    dest_port: 443,
    proto: "TCP",
    alert: { action: "allowed", gid: 1, signature_id: 2_018_000, rev: 1, signature, category, severity: 1 },
  });
}

const EXPLOIT = {
  signature: "ET EXPLOIT Possible overflow",
  category: "Attempted Administrator Privilege Gain",
};

/** Two alerts for each forged source; the targets are the other parties of a detector's key, so they change as well. */
function changingSources(): Alert[] {
  return Array.from({ length: RECORDS }, (_, number) => {
    const source = number % SOURCES;
    const rest = `${source >> 8 & 255}.${source & 255}`;
    return { src: `198.51.${rest}`, dst: `203.0.${rest}`, ...EXPLOIT };
  });
}

function addressesOfPrefix(): Alert[] {
  return Array.from({ length: SOURCES_OF_PREFIX }, (_, number) => ({
    src: "192.0.2.1",
    dst: `${PREFIX}${(number + 1).toString(16)}`,
    ...EXPLOIT,
  }));
}

/** A compromised device, in the middle of the storm. */
const STRONG: Alert = {
  src: "10.26.0.5",
  dst: "192.0.2.80",
  signature: "ET MALWARE Zbot CnC Checkin",
  category: "A Network Trojan was detected",
};

async function stormFile(): Promise<string> {
  const alerts = changingSources().toSpliced(RECORDS / 2, 0, ...addressesOfPrefix(), STRONG);
  const path = await Deno.makeTempFile({ prefix: "ndr-storm-", suffix: ".ndjson" });
  await Deno.writeTextFile(path, alerts.map(eveLine).join("\n"));
  return path;
}

type StoredIncident = {
  title: string;
  summary: string;
  severity: string;
  campaign: Campaign | null;
};

function incidentsOf({ incident }: Snapshot): StoredIncident[] {
  return incident!.map((row) => JSON.parse(row));
}

async function inspect(up: Up): Promise<void> {
  const admin = await signIn(up.baseUrl, "admin");
  const { components } = await admin.get<HealthReport>("/api/v1/health");
  const { status, message } = components.find(({ id }) => id === "pipeline")!;
  assert.equal(status, "ok");
  assert.match(message!, /^[0-9]+ results of the last 24 hours joined campaign incidents, because the bound/);
  const incidents = await admin.get<{ id: string; title: string }[]>(
    `/api/v1/incidents?limit=100&from=${new Date(START).toISOString()}`,
  );
  const { id } = incidents.find(({ title }) => title.includes("further sources"))!;
  const detail = await admin.get<IncidentDetail>(`/api/v1/incidents/${id}`);
  assert.deepEqual([detail.evidence.length, detail.evidence_truncated], [MAX_SHOWN_SOURCES, true]);
}

for (const engine of DEFAULT_ENGINES) {
  Deno.test(`a storm of changing sources opens bounded incidents, with kill -9 too (${engine})`, async () => {
    const file = await stormFile();
    const recordings = [{ sensor: "main-suricata", files: [file] }];
    const undisturbed = await killedReplay(engine, { recordings, kills: 0, batchLines: 1_000, inspect });
    const killed = await killedReplay(engine, { recordings, kills: KILLS, batchLines: 20, inspect });
    await Deno.remove(file);
    const [calm, rough] = [totals(undisturbed.results), totals(killed.results)];
    const summary = killReport(killed.kills, rough);
    if (IS_SOAK) console.log(`${engine}: ${summary}`);

    assert.equal(calm.accepted, RECORDS + SOURCES_OF_PREFIX + 1);
    const incidents = incidentsOf(undisturbed.taken);
    const campaigns = incidents.filter(({ campaign }) => campaign !== null);
    assert.equal(campaigns.length, 1);
    const { campaign, summary: text } = campaigns[0]!;
    // The whole /64 is one of the sources.
    const joined = SOURCES + 1 - MAX_OPENED_PER_HOUR;
    assert.deepEqual([campaign!.sources, campaign!.first.length], [joined, MAX_SHOWN_SOURCES]);
    // Both alerts of a source are a result each, and those of the /64 at 1, 2, 5, 10, ... alerts.
    assert.ok(campaign!.results > 2 * (joined - 1), `${campaign!.results} results`);
    assert.match(
      text,
      new RegExp(`^${joined} further sources joined this incident with ${campaign!.results} results,`),
    );
    const ofPrefix = incidents.filter(({ title }) => title.includes(PREFIX));
    assert.ok(ofPrefix.length <= 1, `${ofPrefix.length} incidents of one /64`);
    assert.deepEqual(incidents.filter(({ severity }) => severity !== "low").map(({ title }) => title), [
      "Malware traffic of 10.26.0.5 (ET MALWARE)",
    ]);
    assert.equal(incidents.length, MAX_OPENED_PER_HOUR + 2);

    assert.equal(rough.accepted + rough.duplicates, calm.accepted + calm.duplicates, summary);
    assertSameSnapshot(killed.taken, undisturbed.taken, summary);
    assert.ok(killed.kills.some(({ behind }) => behind === true), `no kill hit the pipeline: ${summary}`);
  });
}
