import type { Download } from "../../../contract/request/envelope.ts";
import { ApiError } from "../../../contract/request/errors.ts";
import { requireRole } from "../../../contract/session/access.ts";
import type { Database } from "../../../store/engine/database.ts";
import { rawOfEvidence } from "../../../store/flow/evidence-by-id.ts";
import { keptById } from "../../../store/incident/kept-evidence.ts";
import { type RawLocation, readPayloadPart } from "../../../store/record/raw-read.ts";
import type { Caller } from "../../handler.ts";

/** Bytes of a payload in memory at once, whatever the client's speed. Every normalised record fits. */
const PART_BYTES = 256 * 1024;

/**
 * The payload of the raw record behind an evidence item.
 *
 * @throws ApiError not_found, or forbidden if the record could not be normalised and the caller is no admin
 */
export async function rawDownload(
  db: Database,
  { tenantId, roles }: Caller,
  evidenceId: string,
): Promise<Download> {
  const read = await db.tenant(tenantId, async (tx) => {
    const found = await rawOfEvidence(tx, tenantId, evidenceId);
    if (found?.parse_status === "unparsed") requireRole(roles, "admin");
    const first = found && await readPayloadPart(tx, tenantId, found, { from: 0, size: PART_BYTES });
    if (first !== null) return { kind: found!.kind, ...first, place: found! };
    const raw = (await keptById(tx, tenantId, evidenceId))?.raw;
    if (!raw) throw new ApiError("not_found");
    const part = new TextEncoder().encode(raw.payload);
    return { kind: raw.kind, part, payloadBytes: part.length, place: null };
  });
  return {
    fileName: `${read.kind}-${evidenceId}.json`,
    bytes: read.payloadBytes,
    body: ReadableStream.from(parts(db, tenantId, read)),
  };
}

/** Reads the next part when the client has taken the one before. No connection is held meanwhile. */
async function* parts(
  db: Database,
  tenantId: string,
  { part, payloadBytes, place }: {
    part: Uint8Array<ArrayBuffer>;
    payloadBytes: number;
    place: RawLocation | null;
  },
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield part;
  for (let from = part.length; from < payloadBytes;) {
    const next = await db.tenant(
      tenantId,
      (tx) => readPayloadPart(tx, tenantId, place!, { from, size: PART_BYTES }),
    );
    // The connection breaks, so the client notices that the file is incomplete.
    if (next === null) throw new Error("the record passed its retention while it was being sent");
    yield next.part;
    from += next.part.length;
  }
}
