import type { RecordKind } from "../../contract/record/kinds.ts";
import { parseKnownJson } from "../../kit/json/json.ts";
import { parseTimestamp } from "../../kit/time.ts";
import type { Fields } from "./fields.ts";
import type { Normalised } from "./observation.ts";
import { normalise } from "./registry.ts";

/** A record as ingest stored it. */
interface StoredRecord {
  kind: RecordKind;
  observedAtText: string;
  /** The payload's exact JSON text. */
  payload: string;
}

/** Normalises a record that ingest has checked and stored. */
export function normaliseStored({ kind, observedAtText, payload }: StoredRecord): Normalised {
  return normalise(kind, parseKnownJson(payload) as Fields, {
    observedAt: parseTimestamp(observedAtText)!.micros,
    // Ingest has checked the exporter: records of an unexpected one are stored as unparsed.
    expectedExporters: null,
  });
}
