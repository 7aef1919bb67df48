// Campaign incidents bound alert storms: an attacker who changes the source of each packet would otherwise open an
// incident per source. Beyond a bound, further sources join one incident.
import type { Severity } from "../../contract/record/kinds.ts";
import { moment, plural } from "../../kit/text.ts";
import type { Micros } from "../record/observation.ts";
import type { NarrativePart } from "./narrative.ts";
import { fixedPart, titleLine } from "../../kit/title-line.ts";
import { clip } from "./phrase.ts";

/**
 * Incidents that one detector may open per hour of source time and severity. Separate per severity, so that many
 * weak results cannot hide a strong one.
 */
export const MAX_OPENED_PER_HOUR = 50;
/** `low` incidents that all detectors of a tenant may open per hour of source time. */
const MAX_LOW_PER_HOUR = 200;
/**
 * What both bounds are per hour of receipt, as multiples: a sensor that replays or lies about times spreads its storm over
 * many hours of source time, and so does an honest import of some days, which needs more than one hour has.
 */
const BY_RECEIPT = 4;
/** Sources and devices that a campaign incident shows, and sources whose evidence it links: the first ones. */
export const MAX_SHOWN_SOURCES = 16;
const HOUR: Micros = 3_600_000_000;
const MAX_SUMMARY = 2400;
const MAX_NAME = 80;

export interface Campaign {
  /** Distinct sources that joined; exact. */
  sources: number;
  /** Results of these sources; exact. */
  results: number;
  /** Names of the first ones. */
  first: readonly string[];
}

export const NO_SOURCES: Campaign = { sources: 0, results: 0, first: [] };

/** The hour of source time in which a result counts. */
export function hourOf(at: Micros): Micros {
  return Math.floor(at / HOUR) * HOUR;
}

export interface Openings {
  modelId: string;
  severity: Severity;
  hour: Micros;
  /** Whether it is an hour of receipt instead of source time. */
  byReceipt: boolean;
  /** Incidents opened, campaign incidents not included. */
  opened: number;
  /** Results that would have opened an incident and joined a campaign incident instead. */
  joined: number;
}

/** Counts the incidents opened per detector, severity and hour, and decides when further sources join a campaign. */
export class OpeningBounds {
  readonly #known = new Map<string, Openings>();
  readonly #low = new Map<string, number>();
  readonly #changed = new Set<Openings>();

  /** `stored`: of the hours of all results, and of their receipt. */
  constructor(stored: readonly Openings[]) {
    for (const one of stored) {
      this.#known.set(key(one), { ...one });
      this.#addLow(one, one.opened);
    }
  }

  /** Whether the result may open an incident of its own, which it then counts as opened. */
  admit(modelId: string, severity: Severity, at: Micros, receivedAt: Micros): boolean {
    const observed = this.#of({ modelId, severity, hour: hourOf(at), byReceipt: false });
    const received = this.#of({ modelId, severity, hour: hourOf(receivedAt), byReceipt: true });
    this.#changed.add(observed);
    if (this.#isFull(observed, 1) || this.#isFull(received, BY_RECEIPT)) {
      observed.joined++;
      return false;
    }
    this.#changed.add(received);
    for (const one of [observed, received]) {
      one.opened++;
      this.#addLow(one, 1);
    }
    return true;
  }

  #isFull(one: Openings, times: number): boolean {
    return one.opened >= MAX_OPENED_PER_HOUR * times ||
      (one.severity === "low" && (this.#low.get(hourKey(one)) ?? 0) >= MAX_LOW_PER_HOUR * times);
  }

  changed(): Openings[] {
    return [...this.#changed];
  }

  #addLow(one: Openings, count: number): void {
    if (one.severity === "low") this.#low.set(hourKey(one), (this.#low.get(hourKey(one)) ?? 0) + count);
  }

  #of(of: Omit<Openings, "opened" | "joined">): Openings {
    const fresh = { ...of, opened: 0, joined: 0 };
    const known = this.#known.get(key(fresh));
    if (known !== undefined) return known;
    this.#known.set(key(fresh), fresh);
    return fresh;
  }
}

function key(one: Openings): string {
  return `${one.modelId} ${one.severity} ${hourKey(one)}`;
}

function hourKey({ hour, byReceipt }: Openings): string {
  return `${hour} ${byReceipt}`;
}

/** The title names a rounded number, so that it does not change, and raise the revision, with every source. */
export function describeCampaign(
  { sources, results, first }: Campaign,
  lead: NarrativePart,
  { firstSeen, lastSeen }: { firstSeen: Micros; lastSeen: Micros },
): { title: string; summary: string } {
  const about = sources === 1 ? "1 further source" : `${roundedDown(sources)} further sources`;
  const names = first.map((name) => clip(name, MAX_NAME)).join(", ");
  return {
    title: titleLine`${inWords(lead.modelId)}: ${fixedPart(about)} in one incident`,
    summary: clip(
      `${plural(sources, "further source")} joined this incident with ${
        plural(results, "result")
      }, because the ` +
        `bound of new incidents per hour was reached. Observed from ${moment(firstSeen)} to ${
          moment(lastSeen)
        }. First sources: ${names}. ` +
        `Strongest finding: ${lead.title}.`,
      MAX_SUMMARY,
    ),
  };
}

/** `signature-alert` becomes `Signature alert`. */
function inWords(modelId: string): string {
  const words = modelId.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** 1, 2, 5, 10, 20, 50, ...: "more than" from the step on. */
function roundedDown(count: number): string {
  const magnitude = 10 ** Math.floor(Math.log10(count));
  const step = [5, 2, 1].find((one) => count >= one * magnitude)! * magnitude;
  return step === count ? `${count}` : `more than ${step}`;
}
