import { type FieldName, FIELDS } from "../../../contract/filter/fields.ts";
import { leavesOf } from "../../../contract/filter/normalise.ts";
import { type Comparison, type Filter, isAll, isNot } from "../../../contract/filter/tree.ts";

/** Services that a field is known of, by the beginning of its name. */
const SERVICES: readonly [start: RegExp, services: readonly string[]][] = [
  [/^dns\./, ["dns"]],
  [/^(?:http\.|user_agent)/, ["http"]],
  [/^smb\./, ["smb"]],
  [/^(?:tls\.|certificate|ja[34])/, ["tls", "quic"]],
  [/^server_name/, ["http", "tls", "quic"]],
  [/^hassh/, ["ssh"]],
];
/** Fields of what happens in a flow, whose size or countries are those of the flow. */
const EVENTS = /^(?:logon|dns\.|alert|anomaly)/;
const OF_FLOW = /^(?:(?:src|dst)\.)?(?:bytes|packets|duration)$/;

/**
 * Whether a filter is easily taken for another one: flows by their incidents, devices by flows without a verb (`devices
 * from russia`) or that they do not have (`-dst.port:80` is not `dst.port!=80`), two conditions on one field, fields
 * of different services, or the size of a flow with a log-on.
 *
 * @param isOfVerb Whether the question says what devices do or have.
 */
export function isSubtle({ kind, where }: Filter, isOfVerb: boolean): boolean {
  const parts = where === null ? [] : isAll(where) ? where.all : [where];
  const isOfOthers = parts.some((part) =>
    leavesOf(part).some(({ field }) =>
      kind === "flows" && FIELDS[field].owner === "incident" ||
      kind === "devices" && (isNot(part) || !isOfVerb) && FIELDS[field].owner === "flow" && field !== "vlan"
    )
  );
  const positive = parts.flatMap((part) => isNot(part) || !("field" in part) ? [] : [part]);
  const fields = positive.map(({ field }) => field);
  const isTwice = fields.some((field, at) => field !== "ip" && fields.indexOf(field) < at);
  const has = (pattern: RegExp) => fields.some((field) => pattern.test(field));
  return isOfOthers || isTwice || !areOfOneService(positive) ||
    has(EVENTS) && has(OF_FLOW) || has(/^dns\./) && has(/country$|asn$/);
}

/** Whether a flow of one service can meet all conditions. */
function areOfOneService(comparisons: readonly Comparison[]): boolean {
  let possible: readonly string[] | null = null;
  for (const comparison of comparisons) {
    const known = servicesOf(comparison);
    if (known === null) continue;
    possible = possible === null ? known : possible.filter((service) => known.includes(service));
    if (possible.length === 0) return false;
  }
  return true;
}

function servicesOf({ field, value }: Comparison): readonly string[] | null {
  if (field === "service") return [value].flat().map(String);
  return SERVICES.find(([start]) => start.test(field satisfies FieldName))?.[1] ?? null;
}
