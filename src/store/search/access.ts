import type { Grouped } from "../../contract/filter/group.ts";
import type { Comparison } from "../../contract/filter/tree.ts";
import { questionOf } from "../../domain/search/criterion.ts";
import type { SomeOf } from "../../domain/search/parts.ts";
import type { Tx } from "../engine/database.ts";
import { sql } from "../engine/sql.ts";
import type { FlowAccess } from "../flow/filter.ts";
import { isRareProtocol, isRareService } from "../flow/paths.ts";
import { tupleHashes } from "./flow-conditions.ts";
import { incidentsWith } from "./incident-conditions.ts";
import { newestOfTerms } from "./postings.ts";
import type { FlowSpan, SearchScope } from "./scope.ts";

/** Flows that are looked up by their ids, each in about ten microseconds. */
const MAX_KNOWN_FLOWS = 3000;
/** Devices whose flows are merged, each with two index scans. */
const MAX_ACCESS_DEVICES = 16;

type Window = NonNullable<FlowSpan>;

/**
 * The best way to the flows that start in the window and meet all of the conditions, as far as known: few flows by their
 * ids, then devices and addresses, then the newest flows of a text, then rare services and protocols.
 */
export async function chooseAccess(
  tx: Tx,
  conditions: readonly Grouped[],
  scope: SearchScope,
  window: Window,
): Promise<FlowAccess | null> {
  const comparisons = conditions.filter((part) => "field" in part);
  const exact = exactAccess(comparisons, scope, window);
  if (exact !== null) return exact;
  const ofTerms = await termAccess(tx, comparisons, scope, window);
  if (ofTerms?.from === window.from) return ofTerms;
  const groups = conditions.filter((part) => "some" in part);
  return await incidentAccess(tx, groups, scope, window) ?? deviceAccess(groups, scope) ??
    addressAccess(comparisons, scope) ?? ofTerms ?? rareAccess(comparisons, scope);
}

/** The texts that a comparison asks for; null if it asks for anything else. */
function textsOf(comparison: Comparison, { context }: SearchScope): readonly string[] | null {
  const { negated, criterion } = questionOf(comparison, context);
  return !negated && criterion.is === "text" ? criterion.texts : null;
}

function exactAccess(
  comparisons: readonly Comparison[],
  scope: SearchScope,
  { from }: Window,
): FlowAccess | null {
  for (const comparison of comparisons) {
    const texts = textsOf(comparison, scope);
    if (texts === null) continue;
    if (comparison.field === "flow") return { by: "id", flowIds: texts, from };
    if (comparison.field !== "community_id") continue;
    return { by: "tuple", hashes: tupleHashes(scope.tenantId, texts) };
  }
  return null;
}

/** By the text with the fewest flows. */
async function termAccess(
  tx: Tx,
  comparisons: readonly Comparison[],
  { tenantId, context, terms }: SearchScope,
  window: Window,
): Promise<Extract<FlowAccess, { by: "id" }> | null> {
  const lookups = comparisons.flatMap((comparison) =>
    questionOf(comparison, context).negated ? [] : terms.get(comparison) ?? []
  );
  const found = await Promise.all(
    lookups.map((lookup) => newestOfTerms(tx, tenantId, lookup, window, MAX_KNOWN_FLOWS)),
  );
  const known = found.filter((one) => one !== null).sort((a, b) =>
    a.from - b.from || a.flowIds.length - b.flowIds.length
  );
  return known[0] === undefined ? null : { by: "id", ...known[0] };
}

async function incidentAccess(
  tx: Tx,
  groups: readonly SomeOf[],
  { tenantId, context }: SearchScope,
  { from }: Window,
): Promise<FlowAccess | null> {
  const group = groups.find(({ some }) => some === "incident");
  if (group === undefined) return null;
  const rows = await tx.rows<{ flow_id: string }>(sql`
    select distinct x.flow_id from incident_evidence x
    where x.tenant_id = ${tenantId} and x.incident_id in (${incidentsWith(tenantId, group.where, context)})
    limit ${MAX_KNOWN_FLOWS + 1}`);
  if (rows.length > MAX_KNOWN_FLOWS) return null;
  return { by: "id", flowIds: rows.map(({ flow_id }) => flow_id), from };
}

function deviceAccess(groups: readonly SomeOf[], { devices }: SearchScope): FlowAccess | null {
  const smallest = groups.flatMap((group) => {
    const ids = devices.get(group);
    return ids ? [ids] : [];
  }).sort((a, b) => a.length - b.length)[0];
  return smallest === undefined || smallest.length > MAX_ACCESS_DEVICES
    ? null
    : { by: "device", deviceIds: smallest };
}

const ADDRESS_ENDS = { ip: ["src", "dst"], "src.ip": ["src"], "dst.ip": ["dst"] } as const;

/** By the one address of an end. */
function addressAccess(comparisons: readonly Comparison[], { context }: SearchScope): FlowAccess | null {
  for (const comparison of comparisons) {
    const { field } = comparison;
    if (field !== "ip" && field !== "src.ip" && field !== "dst.ip") continue;
    const { negated, criterion } = questionOf(comparison, context);
    if (negated || criterion.is !== "address" || criterion.spans.length !== 1) continue;
    const { first, last } = criterion.spans[0]!;
    if (first === last) return { by: "address", ip: first, ends: ADDRESS_ENDS[field] };
  }
  return null;
}

function rareAccess(comparisons: readonly Comparison[], scope: SearchScope): FlowAccess | null {
  for (const comparison of comparisons) {
    const texts = textsOf(comparison, scope);
    if (texts === null) continue;
    if (comparison.field === "service" && texts.every(isRareService)) {
      return { by: "service", services: texts };
    }
    if (comparison.field === "proto" && texts.length === 1 && isRareProtocol(texts[0]!)) {
      return { by: "proto", proto: texts[0]! };
    }
  }
  return null;
}
