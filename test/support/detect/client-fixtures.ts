// Sightings of TLS, HTTP and connections to servers, for the detectors of unusual clients.
import { dnsFacts, tlsFacts } from "../domain/flow-fixtures.ts";
import type { HttpFacts, TlsFacts } from "../../../src/domain/record/facts.ts";
import type { Detector, Sighting } from "../../../src/domain/detect/kernel/detector.ts";
import { drive, sighting, type SightingParts } from "./detector-fixtures.ts";
import type { DetectorResult } from "../../../src/domain/detect/kernel/result.ts";

const DEVICE = "10.0.0.5";
export const SERVER = "203.0.113.7";

export const SELF_SIGNED = { subject: "CN=srv.test,O=Home", issuer: "CN=srv.test,O=Home" };

export interface To {
  from?: string;
  ip?: string;
  port?: number;
  sighting?: SightingParts["sighting"];
}

const PORT = 50_000;

export function tls(seconds: number, change: Partial<TlsFacts>, to: To = {}): Sighting {
  const observation = {
    facts: tlsFacts({ version: "TLS 1.2", established: true, ...change }),
    service: "ssl",
    evidenceKind: "tls",
    kind: "zeek.ssl",
  } as const;
  return ends(seconds, to, 443, { observation, sighting: to.sighting });
}

export function http(seconds: number, change: Partial<HttpFacts>, to: To = {}): Sighting {
  const facts: HttpFacts = {
    type: "http",
    method: "GET",
    host: null,
    uri: "/",
    userAgent: "Mozilla/5.0",
    referrer: null,
    version: "1.1",
    status: 200,
    contentType: "text/html",
    requestBytes: null,
    responseBytes: 7168,
    username: null,
    ...change,
  };
  const observation = { facts, service: "http", evidenceKind: "http", kind: "zeek.http" } as const;
  return ends(seconds, to, 80, { observation, sighting: to.sighting });
}

/** A program download of which the sensor sees only the responses. */
export const PROGRAM = {
  method: null,
  host: null,
  uri: null,
  userAgent: null,
  contentType: "application/x-dosexec",
} as const;

/** A lookup of a name with the server's address as answer. */
export function lookedUp(seconds: number, query: string, { from = DEVICE, ip = SERVER }: To = {}): Sighting {
  const facts = dnsFacts({ query, answers: [ip] });
  const observation = { facts, service: "dns", proto: "udp", kind: "zeek.dns" } as const;
  return ends(seconds, { from, ip: "10.0.0.1" }, 53, { observation });
}

export function flow(seconds: number, connection: SightingParts["connection"], to: To = {}): Sighting {
  return ends(seconds, to, 443, { connection, sighting: to.sighting });
}

function ends(
  seconds: number,
  { from = DEVICE, ip = SERVER, port }: To,
  usual: number,
  parts: SightingParts,
): Sighting {
  return sighting(seconds, { ip: from, port: PORT }, { ip, port: port ?? usual }, parts);
}

/** One sighting every `step` seconds. */
export function times<T>(count: number, make: (seconds: number, index: number) => T, step = 60): T[] {
  return Array.from({ length: count }, (_, index) => make(index * step, index));
}

/**
 * Results of a detector. Throws if batches make a difference, scores do not add up, or a state or a text is
 * too large. `most` is the largest permitted state in bytes.
 */
export function reportsOf(detector: Detector, sightings: readonly Sighting[], most = 6000): DetectorResult[] {
  const { results, largest } = drive([detector], sightings);
  const all = JSON.stringify(results);
  for (
    const options of [{ round: 7, stored: false }, { round: sightings.length + 1 }, {
      round: 3,
      stored: true,
    }]
  ) {
    const other = JSON.stringify(drive([detector], sightings, options).results);
    hold(other === all, `the same in rounds of ${options.round}`, `${all}\n${other}`);
  }
  hold(largest <= most, `states of at most ${most} bytes`, largest);
  for (const { score, subScores, modifiers, evidence, title, summary, explanation } of results) {
    const sum = [...subScores, ...modifiers].reduce((all, { value, weight }) => all + value * weight, 0);
    hold(Math.abs(sum - score) < 0.06, `the score ${sum}`, score);
    hold(score >= 20 && score <= 100, "a reported score", score);
    hold(evidence.length > 0 && evidence.length <= 32, "1 to 32 pieces of evidence", evidence.length);
    hold(
      title.length < 200 && summary.length < 700 && explanation.length < 900,
      "short texts",
      `${title}\n${summary}`,
    );
  }
  return results;
}

function hold(condition: boolean, expected: string, got: unknown): void {
  if (!condition) throw new Error(`expected ${expected}, got ${got}`);
}

export function scores(results: readonly DetectorResult[]): number[] {
  return results.map(({ score }) => score);
}

export function last(results: readonly DetectorResult[]): DetectorResult {
  const result = results.at(-1);
  if (result === undefined) throw new Error("there are no results");
  return result;
}
