// Lists the lines that the ingest rejected. Its answer only counts them, so each is read again by the same rules.

import { LineError, readRecordLine } from "../../domain/record/record-line.ts";

/** A line that the ingest rejected and keeps as evidence. */
export interface Rejection {
  /** `eve.json:12`: file and line (or object) number. */
  place: string;
  reason: string;
}

/** Rejections that are listed; the rest are counted. */
const MAX_LISTED = 20;
const ALERT = /"(?:suricata\.)?alert"/;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export class RejectionReport {
  readonly #listed: Rejection[] = [];
  #alerts = 0;

  /** Reads the records of a batch with rejected lines. */
  add(records: readonly { bytes: Uint8Array; kind: string | null; place: string }[]): void {
    for (const { bytes, kind, place } of records) {
      const reason = reasonOf(bytes);
      if (reason === null) continue;
      if (kind === "suricata.alert" || (kind === null && ALERT.test(new TextDecoder().decode(bytes)))) {
        this.#alerts++;
      }
      if (this.#listed.length < MAX_LISTED) this.#listed.push({ place, reason });
    }
  }

  /** Rejected lines that are Suricata alerts, as far as their text shows. */
  get alerts(): number {
    return this.#alerts;
  }

  get listed(): Rejection[] {
    return [...this.#listed];
  }
}

/** Null if the ingest accepts the line. */
function reasonOf(bytes: Uint8Array): string | null {
  try {
    readRecordLine(utf8.decode(bytes));
    return null;
  } catch (error) {
    if (error instanceof LineError) return error.reason;
    if (error instanceof TypeError) return "not UTF-8 text";
    throw error;
  }
}
