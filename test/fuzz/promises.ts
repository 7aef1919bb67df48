import assert from "node:assert/strict";
import { normalisedTuple } from "../../src/domain/record/community-id.ts";
import type { Facts } from "../../src/domain/record/facts.ts";
import type { CaptureSample, Count, Endpoint, ReadObservation } from "../../src/domain/record/observation.ts";
import { canonicalIp } from "../../src/kit/net/ip.ts";
import { parseJson, stringifyJson } from "../../src/kit/json/json.ts";
import type { StatedValues } from "./stated-values.ts";

const LONGEST_SPAN = 366 * 86_400e6;
const LONGEST_TEXT = 2048;
const LONGEST_LIST = 64;
const DEEPEST = 4;
const MOST_COUNT = 2n ** 63n - 1n;
/** Stands for an endpoint that the record does not name, as documented for the kind. */
const UNSPECIFIED = ["0.0.0.0", "::"];

/** The guarantees of every observation, whatever its record contains. */
export function checkObservation(observation: ReadObservation, stated: StatedValues): void {
  checkShape(observation);
  checkTimes(observation);
  checkEnds(observation, stated);
  for (const direction of [observation.counters?.srcToDst, observation.counters?.dstToSrc]) {
    const rates = observation.kind === "netflow.flow" ? stated.rates : new Set([1n]);
    checkCount(direction?.bytes, stated, rates);
    checkCount(direction?.packets, stated, rates);
  }
  if (observation.counters !== null) assert.ok(countsSomething(observation), "counters without any count");
  checkNumber(observation.vlan, stated, 1, 4094);
  checkNativeId(observation.nativeId, stated);
  if (observation.facts !== null) checkFacts(observation.facts, stated);
}

/** A sensor's statistics about its own capture; only the loss ratio may be computed. */
export function checkCapture(capture: CaptureSample, stated: StatedValues): void {
  checkShape(capture);
  assert.ok(Number.isSafeInteger(capture.at));
  assert.ok(capture.interval === null || (Number.isSafeInteger(capture.interval) && capture.interval >= 0));
  checkCount(capture.packets, stated);
  checkCount(capture.dropped, stated);
  assert.ok(capture.lossPercent === null || (capture.lossPercent >= 0 && capture.lossPercent <= 100));
}

/** A human-readable reason. */
export function checkReason(reason: string): void {
  assert.ok(reason.length > 0 && reason.length <= 200, `a reason of ${reason.length} characters`);
  assert.ok(!reason.includes("\0") && reason.isWellFormed());
}

/** JSON of bounded size and depth, containing only values that survive JSON. */
function checkShape(value: ReadObservation | CaptureSample): void {
  checkBounds(value, 0);
  assert.ok(value.warnings.length <= 16 && value.warnings.every(({ length }) => length <= 100), "warnings");
  assert.deepEqual(parseJson(stringifyJson(value)), { ...value });
}

function checkBounds(value: unknown, depth: number): void {
  assert.ok(depth <= DEEPEST, "nested too deep");
  if (typeof value === "string") checkText(value);
  if (typeof value !== "object" || value === null) return;
  const members = Object.entries(value);
  assert.ok(members.length <= LONGEST_LIST, `${members.length} members`);
  for (const [name, member] of members) {
    checkText(name);
    checkBounds(member, depth + 1);
  }
}

function checkText(text: string): void {
  assert.ok(text.length <= LONGEST_TEXT, `a text of ${text.length} UTF-16 units`);
  assert.ok(!text.includes("\0"), "a NUL character remains");
  assert.ok(text.isWellFormed(), "a lone surrogate remains");
}

function checkTimes({ observedAt, start, end }: ReadObservation): void {
  for (const time of [observedAt, start, end]) assert.ok(Number.isSafeInteger(time), `time ${time}`);
  assert.ok(start <= end && end - start <= LONGEST_SPAN, `from ${start} to ${end}`);
}

function checkEnds(observation: ReadObservation, stated: StatedValues): void {
  const { kind, src, dst, proto, icmp, exporter } = observation;
  const unnamed = kind === "unbound.query" ? UNSPECIFIED : [];
  checkEnd(src, stated, []);
  checkEnd(dst, stated, unnamed);
  if (exporter !== null) checkAddress(exporter, stated);
  assert.ok(/^[^A-Z]{1,32}$/.test(proto), `protocol ${proto}`);
  for (const part of [icmp?.type, icmp?.code]) {
    assert.ok(part === undefined || part === null || (Number.isInteger(part) && part >= 0 && part <= 255));
  }
  const id = normalisedTuple({
    proto,
    srcIp: src.ip,
    dstIp: dst.ip,
    srcPort: src.port,
    dstPort: dst.port,
    icmp,
  });
  assert.equal(observation.tuple, id, "the tuple does not match the endpoints");
}

function checkEnd({ ip, port }: Endpoint, stated: StatedValues, others: readonly string[]): void {
  checkAddress(ip, stated, others);
  checkNumber(port, stated, 0, 65_535);
}

function checkAddress(ip: string, stated: StatedValues, others: readonly string[] = []): void {
  assert.equal(canonicalIp(ip), ip, "an address that is not canonical");
  assert.ok(
    stated.addresses.has(ip) || others.includes(ip),
    `an address that the record does not state: ${ip}`,
  );
}

function checkNumber(value: number | null, stated: StatedValues, min: number, max: number): void {
  if (value === null) return;
  assert.ok(Number.isInteger(value) && value >= min && value <= max, `${value} is outside ${min} to ${max}`);
  assert.ok(stated.numbers.has(BigInt(value)), `a number that the record does not state: ${value}`);
}

function checkCount(
  counter: Count | null | undefined,
  stated: StatedValues,
  rates: ReadonlySet<bigint> = new Set([1n]),
) {
  if (counter === null || counter === undefined) return;
  const exact = BigInt(counter);
  assert.ok(exact >= 0n && exact <= MOST_COUNT, `counter ${counter}`);
  assert.equal(typeof counter === "bigint", exact > BigInt(Number.MAX_SAFE_INTEGER), "its type");
  const isStated = [...rates].some((rate) =>
    rate > 0n && exact % rate === 0n && stated.numbers.has(exact / rate)
  );
  assert.ok(isStated, `a counter that the record does not state: ${counter}`);
}

function countsSomething({ kind, counters }: ReadObservation): boolean {
  if (kind !== "netflow.flow" || counters === null) return true;
  const { srcToDst, dstToSrc } = counters;
  return [srcToDst.bytes, srcToDst.packets, dstToSrc.bytes, dstToSrc.packets].some((count) => count !== null);
}

function checkNativeId(id: string | null, stated: StatedValues): void {
  if (id === null) return;
  assert.ok(id !== "" && id.length <= 64, "the sensor's flow id");
  const isNumber = /^\d{1,20}$/.test(id) && stated.numbers.has(BigInt(id));
  const isText = () => [...stated.texts].some((text) => text.replaceAll("\0", "").startsWith(id));
  assert.ok(isNumber || isText(), `a flow id that the record does not state: ${id}`);
}

function checkFacts(facts: Facts, stated: StatedValues): void {
  switch (facts.type) {
    case "export":
      if (facts.nat !== null) { for (const end of [facts.nat.src, facts.nat.dst]) checkEnd(end, stated, []); }
      checkNumber(facts.samplingRate, stated, 2, 2 ** 32 - 1);
      checkNumber(facts.inputInterface, stated, 1, 2 ** 32 - 1);
      checkNumber(facts.outputInterface, stated, 1, 2 ** 32 - 1);
      break;
    case "dhcp":
      for (const ip of [facts.requestedIp, facts.assignedIp, facts.serverIp, facts.subnetMask]) {
        if (ip !== null) checkAddress(ip, stated);
      }
      for (const ip of [...facts.routers, ...facts.dnsServers]) checkAddress(ip, stated);
      checkNumber(facts.leaseSeconds, stated, 0, 2 ** 32 - 1);
      break;
    case "http":
      checkCount(facts.requestBytes, stated);
      checkCount(facts.responseBytes, stated);
      break;
    case "tls":
      for (const time of [facts.notBefore, facts.notAfter]) {
        assert.ok(time === null || Number.isSafeInteger(time), `time ${time}`);
      }
      break;
  }
}
