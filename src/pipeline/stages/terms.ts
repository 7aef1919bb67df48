import type { TermKind } from "../../contract/filter/field.ts";
import { forEachTerm, shownTerm, termText } from "../../domain/search/terms.ts";
import { isGlobalAddress } from "../../kit/net/ip.ts";
import { storableTime } from "../../store/engine/literals.ts";
import { timeOfId } from "../../store/flow/read.ts";
import { addressWrite, type SeenAddress } from "../../store/search/addresses.ts";
import { type SearchStatement, type TermUse, termWrites } from "../../store/search/term-writes.ts";
import type { WrittenKeys } from "../state/written-keys.ts";
import type { Step } from "./correlate.ts";
import { flows } from "./flows.ts";
import type { Stage } from "./stage.ts";

/** A day in microseconds. */
const DAY = 86_400_000_000;

/** Writes what searches find the round's flows by: the texts of their records, and the external addresses. */
export const terms: Stage<SearchStatement[]> = {
  async prepare(round, { addresses, texts, slice }) {
    const { tenantId, last } = round.basis;
    const { steps } = round.of(flows).correlation;
    const statements: SearchStatement[] = [];
    const isNew = (use: TermUse) => isUnwritten(use, texts);
    for (const statement of termWrites(tenantId, last, usesOf(steps), isNew)) {
      statements.push(statement);
      if (slice.over) await slice.yield();
    }
    const unseen = unseenAddresses(steps, addresses);
    if (unseen.length > 0) statements.push(addressWrite(tenantId, unseen));
    return statements;
  },

  *write({ tx }, statements) {
    for (const statement of statements) yield tx.run(statement);
  },
};

/** Whether the dictionary may lack the text. Days that retention may drop meanwhile are not remembered. */
function isUnwritten({ kind, text, day, receivedAt }: TermUse, written: WrittenKeys): boolean {
  const received = dayOf(receivedAt);
  return day < received - DAY || written.add(`${day} ${kind} ${text}`, received);
}

/** A use under construction: a flow may be listed several times. */
interface OpenUse extends TermUse {
  flowIds: string[];
  /** The last record that states the term. */
  step: Step;
}

/** Each term and day of the steps, in the order in which they first occur. */
function usesOf(steps: readonly Step[]): TermUse[] {
  const fold = new TermFold();
  for (const step of steps) if (step.record.observation.facts !== null) fold.add(step);
  for (const use of fold.uses) if (use.flowIds.length > 2) use.flowIds = [...new Set(use.flowIds)];
  return fold.uses;
}

/** Uses of one kind and day: most texts have one spelling, which need not be normalised again. */
interface Uses {
  bySpelling: Map<string, OpenUse>;
  byText: Map<string, OpenUse>;
}

class TermFold {
  readonly uses: OpenUse[] = [];
  readonly #days = new Map<number, Map<TermKind, Uses>>();
  /** Of the record that is being added. */
  #step: Step | null = null;
  #anchor = 0;
  #kinds = new Map<TermKind, Uses>();

  /** Adds the terms of the step's record. */
  add(step: Step): void {
    this.#step = step;
    this.#anchor = storableTime(timeOfId(step.flowId));
    const day = dayOf(this.#anchor);
    const kinds = this.#days.get(day);
    if (kinds === undefined) this.#days.set(day, this.#kinds = new Map());
    else this.#kinds = kinds;
    forEachTerm(step.record.observation, this.#addTerm);
  }

  readonly #addTerm = (kind: TermKind, given: string): void => {
    let uses = this.#kinds.get(kind);
    if (uses === undefined) this.#kinds.set(kind, uses = { bySpelling: new Map(), byText: new Map() });
    const use = uses.bySpelling.get(given) ?? this.#find(uses, kind, given);
    if (use !== null && use.step !== this.#step) this.#count(this.#step!, use);
  };

  /** The use of a spelling that comes for the first time; null if it counts already, or is empty. */
  #find({ bySpelling, byText }: Uses, kind: TermKind, given: string): OpenUse | null {
    const text = termText(kind, given);
    if (text === "") return null;
    const known = byText.get(text);
    const use = known ?? this.#open(this.#step!, kind, text, given);
    bySpelling.set(given, use);
    if (known !== undefined) return known;
    byText.set(text, use);
    return null;
  }

  #open(step: Step, kind: TermKind, text: string, given: string): OpenUse {
    const use: OpenUse = {
      kind,
      text,
      shown: shownTerm(kind, given),
      day: dayOf(this.#anchor),
      flowIds: [step.flowId],
      records: 1,
      from: this.#anchor,
      to: this.#anchor,
      receivedAt: step.record.receivedAt,
      step,
    };
    this.uses.push(use);
    return use;
  }

  #count(step: Step, use: OpenUse): void {
    use.step = step;
    use.records++;
    if (use.flowIds[use.flowIds.length - 1] !== step.flowId) use.flowIds.push(step.flowId);
    use.from = Math.min(use.from, this.#anchor);
    use.to = Math.max(use.to, this.#anchor);
    use.receivedAt = Math.max(use.receivedAt, step.record.receivedAt);
  }
}

/** The addresses without a device that are to be written, each once. */
function unseenAddresses(steps: readonly Step[], known: WrittenKeys): SeenAddress[] {
  const days = new Map<string, number>();
  const add = (ip: string, receivedAt: number) => {
    const day = dayOf(receivedAt);
    if (known.add(ip, day) && isGlobalAddress(ip)) days.set(ip, day);
  };
  for (const { record: { receivedAt }, src, dst, srcDevice, dstDevice } of steps) {
    if (srcDevice === null) add(src.ip, receivedAt);
    if (dstDevice === null) add(dst.ip, receivedAt);
  }
  return [...days].map(([ip, day]) => ({ ip, day }));
}

function dayOf(micros: number): number {
  return Math.floor(micros / DAY) * DAY;
}
