// `labels.yaml` of a capture: its origin, how to replay it, and its scenarios. README.md explains each key.

import { dirname, resolve } from "node:path";
import { z } from "zod";
import { Faults } from "../../src/config/yaml/faults.ts";
import { type ConfigInput, readText, systemInput } from "../../src/config/yaml/input.ts";
import { section, YamlFile } from "../../src/config/yaml/yaml.ts";
import {
  RECORD_KINDS,
  type RecordKind,
  TRUST_CLASSES,
  type TrustClass,
} from "../../src/contract/record/kinds.ts";
import { canonicalIp, parseCidr } from "../../src/kit/net/ip.ts";
import { MODEL_IDS } from "./models.ts";

export const LABELS_FILE = "labels.yaml";

const VERDICTS = ["benign", "malicious", "unlabelled"] as const;
export type Verdict = (typeof VERDICTS)[number];

/** A file to replay. */
interface CaptureFile {
  /** Absolute path. */
  path: string;
  /** Kind of all records; null if the replay detects it. */
  kind: RecordKind | null;
  shiftSeconds: number;
}

interface CaptureSensor {
  sensorId: string;
  trust: TrustClass;
  files: CaptureFile[];
}

/** Something in the capture that must be found. */
export interface Scenario {
  id: string;
  text: string;
  /** MITRE ATT&CK technique. */
  technique: string;
  /** `stated` by the capture's origin, or `inferred` from its records. */
  howKnown: "stated" | "inferred";
  /** Models that may find it; the first is the expected one. */
  detectors: string[];
  /** Addresses of which the incident must concern one. */
  devices: string[];
  /** Addresses or names of which the incident must name one; empty for any. */
  peers: string[];
  /** Why the records cannot show it; null if they can. */
  invisible: string | null;
  /** Jitter of its callbacks in percent, if it is known. */
  jitter?: number;
}

/** Something that an incident may report without being false. */
export interface Tolerated {
  detectors: string[];
  /** Empty for any device. */
  devices: string[];
  /** Empty for any peer. */
  peers: string[];
  reason: string;
}

/** Ordinary activity that resembles an attack: no detector may raise an incident of `medium` or higher about it. */
export interface Lookalike {
  id: string;
  text: string;
  /** The models that could mistake it. */
  detectors: string[];
  /** Addresses that it concerns; empty for any device. */
  devices: string[];
  /** Empty for any peer. */
  peers: string[];
}

export interface Labels {
  title: string;
  /** CIDRs of the site; null for the private ranges. */
  networks: string[] | null;
  sensors: CaptureSensor[];
  order: "time" | "listed";
  verdict: Verdict;
  scenarios: Scenario[];
  tolerated: Tolerated[];
  lookalikes: Lookalike[];
}

const Text = z.string().trim().min(1);
const Name = z.string().regex(/^[a-z0-9][a-z0-9-]*$/, "expected lower case letters, digits and hyphens");

const Address = z.string().superRefine((text, context) => {
  const canonical = canonicalIp(text);
  if (canonical === text) return;
  const message = canonical === null
    ? `expected an address, got "${text}"`
    : `expected the canonical address ${canonical}, got "${text}"`;
  context.addIssue({ code: "custom", message });
});

const Network = z.string().refine(
  (text) => parseCidr(text) !== null,
  "expected a network such as 10.0.0.0/8",
);
const Addresses = z.union([Address.transform((one) => [one]), z.array(Address).min(1)], {
  error: "expected an address or a list of addresses",
});
const Peers = z.union([Text.transform((one) => [one]), z.array(Text).min(1)], {
  error: "expected an address or a name, or a list of these",
});
const Detectors = z.array(z.enum(MODEL_IDS)).min(1);

const File = z.union([
  Text.transform((file) => ({ file, kind: undefined, shift_seconds: undefined })),
  section({ file: Text, kind: z.enum(RECORD_KINDS).optional(), shift_seconds: z.int().optional() }),
], { error: "expected a file name, or a mapping of file, kind, shift_seconds" });

const Shape = section({
  title: Text,
  origin: z.array(section({ from: Text, licence: Text })).min(1),
  networks: z.array(Network).min(1).nullable().optional(),
  sensors: z.array(section({
    sensor_id: Name,
    trust: z.enum(TRUST_CLASSES).optional(),
    files: z.array(File).min(1),
  })).min(1),
  order: z.enum(["time", "listed"]).optional(),
  verdict: z.enum(VERDICTS),
  scenarios: z.array(section({
    id: Name,
    text: Text,
    technique: z.string().regex(/^T\d{4}(\.\d{3})?$/, "expected a technique such as T1071.004"),
    how_known: z.enum(["stated", "inferred"]),
    detectors: Detectors,
    device: Addresses,
    peer: Peers.optional(),
    visible: z.boolean().optional(),
    why: Text.optional(),
  })).optional(),
  tolerated: z.array(section({
    detectors: Detectors,
    device: Addresses.optional(),
    peer: Peers.optional(),
    reason: Text,
  })).optional(),
  lookalikes: z.array(section({
    id: Name,
    text: Text,
    detectors: Detectors,
    device: Addresses.optional(),
    peer: Peers.optional(),
  })).optional(),
});

/** Null, with the faults reported, if the file is missing or invalid. */
export function readLabels(path: string, faults: Faults, input: ConfigInput = systemInput): Labels | null {
  const before = faults.list.length;
  const text = readText(input, path, faults);
  if (text !== null) return parseLabels(text, path, faults);
  if (faults.list.length === before) {
    faults.add({ file: path, line: null, column: null }, "expected a file, but it does not exist");
  }
  return null;
}

/** @param path Path of the file; paths in it are relative to its folder. */
export function parseLabels(text: string, path: string, faults: Faults): Labels | null {
  const file = YamlFile.parse(text, path, faults);
  const shape = file?.whole(Shape) ?? null;
  if (file === null || shape === null) return null;
  const before = faults.list.length;
  checkScenarios(file, shape);
  checkSensors(file, shape, dirname(path));
  if (faults.list.length > before) return null;
  return toLabels(shape, dirname(path));
}

type Shape = z.infer<typeof Shape>;

function toLabels(shape: Shape, folder: string): Labels {
  return {
    title: shape.title,
    networks: shape.networks ?? null,
    sensors: shape.sensors.map((sensor) => ({
      sensorId: sensor.sensor_id,
      trust: sensor.trust ?? "packet",
      files: sensor.files.map(({ file, kind, shift_seconds }) => ({
        path: resolve(folder, file),
        kind: kind ?? null,
        shiftSeconds: shift_seconds ?? 0,
      })),
    })),
    order: shape.order ?? "time",
    verdict: shape.verdict,
    scenarios: (shape.scenarios ?? []).map(({ how_known, device, visible, why, peer, ...same }) => ({
      ...same,
      howKnown: how_known,
      devices: device,
      peers: peer ?? [],
      invisible: visible === false ? why ?? "" : null,
    })),
    tolerated: (shape.tolerated ?? []).map(({ detectors, device, peer, reason }) => ({
      detectors,
      devices: device ?? [],
      peers: peer ?? [],
      reason,
    })),
    lookalikes: (shape.lookalikes ?? []).map(({ id, text, detectors, device, peer }) => ({
      id,
      text,
      detectors,
      devices: device ?? [],
      peers: peer ?? [],
    })),
  };
}

function checkScenarios(file: YamlFile, { verdict, scenarios = [] }: Shape): void {
  if (verdict === "malicious" && scenarios.length === 0) {
    file.fault(["verdict"], "expected at least one of scenarios in a malicious capture");
  }
  if (verdict === "benign" && scenarios.length > 0) {
    file.fault(["scenarios"], "expected none in a benign capture");
  }
  for (const [index, { id, visible, why }] of scenarios.entries()) {
    const first = scenarios.findIndex((other) => other.id === id);
    if (first !== index) {
      file.fault(["scenarios", index, "id"], `expected ids that differ, but scenarios[${first}] has it too`);
    }
    if (visible === false && why === undefined) {
      file.fault(["scenarios", index, "visible"], "expected a why beside it: what the records cannot show");
    }
    if (visible !== false && why !== undefined) {
      file.fault(["scenarios", index, "why"], "expected only where visible is false");
    }
  }
}

function checkSensors(file: YamlFile, { sensors }: Shape, folder: string): void {
  for (const [index, { sensor_id, files }] of sensors.entries()) {
    const first = sensors.findIndex((other) => other.sensor_id === sensor_id);
    if (first !== index) {
      file.fault(
        ["sensors", index, "sensor_id"],
        `expected one entry a sensor, but sensors[${first}] has it too`,
      );
    }
    for (const [place, { file: name }] of files.entries()) {
      const path = resolve(folder, name);
      if (!isFile(path)) {
        file.fault(["sensors", index, "files", place], `expected a file, but ${path} is none`);
      }
    }
  }
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
