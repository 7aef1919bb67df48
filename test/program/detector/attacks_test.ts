// Live attacks on a network of namespaces: iodine through the resolver, nmap, periodic callbacks and a large
// upload, next to users who browse. Sensors and transport are the real ones with the shipped configurations,
// and an analyst finds one incident per attack and nothing else.

import assert from "node:assert/strict";
import type { Incident, IncidentDetail } from "../../../src/contract/incident/incident.ts";
import type { HealthReport } from "../../../src/contract/health/health.ts";
import {
  browse,
  browseAndUpload,
  callBack,
  CALLBACKS,
  missingForTunnel,
  pushPackets,
  scan,
  SCANNED_PORTS,
  startOutside,
  tunnel,
  UPLOAD,
  upload,
} from "../../support/lab/lab-attacks.ts";
import {
  type Device,
  DEVICES,
  LabNetwork,
  OUTSIDE,
  PORT,
  SERVERS,
  TUNNEL_DOMAIN,
} from "../../support/lab/lab-network.ts";
import { canMakeNamespaces } from "../../support/transport/transport-network.ts";
import { delay, transportTest, waitFor } from "../../support/transport/transport-programs.ts";
import {
  counterOf,
  installSyslogNg,
  mainTokens,
  type Transport,
} from "../../support/transport/transports.ts";
import { type ApiClient, signIn, startUp, type Up } from "../../support/up.ts";

const NEEDS = {
  programs: ["syslog-ng", "softflowd", "nfacctd", "unbound", "ip", "iodined", "nmap"],
  root: true,
  also: async () =>
    await canMakeNamespaces() ? await missingForTunnel() : "the right to make network namespaces",
};

/**
 * The expected finding for a device: its detectors, minimum severity, and the text an analyst must be able to
 * read.
 */
interface Attack {
  device: Device;
  model: string;
  technique: RegExp;
  severities: readonly string[];
  /** Required in the title or the summary. */
  texts: readonly string[];
  /** Minimum number of observations, and required content of some of them. */
  evidence: number;
  shows: string;
}

const MEDIUM = ["medium", "high", "critical"];
const ATTACKS: readonly Attack[] = [
  {
    device: "tunneller",
    model: "dns-tunnel",
    technique: /^T1071\.004$/,
    severities: MEDIUM,
    texts: [DEVICES.tunneller, TUNNEL_DOMAIN.replace(/^t\./, "")],
    evidence: 4,
    shows: TUNNEL_DOMAIN,
  },
  {
    device: "scanner",
    model: "scan",
    technique: /^T1046$/,
    severities: MEDIUM,
    texts: [DEVICES.scanner, "445", SERVERS.server],
    evidence: 4,
    shows: "10.77.1.",
  },
  {
    device: "caller",
    model: "beacon",
    technique: /^T1071/,
    severities: MEDIUM,
    texts: [DEVICES.caller, `${OUTSIDE.controller}:${PORT}`],
    evidence: 10,
    shows: OUTSIDE.controller,
  },
  {
    device: "uploader",
    model: "exfiltration",
    technique: /^T1048|^T1041|^T1567/,
    severities: ["low", ...MEDIUM],
    texts: [DEVICES.uploader, `${OUTSIDE.dropSite}:${PORT}`],
    evidence: 1,
    shows: OUTSIDE.dropSite,
  },
];

await transportTest("live attacks are found, and nothing else", NEEDS, async () => {
  const dir = await Deno.makeTempDir({ prefix: "ndr-lab-" });
  const lab = await LabNetwork.create(dir);
  let up: Up | null = null;
  let transport: Transport | null = null;
  try {
    await lab.startSensors();
    await startOutside(lab);
    const attacks = Promise.all([
      tunnel(lab),
      scan(lab),
      callBack(lab),
      browseAndUpload(lab),
      browse(lab, "quiet"),
    ]);
    // Awaited below; an earlier rejection must not end the process.
    attacks.catch(() => {});

    await Deno.mkdir(`${dir}/state/etc`, { recursive: true });
    await Deno.writeTextFile(
      `${dir}/state/etc/sites.yaml`,
      "sites:\n  - tenant_id: main\n    networks: [10.77.0.0/16]\n",
    );
    up = await startUp({ stateDir: `${dir}/state`, sample: false, ownDatabase: true });
    const setup = { dir, coreUrl: up.coreUrl, tokens: mainTokens(up.sources) };
    transport = await installSyslogNg(setup, ["netflow", "unbound"]);
    transport.start();
    await attacks;
    await untilExported(lab);

    const person = await signIn(up.baseUrl, "admin");
    await untilProcessed(dir, person, () => `${lab.output()}\n${transport?.output()}\n${up?.output()}`);
    const incidents = await person.get<Incident[]>("/api/v1/incidents?limit=500");
    const listed = incidents.map(({ severity, score, model_ids: models, title }) =>
      `${severity} ${score} ${models.join(" ")}: ${title}`
    ).join("\n");
    const left = new Set(incidents.map(({ id }) => id));
    for (const attack of ATTACKS) {
      const found = incidents.filter(({ model_ids: models, title, summary }) =>
        models.includes(attack.model) && attack.texts.every((word) => `${title}\n${summary}`.includes(word))
      );
      assert.equal(found.length, 1, `${attack.model} of ${attack.device} among\n${listed}`);
      left.delete(found[0]!.id);
      await assertExplained(person, attack, found[0]!);
    }
    assert.equal(left.size, 0, `expected nothing else, but there are\n${listed}`);
    assert.equal((await person.get<HealthReport>("/api/v1/health")).ingest.rejected_last_5m, 0);
  } finally {
    await transport?.kill();
    await lab.remove();
    await up?.kill();
    await Deno.remove(dir, { recursive: true });
  }
});

/** The incident itself tells an analyst what it is about, why, and on what evidence. */
async function assertExplained(person: ApiClient, attack: Attack, { id }: Incident): Promise<void> {
  const detail = await person.get<IncidentDetail>(`/api/v1/incidents/${id}`);
  const { title, severity, device_names: names, evidence, model_results: results } = detail;
  assert.ok(attack.severities.includes(severity), `${title}: ${severity}`);
  assert.ok(Object.values(names).includes(DEVICES[attack.device]), JSON.stringify(names));
  // Unbound writes a truncated part of a name as `&`: that is not a domain.
  assert.doesNotMatch(`${title} ${detail.summary}`, /&/);
  const result = results.find(({ model_id: model }) => model === attack.model)!;
  assert.match(result.technique ?? "none", attack.technique);
  assert.ok(result.sub_scores.length > 0 && result.explanation.length > 40, title);
  assert.ok(evidence.length >= attack.evidence, `${title}: ${evidence.length} observations`);
  assert.deepEqual(detail.unresolved_evidence_ids, []);
  assert.ok(evidence.some(({ summary }) => summary.includes(attack.shows)), JSON.stringify(evidence[0]));
}

interface ExportedFlow {
  ip_src: string;
  ip_dst: string;
  port_dst: number;
  bytes: number;
}

/** Number of checks of softflowd's output before missing traffic counts as lost: it receives packets late. */
const PATIENCE = 6;

/**
 * Waits until softflowd has exported all the traffic: it receives packets late, and some only when more
 * follow. Packets it gets no CPU time for are lost for good, so the missing traffic is repeated once.
 */
async function untilExported(lab: LabNetwork): Promise<void> {
  let missing: Missing = { upload: 0, ports: 0, callbacks: 0 };
  let polls = 0;
  await waitFor(
    async () => {
      if (polls++ === PATIENCE) await again(lab, missing);
      await pushPackets(lab);
      await delay(500);
      await lab.expireFlows();
      await delay(1500);
      missing = missingOf((await linesOf(`${lab.dir}/flows.json`)).map((line) => JSON.parse(line)));
      return Object.values(missing).every((count) => count === 0);
    },
    () => `${lab.output()}\nnot exported: ${JSON.stringify(missing)}`,
    90,
  );
}

/** Bytes, ports and connections missing from the exports. */
interface Missing {
  upload: number;
  ports: number;
  callbacks: number;
}

async function again(lab: LabNetwork, { upload: bytes, ports, callbacks }: Missing): Promise<void> {
  if (bytes > 0) await upload(lab, bytes);
  if (ports > 0) await scan(lab);
  if (callbacks > 0) await callBack(lab, callbacks);
}

function missingOf(flows: readonly ExportedFlow[]): Missing {
  const from = (device: Device, to: string) =>
    flows.filter(({ ip_src: src, ip_dst: dst }) => src === DEVICES[device] && dst === to);
  const uploaded = from("uploader", OUTSIDE.dropSite).reduce((sum, { bytes }) => sum + bytes, 0);
  const ports = new Set(from("scanner", SERVERS.server).map(({ port_dst: port }) => port));
  const callbacks = from("caller", OUTSIDE.controller).length;
  return {
    // A few packets are lost when the machine is busy.
    upload: uploaded < UPLOAD.bytes * 0.9 ? UPLOAD.bytes - uploaded : 0,
    ports: ports.size < SCANNED_PORTS * 0.9 ? SCANNED_PORTS - ports.size : 0,
    callbacks: Math.max(0, CALLBACKS.count - callbacks),
  };
}

/** Waits until every line of the sensors is acknowledged and the pipeline has processed everything. */
async function untilProcessed(dir: string, person: ApiClient, logs: () => string): Promise<void> {
  const replies = async () =>
    (await linesOf(`${dir}/unbound.log`)).filter((line) => line.includes(" reply: ")).length;
  await waitFor(
    async () => {
      if (await counterOf(dir, "d_ndr_netflow", "written") < (await linesOf(`${dir}/flows.json`)).length) {
        return false;
      }
      if (await counterOf(dir, "d_ndr_unbound", "written") < await replies()) return false;
      const { ingest } = await person.get<HealthReport>("/api/v1/health");
      return ingest.oldest_buffered_at === null;
    },
    logs,
    90,
  );
}

async function linesOf(path: string): Promise<string[]> {
  return (await Deno.readTextFile(path)).split("\n").filter((line) => line !== "");
}
