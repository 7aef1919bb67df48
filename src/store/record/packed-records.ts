import { COUNTER_SEMANTICS, RECORD_KINDS, type RecordKind } from "../../contract/record/kinds.ts";
import type { Facts } from "../../domain/record/facts.ts";
import type {
  Count,
  Counters,
  Endpoint,
  Normalised,
  Observation,
  ReadObservation,
} from "../../domain/record/observation.ts";
import { hash64After } from "../../kit/hash64.ts";
import { timeUuid } from "../../kit/id.ts";
import { parseTagged, stringifyTagged } from "../../kit/json/json-bigint.ts";
import { bytesOf, type Columns, columnsAt, copyColumns } from "./number-columns.ts";
import { normaliserFor } from "../../domain/record/registry.ts";
import type { BatchHead, SensorSample, Understood, UnderstoodBatch } from "./understood.ts";

/** What became of a record, and where it stands. */
export interface NormalisedRecord {
  kind: RecordKind;
  /** 32 bytes. */
  eventId: Uint8Array;
  /** In its batch's block. */
  position: number;
  result: Normalised;
}

/** A batch that has been understood, packed. */
export interface PackedUnderstood {
  head: BatchHead;
  /** How many the batch has, understood or not. */
  records: number;
  /** For `unpackUnderstood`. */
  understood: Uint8Array;
}

/** What a sensor said of its own capture, without what its batch tells. */
type PackedSample = Omit<SensorSample, keyof BatchHead>;

/**
 * A batch's records column by column, as they travel between threads and wait for their turn: as objects they
 * cost ten times as much to copy (measured: 17 against 1.8 µs a record). -1 stands for null.
 */
const LAYOUT = {
  observedAt: Float64Array,
  start: Float64Array,
  end: Float64Array,
  srcBytes: Float64Array,
  srcPackets: Float64Array,
  dstBytes: Float64Array,
  dstPackets: Float64Array,
  /** 0 where there is no native id. */
  nativeHash: BigInt64Array,
  srcIp: Int32Array,
  srcPort: Int32Array,
  dstIp: Int32Array,
  dstPort: Int32Array,
  proto: Int32Array,
  tuple: Int32Array,
  service: Int32Array,
  exporter: Int32Array,
  /** -1 for a record that is left out. */
  position: Int32Array,
  icmpType: Int16Array,
  icmpCode: Int16Array,
  vlan: Int16Array,
  /** Places in RECORD_KINDS. */
  kind: Uint8Array,
  /** Places in COUNTER_SEMANTICS, -1 for a record without counters. */
  semantics: Int8Array,
};

type Numbers = Columns<typeof LAYOUT>;

/** What is no number, as JSON. */
interface Texts {
  /** Counts that a column of floats would round, by four times the record's place and the count's own. */
  large: [number, bigint][];
  /** Those that have any, and which records these are, in their order. */
  facts: Facts[];
  factsOf: number[];
  warnings: string[][];
  warningsOf: number[];
  samples: PackedSample[];
  /** Texts that repeat from record to record: the columns of such hold places here. */
  repeated: string[];
}

/** The number of records, then the columns, the event ids (32 bytes each), and the texts. */
const HEAD_BYTES = 8;
const EVENT_ID_BYTES = 32;
const KIND_PLACES = new Map<RecordKind, number>(RECORD_KINDS.map((kind, place) => [kind, place]));

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A sensor's batch as bytes, some 300 a record. A record that was not understood says nothing. */
export function packUnderstood(sensorId: string, records: readonly NormalisedRecord[]): Uint8Array {
  const packer = new UnderstoodPacker(sensorId, records.length);
  for (const record of records) packer.add(record);
  return packer.bytes();
}

/**
 * As `packUnderstood`, of records that are forgotten as they come: whatever lives on is copied by the
 * collector.
 */
export class UnderstoodPacker {
  readonly #numbers: Numbers;
  readonly #eventIds: Uint8Array;
  readonly #texts: Texts = {
    large: [],
    facts: [],
    factsOf: [],
    warnings: [],
    warningsOf: [],
    samples: [],
    repeated: [],
  };
  readonly #samplesAt: number[] = [];
  readonly #repeated = new Map<string, number>();
  readonly #hashNative: (nativeId: string) => bigint;
  #count = 0;

  /** @param most As many records as it is to take. */
  constructor(sensorId: string, most: number) {
    this.#numbers = columnsAt(LAYOUT, new ArrayBuffer(bytesOf(LAYOUT, most)), 0, most);
    this.#eventIds = new Uint8Array(most * EVENT_ID_BYTES);
    this.#hashNative = hash64After(`${sensorId}\n`);
  }

  add({ kind, eventId, position, result }: NormalisedRecord): void {
    if ("observation" in result) {
      const at = this.#count++;
      this.#eventIds.set(eventId, at * EVENT_ID_BYTES);
      this.#numbers.position[at] = position;
      this.#addObservation(at, result.observation);
    } else if ("capture" in result) {
      const { warnings: _, ...sample } = result.capture;
      this.#texts.samples.push({ ...sample, recordKind: kind });
      this.#samplesAt.push(position);
    }
  }

  /**
   * @param positions What became of those that were given, -1 of one that is to be left out; without it they
   *   stay.
   */
  bytes(positions: Int32Array | null = null): Uint8Array {
    const texts = this.#texts;
    const samples = texts.samples.filter((_, at) => positions?.[this.#samplesAt[at]!] !== -1);
    const written = encoder.encode(stringifyTagged({ ...texts, samples }));
    const { idsAt, textsAt } = placesOf(this.#count);
    const bytes = new Uint8Array(textsAt + written.length);
    new Uint32Array(bytes.buffer, 0, 1)[0] = this.#count;
    const numbers = columnsAt(LAYOUT, bytes.buffer, HEAD_BYTES, this.#count);
    copyColumns(this.#numbers, numbers, this.#count);
    if (positions !== null) numbers.position.forEach((given, at) => numbers.position[at] = positions[given]!);
    bytes.set(this.#eventIds.subarray(0, this.#count * EVENT_ID_BYTES), idsAt);
    bytes.set(written, textsAt);
    return bytes;
  }

  #addObservation(at: number, observation: ReadObservation): void {
    const numbers = this.#numbers;
    const texts = this.#texts;
    const { src, dst, icmp, counters, nativeId, facts, warnings } = observation;
    numbers.kind[at] = KIND_PLACES.get(observation.kind)!;
    numbers.observedAt[at] = observation.observedAt;
    numbers.start[at] = observation.start;
    numbers.end[at] = observation.end;
    numbers.srcIp[at] = this.#placeOf(src.ip);
    numbers.srcPort[at] = src.port ?? -1;
    numbers.dstIp[at] = this.#placeOf(dst.ip);
    numbers.dstPort[at] = dst.port ?? -1;
    numbers.proto[at] = this.#placeOf(observation.proto);
    numbers.icmpType[at] = icmp?.type ?? -1;
    numbers.icmpCode[at] = icmp?.code ?? -1;
    numbers.semantics[at] = counters === null ? -1 : COUNTER_SEMANTICS.indexOf(counters.semantics);
    if (counters !== null) packCounters(numbers, at, counters, texts);
    numbers.service[at] = this.#placeOf(observation.service);
    numbers.nativeHash[at] = nativeId === null ? 0n : this.#hashNative(nativeId);
    numbers.vlan[at] = observation.vlan ?? -1;
    numbers.tuple[at] = this.#placeOf(observation.tuple);
    numbers.exporter[at] = this.#placeOf(observation.exporter);
    if (facts !== null) {
      texts.facts.push(facts);
      texts.factsOf.push(at);
    }
    if (warnings.length > 0) {
      texts.warnings.push(warnings);
      texts.warningsOf.push(at);
    }
  }

  #placeOf(text: string | null): number {
    if (text === null) return -1;
    let place = this.#repeated.get(text);
    if (place === undefined) this.#repeated.set(text, place = this.#texts.repeated.push(text) - 1);
    return place;
  }
}

/** `head` is what all its records share, and does not travel with them. */
export function unpackUnderstood(bytes: Uint8Array, head: BatchHead): UnderstoodBatch {
  // Columns begin at multiples of their width: so must the bytes.
  const whole = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
  const { byteOffset, byteLength } = whole;
  const buffer = whole.buffer as ArrayBuffer;
  const [count] = new Uint32Array(buffer, byteOffset, 1);
  const { idsAt, textsAt } = placesOf(count!);
  const numbers = columnsAt(LAYOUT, buffer, byteOffset + HEAD_BYTES, count!);
  const eventIds = whole.slice(idsAt, textsAt);
  const texts: Texts = parseTagged(decoder.decode(whole.subarray(textsAt, byteLength)));
  const { sensorId, receivedAt } = head;
  return {
    records: unpackRecords(numbers, eventIds, texts, head),
    samples: texts.samples.map((sample) => ({ ...sample, sensorId, receivedAt })),
  };
}

function placesOf(records: number): { idsAt: number; textsAt: number } {
  const idsAt = HEAD_BYTES + bytesOf(LAYOUT, records);
  return { idsAt, textsAt: idsAt + records * EVENT_ID_BYTES };
}

function packCounters(numbers: Numbers, at: number, { srcToDst, dstToSrc }: Counters, texts: Texts): void {
  numbers.srcBytes[at] = packCount(srcToDst.bytes, 4 * at, texts);
  numbers.srcPackets[at] = packCount(srcToDst.packets, 4 * at + 1, texts);
  numbers.dstBytes[at] = packCount(dstToSrc.bytes, 4 * at + 2, texts);
  numbers.dstPackets[at] = packCount(dstToSrc.packets, 4 * at + 3, texts);
}

function packCount(count: Count | null, place: number, { large }: Texts): number {
  if (typeof count === "bigint") large.push([place, count]);
  return count === null ? -1 : Number(count);
}

function unpackRecords(numbers: Numbers, eventIds: Uint8Array, texts: Texts, head: BatchHead): Understood[] {
  const { sensorId, trust, receivedAt, batchNo } = head;
  let [facts, warnings] = [0, 0];
  const large = new Map(texts.large);
  const records: Understood[] = [];
  for (let at = 0; at < numbers.kind.length; at++) {
    const factsHere = texts.factsOf[facts] === at ? texts.facts[facts++]! : null;
    const warningsHere = texts.warningsOf[warnings] === at ? texts.warnings[warnings++]! : [];
    if (numbers.position[at] === -1) continue;
    const nativeHash = numbers.nativeHash[at]!;
    const eventAt = at * EVENT_ID_BYTES;
    // Each made in one go: they live for two rounds, and whatever lives is copied by the collector.
    records.push({
      observation: observationOf(
        numbers,
        texts.repeated,
        at,
        countersOf(numbers, at, large),
        factsHere,
        warningsHere,
      ),
      evidenceId: timeUuid(numbers.observedAt[at]!, eventIds, eventAt),
      nativeHash: nativeHash === 0n ? null : nativeHash,
      eventIds,
      eventAt,
      position: numbers.position[at]!,
      sensorId,
      trust,
      receivedAt,
      batchNo,
    });
  }
  return records;
}

function observationOf(
  packed: Numbers,
  repeated: readonly string[],
  at: number,
  counters: Counters | null,
  facts: Facts | null,
  warnings: string[],
): Observation {
  const kind = RECORD_KINDS[packed.kind[at]!]!;
  const { source, evidenceKind } = normaliserFor(kind);
  const type = packed.icmpType[at]!;
  return {
    kind,
    // Only kinds that are evidence have observations.
    evidenceKind: evidenceKind!,
    source,
    observedAt: packed.observedAt[at]!,
    start: packed.start[at]!,
    end: packed.end[at]!,
    src: endpoint(repeated[packed.srcIp[at]!]!, packed.srcPort[at]!),
    dst: endpoint(repeated[packed.dstIp[at]!]!, packed.dstPort[at]!),
    proto: repeated[packed.proto[at]!]!,
    icmp: type === -1 ? null : { type, code: orNull(packed.icmpCode[at]!) },
    counters,
    service: textOrNull(repeated, packed.service[at]!),
    vlan: orNull(packed.vlan[at]!),
    tuple: textOrNull(repeated, packed.tuple[at]!),
    exporter: textOrNull(repeated, packed.exporter[at]!),
    facts,
    warnings,
  };
}

function endpoint(ip: string, port: number): Endpoint {
  return { ip, port: orNull(port) };
}

function textOrNull(texts: readonly string[], place: number): string | null {
  return place === -1 ? null : texts[place]!;
}

function orNull(value: number): number | null {
  return value === -1 ? null : value;
}

function countersOf(numbers: Numbers, at: number, large: ReadonlyMap<number, bigint>): Counters | null {
  const semantics = COUNTER_SEMANTICS[numbers.semantics[at]!];
  if (semantics === undefined) return null;
  const { srcBytes, srcPackets, dstBytes, dstPackets } = numbers;
  return {
    srcToDst: {
      bytes: countOf(srcBytes[at]!, 4 * at, large),
      packets: countOf(srcPackets[at]!, 4 * at + 1, large),
    },
    dstToSrc: {
      bytes: countOf(dstBytes[at]!, 4 * at + 2, large),
      packets: countOf(dstPackets[at]!, 4 * at + 3, large),
    },
    semantics,
  };
}

function countOf(rounded: number, place: number, large: ReadonlyMap<number, bigint>): Count | null {
  return large.get(place) ?? orNull(rounded);
}
