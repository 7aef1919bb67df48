import type { RankingBucket, RankingMeasure } from "../../../../contract/filter/aggregate.ts";
import type { Condition, ResultKind } from "../../../../contract/filter/tree.ts";
import type { Span } from "../time/calendar.ts";
import type { Topic } from "../words/effect.ts";

/** The most frequent values that a question asks for. */
export interface Ranking {
  /** Empty: only the total. */
  field: string;
  measure: RankingMeasure;
  limit: number;
  /** Per hour or day instead of in all. */
  bucket?: RankingBucket;
}

/** A part of a question: positions of its first character and of the one after its last, in UTF-16 units. */
export interface Part {
  from: number;
  to: number;
  text: string;
}

/** A part with the rule that read it. */
export interface ReadPart extends Part {
  rule: string;
}

/** What was read of a question, before it becomes a filter. Only a `Reader` changes what records an assumption. */
export interface Reading {
  readonly kind: ResultKind | null;
  /** Every kind that is named; `kind` is the first. */
  nouns: Set<ResultKind>;
  readonly conditions: readonly Condition[];
  topics: Set<Topic>;
  window: Span | null;
  /** Whether all times are meant if none is named: `ever`, `never`. */
  isOfAllTimes: boolean;
  readonly ranking: Ranking | null;
  /** Whether it asks how many. */
  counts: boolean;
  /** Whether it asks for the activity of a device or person. */
  hasActor: boolean;
  /** Whether it asks for everything that happened. */
  asksActivity: boolean;
  /** Whether a type of device is what it asks for. */
  hasType: boolean;
  /** Whether it asks what an address or a name did. */
  asksWhatWasDone: boolean;
  /** The end for which a VLAN is given, although a flow has one for both. */
  vlanOf: "src" | "dst" | null;
  /** Whether the destination is a device or VLAN of the site. */
  isInnerDestination: boolean;
  /** Whether `us` is an end, which no condition narrows. */
  isOfUs: boolean;
  /** Whether it can be answered by yes or no. */
  asksYesOrNo: boolean;
  /** Whether it asks for values of a field first: `domains of ...`. */
  asksValues: boolean;
  /** Whether an end follows the type, so that it may be one itself: `printers to 10.0.0.5`. */
  isTypeOfEnd: boolean;
  /** Whether a type of device is that of an end, so that it asks for what went there. */
  isOfEnds: boolean;
  /** Whether an end is known by a name or a type alone, which either end can have. */
  isOfEither: boolean;
  /** What words stand for and what was done instead, each a sentence. */
  notes: string[];
  /** What the question does not state, such as a side or a kind: clauses of one sentence. */
  assumed: Set<string>;
  /** Misspelt words, and what they were read as. */
  corrected: { typed: string; read: string }[];
  /** Parts without a meaning. */
  unread: Part[];
  /** Parts that one rule read. */
  parts: ReadPart[];
}
