import type { ConfigInput } from "../../config/yaml/input.ts";
import type { ListedSource } from "../../config/sources.ts";
import type { RecordKind, TrustClass } from "../../contract/record/kinds.ts";
import type { LastRecords } from "../last-records.ts";
import { textTable } from "../table.ts";
import { tokenFileOf } from "./add.ts";
import { kindsText } from "./kinds.ts";

/** One line of `ndr sources list --json`. */
interface ShownSource {
  sensor_id: string;
  tenant_id: string;
  enabled: boolean;
  trust: TrustClass;
  allowed_kinds: RecordKind[];
  expected_exporters: string[] | null;
  token_env: string;
  /** Null if the variable itself holds the token, or nothing does. */
  token_file: string | null;
  /** RFC 3339; null if none has arrived, or it is unknown. */
  last_record_at: string | null;
}

export function shownSources(
  input: ConfigInput,
  entries: readonly ListedSource[],
  { times }: LastRecords,
): ShownSource[] {
  return entries.map(({ source, tokenEnv, enabled }) => ({
    sensor_id: source.sensorId,
    tenant_id: source.tenantId,
    enabled,
    trust: source.trust,
    allowed_kinds: [...source.allowedKinds],
    expected_exporters: source.expectedExporters && [...source.expectedExporters],
    token_env: tokenEnv,
    token_file: tokenFileOf(input, tokenEnv),
    last_record_at: times?.get(source.tenantId)?.get(source.sensorId) ?? null,
  }));
}

const HEADERS = ["SENSOR", "TENANT", "ENABLED", "KINDS", "LAST RECORD (UTC)", "TOKEN"];
/** Of a cell, so that a line fits a terminal. */
const WIDEST = 24;

/** Lines for people; `-` is unknown or never. */
export function sourceTable(sources: readonly ShownSource[], columns: number | null): string[] {
  const rows = sources.map((source) => [
    source.sensor_id,
    source.tenant_id,
    source.enabled ? "yes" : "no",
    kindsText(source.allowed_kinds),
    source.last_record_at?.slice(0, 19).replace("T", " ") ?? "-",
    source.token_file ?? source.token_env,
  ]);
  return textTable([HEADERS, ...rows], columns, WIDEST);
}
