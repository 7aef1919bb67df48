import { COUNTER_SEMANTICS, RECORD_KINDS, type RecordKind } from "../../contract/record/kinds.ts";
import { nativeHasher } from "../../domain/flow/native-hash.ts";
import { type SeriesHasher, seriesHasher } from "../../domain/flow/report-series.ts";
import type { Facts } from "../../domain/record/facts.ts";
import type {
  Count,
  Counters,
  Endpoint,
  Normalised,
  Observation,
  ReadObservation,
} from "../../domain/record/observation.ts";
import { timeUuid } from "../../kit/id.ts";
import { parseTagged, stringifyTagged } from "../../kit/json/json-bigint.ts";
import { normaliserFor } from "../../domain/record/registry.ts";
import { boundByReceipt, sampleTime } from "../../domain/record/times.ts";
import type { BatchHead, SensorSample } from "../../store/record/parsed-batch.ts";
import { bytesOf, type Columns, columnsAt, copyColumns } from "./number-columns.ts";
import type { ParsedRecord, ParsedRecords } from "./parsed-record.ts";

/** A normalised record and its place in a batch. */
export interface NormalisedRecord {
  kind: RecordKind;
  /** 32 bytes. */
  eventId: Uint8Array;
  /** In its batch's block. */
  position: number;
  result: Normalised;
}

/** A sensor's capture statistics without the fields of its batch. */
type PackedSample = Omit<SensorSample, keyof BatchHead>;

/**
 * A batch's records column by column, the format in which they travel between threads and wait in memory: copying
 * objects between threads takes ten times as long (measured: 17 against 1.8 µs per record). -1 stands for null.
 */
const LAYOUT = {
  observedAt: Float64Array,
  start: Float64Array,
  end: Float64Array,
  srcBytes: Float64Array,
  srcPackets: Float64Array,
  dstBytes: Float64Array,
  dstPackets: Float64Array,
  /** 0 for a record without a native id. */
  nativeHash: BigInt64Array,
  srcIp: Int32Array,
  srcPort: Int32Array,
  dstIp: Int32Array,
  dstPort: Int32Array,
  proto: Int32Array,
  tuple: Int32Array,
  service: Int32Array,
  /** 0 for a record that is no delta report. */
  series: Int32Array,
  exporter: Int32Array,
  /** -1 for a record that is left out. */
  position: Int32Array,
  icmpType: Int16Array,
  icmpCode: Int16Array,
  vlan: Int16Array,
  /** Index into RECORD_KINDS. */
  kind: Uint8Array,
  /** Index into COUNTER_SEMANTICS; -1 for a record without counters. */
  semantics: Int8Array,
};

type Numbers = Columns<typeof LAYOUT>;

/** Everything that is not a number, as JSON. */
interface Texts {
  /** Counts above 2^53, which a float column would round, by 4 * record + index of the counter. */
  large: [number, bigint][];
  /** Facts of the records that have any, and the indexes of those records, ascending. */
  facts: Facts[];
  factsOf: number[];
  warnings: string[][];
  warningsOf: number[];
  samples: PackedSample[];
  /** Texts that repeat from record to record; text columns hold indexes into this list. */
  repeated: string[];
}

/** Layout: number of records (4 bytes, padded to 8), columns, event ids (32 bytes each), texts. */
const HEAD_BYTES = 8;
const EVENT_ID_BYTES = 32;
const KIND_INDEXES = new Map<RecordKind, number>(RECORD_KINDS.map((kind, index) => [kind, index]));

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Packs a sensor's batch, at about 300 bytes per record. Records that could not be normalised are left out. */
export function packRecords(sensorId: string, records: readonly NormalisedRecord[]): Uint8Array {
  const packer = new RecordPacker(sensorId, records.length);
  for (const record of records) packer.add(record);
  return packer.bytes();
}

/** `packRecords` for records that come one by one, so that none of them stays alive in the heap. */
export class RecordPacker {
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
  readonly #sensorId: string;
  /** By exporter; null for the sensor itself. */
  readonly #hashers = new Map<string | null, (nativeId: string) => bigint>();
  readonly #series = new Map<string | null, SeriesHasher>();
  #count = 0;

  /** @param capacity Maximum number of records. */
  constructor(sensorId: string, capacity: number) {
    this.#numbers = columnsAt(LAYOUT, new ArrayBuffer(bytesOf(LAYOUT, capacity)), 0, capacity);
    this.#eventIds = new Uint8Array(capacity * EVENT_ID_BYTES);
    this.#sensorId = sensorId;
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

  /** @param positions New position by given position, -1 to leave a record out; null keeps the given positions. */
  bytes(positions: Int32Array | null = null): Uint8Array {
    const texts = this.#texts;
    const samples = texts.samples.filter((_, at) => positions?.[this.#samplesAt[at]!] !== -1);
    const written = encoder.encode(stringifyTagged({ ...texts, samples }));
    const { idsAt, textsAt } = offsetsOf(this.#count);
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
    numbers.kind[at] = KIND_INDEXES.get(observation.kind)!;
    numbers.observedAt[at] = observation.observedAt;
    numbers.start[at] = observation.start;
    numbers.end[at] = observation.end;
    numbers.srcIp[at] = this.#indexOf(src.ip);
    numbers.srcPort[at] = src.port ?? -1;
    numbers.dstIp[at] = this.#indexOf(dst.ip);
    numbers.dstPort[at] = dst.port ?? -1;
    numbers.proto[at] = this.#indexOf(observation.proto);
    numbers.icmpType[at] = icmp?.type ?? -1;
    numbers.icmpCode[at] = icmp?.code ?? -1;
    numbers.semantics[at] = counters === null ? -1 : COUNTER_SEMANTICS.indexOf(counters.semantics);
    if (counters !== null) packCounters(numbers, at, counters, texts);
    numbers.service[at] = this.#indexOf(observation.service);
    const nativeHash = nativeId === null ? null : this.#hasherOf(observation.exporter)(nativeId);
    numbers.nativeHash[at] = nativeHash ?? 0n;
    numbers.series[at] = observation.isDelta
      ? this.#seriesOf(observation.exporter)(observation, nativeHash)
      : 0;
    numbers.vlan[at] = observation.vlan ?? -1;
    numbers.tuple[at] = this.#indexOf(observation.tuple);
    numbers.exporter[at] = this.#indexOf(observation.exporter);
    if (facts !== null) {
      texts.facts.push(facts);
      texts.factsOf.push(at);
    }
    if (warnings.length > 0) {
      texts.warnings.push(warnings);
      texts.warningsOf.push(at);
    }
  }

  #hasherOf(exporter: string | null): (nativeId: string) => bigint {
    let hasher = this.#hashers.get(exporter);
    if (hasher === undefined) this.#hashers.set(exporter, hasher = nativeHasher(this.#sensorId, exporter));
    return hasher;
  }

  #seriesOf(exporter: string | null): SeriesHasher {
    let hasher = this.#series.get(exporter);
    if (hasher === undefined) this.#series.set(exporter, hasher = seriesHasher(this.#sensorId, exporter));
    return hasher;
  }

  #indexOf(text: string | null): number {
    if (text === null) return -1;
    let index = this.#repeated.get(text);
    if (index === undefined) this.#repeated.set(text, index = this.#texts.repeated.push(text) - 1);
    return index;
  }
}

/** Unpacks a batch; `head` is not part of the packed bytes. */
export function unpackRecords(bytes: Uint8Array, head: BatchHead): ParsedRecords {
  // Typed arrays must be aligned.
  const whole = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
  const { byteOffset, byteLength } = whole;
  const buffer = whole.buffer as ArrayBuffer;
  const [count] = new Uint32Array(buffer, byteOffset, 1);
  const { idsAt, textsAt } = offsetsOf(count!);
  const numbers = columnsAt(LAYOUT, buffer, byteOffset + HEAD_BYTES, count!);
  const eventIds = whole.slice(idsAt, textsAt);
  const texts: Texts = parseTagged(decoder.decode(whole.subarray(textsAt, byteLength)));
  const { sensorId, receivedAt } = head;
  return {
    records: recordsOf(numbers, eventIds, texts, head),
    samples: texts.samples.map((sample) => {
      return { ...sample, at: sampleTime(sample, receivedAt), sensorId, receivedAt };
    }),
  };
}

function offsetsOf(records: number): { idsAt: number; textsAt: number } {
  const idsAt = HEAD_BYTES + bytesOf(LAYOUT, records);
  return { idsAt, textsAt: idsAt + records * EVENT_ID_BYTES };
}

function packCounters(numbers: Numbers, at: number, { srcToDst, dstToSrc }: Counters, texts: Texts): void {
  numbers.srcBytes[at] = packCount(srcToDst.bytes, 4 * at, texts);
  numbers.srcPackets[at] = packCount(srcToDst.packets, 4 * at + 1, texts);
  numbers.dstBytes[at] = packCount(dstToSrc.bytes, 4 * at + 2, texts);
  numbers.dstPackets[at] = packCount(dstToSrc.packets, 4 * at + 3, texts);
}

function packCount(count: Count | null, key: number, { large }: Texts): number {
  if (typeof count === "bigint") large.push([key, count]);
  return count === null ? -1 : Number(count);
}

function recordsOf(
  numbers: Numbers,
  eventIds: Uint8Array,
  texts: Texts,
  head: BatchHead,
): ParsedRecord[] {
  const { sensorId, trust, receivedAt, batchNo } = head;
  let [facts, warnings] = [0, 0];
  const large = new Map(texts.large);
  const records: ParsedRecord[] = [];
  for (let at = 0; at < numbers.kind.length; at++) {
    const factsHere = texts.factsOf[facts] === at ? texts.facts[facts++]! : null;
    const warningsHere = texts.warningsOf[warnings] === at ? texts.warnings[warnings++]! : [];
    if (numbers.position[at] === -1) continue;
    const nativeHash = numbers.nativeHash[at]!;
    const eventAt = at * EVENT_ID_BYTES;
    const counters = countersOf(numbers, at, large);
    const observation = observationOf(numbers, texts.repeated, at, counters, factsHere, warningsHere);
    boundByReceipt(observation, receivedAt);
    // Created in one expression, as one allocation: the records live for two rounds, and the collector copies them.
    records.push({
      observation,
      evidenceId: timeUuid(numbers.observedAt[at]!, eventIds, eventAt),
      nativeHash: nativeHash === 0n ? null : nativeHash,
      series: numbers.series[at]! || null,
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
    // Only kinds with an evidence kind have observations.
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

function textOrNull(texts: readonly string[], index: number): string | null {
  return index === -1 ? null : texts[index]!;
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

function countOf(rounded: number, key: number, large: ReadonlyMap<number, bigint>): Count | null {
  return large.get(key) ?? orNull(rounded);
}
