import { ApiError } from "../../../contract/request/errors.ts";
import { stringifyJson } from "../../../kit/json/json.ts";
import { type Database, NoPlace, StoreUnavailable } from "../../../store/engine/database.ts";
import type { evidenceLinks } from "../../../store/incident/read.ts";
import { evidenceRecordLines } from "../search/record-lines.ts";

type Links = Awaited<ReturnType<typeof evidenceLinks>>;

/**
 * The raw records behind the evidence of an incident, oldest first, one JSON object a line. A file that is not complete
 * ends with a line that states the reason.
 */
export async function* caseRecordLines(
  db: Pick<Database, "tenant">,
  tenantId: string,
  links: Links,
  truncated: boolean,
): AsyncGenerator<string> {
  let records = 0;
  let reason = truncated ? `the incident has more evidence than the newest ${links.length} records` : null;
  try {
    for await (const lines of evidenceRecordLines(db, tenantId, links)) {
      records += lines.split("\n").length - 1;
      yield lines;
    }
    const gone = links.length - records;
    if (reason === null && gone > 0) reason = `${gone} records are no longer retained`;
  } catch (error) {
    if (!(error instanceof StoreUnavailable || error instanceof ApiError)) throw error;
    if (error instanceof NoPlace) reason = "too many requests are waiting";
    else reason = error instanceof ApiError ? error.message : "the database did not answer in time";
  }
  if (reason !== null) yield `${stringifyJson({ truncated: true, records, reason })}\n`;
}
