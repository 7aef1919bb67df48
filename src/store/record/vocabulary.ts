// Numbers stored instead of labels that repeat in every row. The numbers are on disk: lists may only grow at
// their ends.

import {
  COUNTER_SEMANTICS,
  type CounterSemantics,
  EVIDENCE_SOURCES,
  type EvidenceSource,
  RECORD_KINDS,
  type RecordKind,
} from "../../contract/record/kinds.ts";
import { INTEL_VIAS, type IntelVia } from "../../domain/intel/hits.ts";

const KIND_NUMBERS = new Map<RecordKind, number>(RECORD_KINDS.map((kind, at) => [kind, at + 1]));
const SEMANTICS_NUMBERS = new Map<CounterSemantics, number>(
  COUNTER_SEMANTICS.map((name, at) => [name, at + 1]),
);
const SOURCE_BITS = new Map<EvidenceSource, number>(EVIDENCE_SOURCES.map((name, at) => [name, 1 << at]));

/** Where a flow's server name was found, and which end of the flow is the server. */
const SERVER_NAME_KINDS = [
  { via: "tls", end: "dst" },
  { via: "http", end: "dst" },
  { via: "tls", end: "src" },
  { via: "http", end: "src" },
] as const;
type ServerNameKind = (typeof SERVER_NAME_KINDS)[number];

export function kindNumber(kind: RecordKind): number {
  return KIND_NUMBERS.get(kind)!;
}

/** @throws RangeError for an unknown number, as in the database of a newer program */
export function kindOf(number: number): RecordKind {
  return labelOf(RECORD_KINDS, number);
}

export function semanticsNumber(semantics: CounterSemantics): number {
  return SEMANTICS_NUMBERS.get(semantics)!;
}

export function semanticsOf(number: number): CounterSemantics {
  return labelOf(COUNTER_SEMANTICS, number);
}

export function serverNameNumber({ via, end }: Pick<ServerNameKind, "via" | "end">): number {
  return SERVER_NAME_KINDS.findIndex((kind) => kind.via === via && kind.end === end) + 1;
}

export function serverNameKindOf(number: number): ServerNameKind {
  return labelOf(SERVER_NAME_KINDS, number);
}

export function sourceSet(sources: readonly EvidenceSource[]): number {
  return sources.reduce((set, source) => set | SOURCE_BITS.get(source)!, 0);
}

export function viaSet(vias: readonly IntelVia[]): number {
  return vias.reduce((set, via) => set | 1 << INTEL_VIAS.indexOf(via), 0);
}

export function viasOf(set: number): IntelVia[] {
  return INTEL_VIAS.filter((_, at) => (set & 1 << at) !== 0);
}

export function sourcesOf(set: number): EvidenceSource[] {
  return EVIDENCE_SOURCES.filter((source) => (set & SOURCE_BITS.get(source)!) !== 0);
}

function labelOf<T>(labels: readonly T[], number: number): T {
  const label = labels[number - 1];
  if (label === undefined) throw new RangeError(`no label has the number ${number}`);
  return label;
}
