// A short notation for series of records in the detectors' tests.
import type { PartyHit } from "../../../src/domain/intel/hits.ts";
import type { Facts } from "../../../src/domain/record/facts.ts";
import type { Count, Endpoint, Micros } from "../../../src/domain/record/observation.ts";
import type { Detector, Sighting } from "../../../src/domain/detect/kernel/detector.ts";
import { DAY, drive, type Driven, SECOND, sighting as make, SITE, T0, uuid } from "./detector-fixtures.ts";
import { type DetectorResult, roundScore } from "../../../src/domain/detect/kernel/result.ts";

/** A record; its endpoints are `ip` or `ip port`. */
export interface Seen {
  /** Seconds after T0, and its duration in seconds. */
  at?: number;
  seconds?: number;
  src?: string;
  dst?: string;
  proto?: string;
  /** `[bytes, packets]` of each direction; without `out` the record has no counters. */
  out?: readonly [Count | null, Count | null];
  in?: readonly [Count | null, Count | null];
  /** A record of one direction, as an exporter writes it. */
  exported?: boolean;
  service?: string | null;
  /** New bytes of a further observation of a known flow. */
  growth?: number;
  facts?: Facts;
  hits?: readonly PartyHit[];
  /** The address of a device that no earlier record shows. */
  firstOf?: string;
}

/** What is known about the site. */
export interface Setting {
  /** Names and confirmed types by address. */
  names?: Readonly<Record<string, string>>;
  types?: Readonly<Record<string, string>>;
  isInternal?: (ip: string) => boolean;
  networksAssumed?: boolean;
  deviceCount?: number;
  historySince?: Micros;
  /** Default: true. */
  learned?: boolean;
}

/** The record as detectors see it; its evidence and its flow are numbered `index`. */
export function toSighting(seen: Seen, index: number, setting: Setting = {}): Sighting {
  const { names = {}, types = {}, isInternal = SITE.isInternal } = setting;
  const observedAt = T0 + Math.round((seen.at ?? 0) * SECOND);
  const end = observedAt + Math.round((seen.seconds ?? 0) * SECOND);
  const proto = seen.proto ?? "tcp";
  const service = seen.service ?? null;
  const flowId = uuid(index, "9");
  const back = seen.exported ? undefined : seen.in;
  return make(seen.at ?? 0, endpoint(seen.src ?? "10.0.0.5 40000"), endpoint(seen.dst ?? "10.0.0.9 445"), {
    observation: {
      end,
      proto,
      service,
      facts: seen.facts ?? null,
      icmp: proto === "icmp" ? { type: 8, code: 0 } : null,
    },
    connection: seen.out === undefined ? null : {
      flowId,
      service,
      bytesOut: seen.out[0],
      packetsOut: seen.out[1],
      bytesIn: back?.[0] ?? null,
      packetsIn: back?.[1] ?? null,
      newBytesOut: seen.growth ?? Math.min(Number(seen.out[0] ?? 0), 2 ** 52),
      exporterDirection: seen.exported ?? false,
      first: seen.growth === undefined,
    },
    sighting: {
      evidence: { evidenceId: uuid(index), observedAt, flowId },
      hits: seen.hits ?? [],
      newDevices: seen.firstOf === undefined
        ? []
        : [{ deviceId: `device ${seen.firstOf}`, ip: seen.firstOf, inInventory: false }],
      deviceCount: setting.deviceCount ?? 20,
      historySince: setting.historySince ?? T0 - 30 * DAY,
      learned: setting.learned ?? true,
      site: {
        nameOf: (deviceId) => names[SITE.nameOf(deviceId)] ?? SITE.nameOf(deviceId),
        isInternal,
        networksAssumed: setting.networksAssumed ?? false,
        confirmedType: (deviceId) => types[SITE.nameOf(deviceId)] ?? null,
      },
    },
  });
}

function endpoint(text: string): Endpoint {
  const [ip = "", port] = text.split(" ");
  return { ip, port: port === undefined ? null : Number(port) };
}

interface Played extends Driven {
  /** The first result with the highest score; null if there is none. */
  best: DetectorResult | null;
}

/** Drives a detector with records, `round` at a time; all states are encoded and decoded between rounds. */
export function playSeen(
  detector: Detector,
  seen: readonly Seen[],
  setting: Setting = {},
  round = 1000,
): Played {
  const driven = drive([detector], seen.map((record, index) => toSighting(record, index, setting)), {
    round,
  });
  const best = driven.results.reduce<DetectorResult | null>(
    (a, b) => a === null || b.score > a.score ? b : a,
    null,
  );
  return { ...driven, best };
}

/** Points of a result's shares and modifiers: what its score must be. */
export function sumOf({ subScores, modifiers }: DetectorResult): number {
  const sum = [...subScores, ...modifiers].reduce((total, { value, weight }) => total + value * weight, 0);
  return roundScore(sum);
}

export function times<T>(count: number, one: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => one(index));
}
