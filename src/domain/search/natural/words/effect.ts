import type { FieldName } from "../../../../contract/filter/fields.ts";
import type { Comparison, ResultKind } from "../../../../contract/filter/tree.ts";

/** Which end of a flow the next address, name or country is. */
export type Role = "src" | "dst" | "either";

/** What the question is about, beyond plain flows; decides what sizes and names mean. */
export type Topic =
  | "upload"
  | "sent"
  | "download"
  | "transfer"
  | "lookup"
  | "logon"
  | "failed"
  | "succeeded"
  | "alert"
  | "new"
  | "large"
  | "long";

/** What a phrase does to the interpretation. */
export type Effect =
  /** Joins other words and carries no meaning of its own; whatever narrows or negates is none of these. */
  | { fill: true }
  | { kind: ResultKind; role?: Role; topic?: Topic; note?: string }
  | { is: Comparison; verb?: Role; note?: string }
  /** The field has no value. */
  | { without: FieldName; note?: string }
  /** A preposition: the role of what follows. */
  | { role: Role }
  /** A verb between two ends: the one before it is the source unless the role is `src`. */
  | { verb: Role; topic?: Topic }
  | { topic: Topic; role?: Role }
  /** A note that accompanies the answer, without another effect. */
  | { note: string; always?: true }
  | { negate: true; value?: FieldName; always?: true }
  /** All times are meant if none is named: `ever`. */
  | { always: true }
  /** Incidents of the person who asks. */
  | { mine: true }
  /** What a named device or person did, if nothing says otherwise. */
  | { activity: true }
  /** The noun of a field: what it is called follows, or else it only has to be there. */
  | { noun: FieldName }
  /** Asks for something that a search cannot do. */
  | { refuse: true }
  /** Everything that is no device of the site; the role says in which direction. */
  | { outside: true }
  /** A type of device; without another noun the question is about devices. */
  | { type: string; note?: string }
  /** The next word or quoted text is the value of a field. */
  | { value: FieldName }
  /** A number with a comparison is the value of a field. */
  | { number: FieldName };
