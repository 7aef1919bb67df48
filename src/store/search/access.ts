import type { Grouped } from "../../contract/filter/group.ts";
import type { Comparison } from "../../contract/filter/tree.ts";
import { questionOf } from "../../domain/search/criterion.ts";
import type { SomeOf } from "../../domain/search/parts.ts";
import type { Tx } from "../engine/database.ts";
import { sql } from "../engine/sql.ts";
import type { FlowAccess } from "../flow/filter.ts";
import { isRareProtocol, isRareService, leadsToFew } from "../flow/paths.ts";
import { tupleHashes } from "./flow-conditions.ts";
import { incidentsWith } from "./incident-conditions.ts";
import { newestOfTerms } from "./postings.ts";
import type { FlowSpan, SearchScope } from "./scope.ts";

/** Flows that are looked up by their ids, each in about ten microseconds. */
const MAX_KNOWN_FLOWS = 3000;
/** Devices whose flows are merged, each with two index scans. */
const MAX_ACCESS_DEVICES = 16;

type Window = NonNullable<FlowSpan>;

/** A way to flows, and the condition that all of them meet, so that it need not be checked on each; null: none. */
interface Way<A extends FlowAccess = FlowAccess> {
  access: A;
  meets: Grouped | null;
}

/**
 * The best way to the flows that start in the window and meet all of the conditions, as far as known: few flows by their
 * ids, then devices and addresses, then the newest flows of a text, then rare services and protocols; null: by time.
 */
export async function chooseWay(
  tx: Tx,
  conditions: readonly Grouped[],
  scope: SearchScope,
  window: Window,
): Promise<Way | null> {
  const comparisons = conditions.filter((part) => "field" in part);
  const exact = exactWay(comparisons, scope, window);
  if (exact !== null) return exact;
  const byTerms = await termWay(tx, comparisons, scope, window);
  if (byTerms?.access.from === window.from) return byTerms;
  const groups = conditions.filter((part) => "some" in part);
  return await incidentWay(tx, groups, scope, window) ??
    await endWay(tx, deviceWay(groups, scope), addressWay(comparisons, scope), scope, window) ??
    byTerms ?? rareWay(comparisons, scope);
}

/** The texts that a comparison asks for; null if it asks for anything else. */
function textsOf(comparison: Comparison, { context }: SearchScope): readonly string[] | null {
  const { negated, criterion } = questionOf(comparison, context);
  return !negated && criterion.is === "text" ? criterion.texts : null;
}

function exactWay(comparisons: readonly Comparison[], scope: SearchScope, { from }: Window): Way | null {
  for (const meets of comparisons) {
    const texts = textsOf(meets, scope);
    if (texts === null) continue;
    if (meets.field === "flow") return { access: { by: "id", flowIds: texts, from }, meets };
    if (meets.field !== "community_id") continue;
    return { access: { by: "tuple", hashes: tupleHashes(scope.tenantId, texts) }, meets };
  }
  return null;
}

/** By the text with the fewest flows. */
async function termWay(
  tx: Tx,
  comparisons: readonly Comparison[],
  { tenantId, context, terms }: SearchScope,
  window: Window,
): Promise<Way<Extract<FlowAccess, { by: "id" }>> | null> {
  const lookups = comparisons.flatMap((comparison) =>
    questionOf(comparison, context).negated ? [] : terms.get(comparison) ?? []
  );
  const found = await Promise.all(
    lookups.map((lookup) => newestOfTerms(tx, tenantId, lookup, window, MAX_KNOWN_FLOWS)),
  );
  const known = found.filter((one) => one !== null).sort((a, b) =>
    a.from - b.from || a.flowIds.length - b.flowIds.length
  );
  return known[0] === undefined ? null : { access: { by: "id", ...known[0] }, meets: null };
}

async function incidentWay(
  tx: Tx,
  groups: readonly SomeOf[],
  { tenantId, context }: SearchScope,
  { from }: Window,
): Promise<Way | null> {
  const meets = groups.find(({ some }) => some === "incident");
  if (meets === undefined) return null;
  const rows = await tx.rows<{ flow_id: string }>(sql`
    select distinct x.flow_id from incident_evidence x
    where x.tenant_id = ${tenantId} and x.incident_id in (${incidentsWith(tenantId, meets.where, context)})
    limit ${MAX_KNOWN_FLOWS + 1}`);
  if (rows.length > MAX_KNOWN_FLOWS) return null;
  return { access: { by: "id", flowIds: rows.map(({ flow_id }) => flow_id), from }, meets };
}

type DeviceAccess = Extract<FlowAccess, { by: "device" }>;

/** By devices or by an address; of both, by the devices if these have few flows: an address may have millions. */
async function endWay(
  tx: Tx,
  byDevice: Way<DeviceAccess> | null,
  byAddress: Way | null,
  { tenantId }: SearchScope,
  window: Window,
): Promise<Way | null> {
  if (byDevice === null || byAddress === null) return byDevice ?? byAddress;
  const few = await leadsToFew(tx, tenantId, window, byDevice.access);
  return few ? { ...byDevice, access: { ...byDevice.access, few } } : byAddress;
}

function deviceWay(groups: readonly SomeOf[], { devices }: SearchScope): Way<DeviceAccess> | null {
  const [smallest] = groups.flatMap((meets) => {
    const deviceIds = devices.get(meets);
    return deviceIds ? [{ access: { by: "device" as const, deviceIds }, meets }] : [];
  }).sort((a, b) => a.access.deviceIds.length - b.access.deviceIds.length);
  return smallest !== undefined && smallest.access.deviceIds.length <= MAX_ACCESS_DEVICES ? smallest : null;
}

const ADDRESS_ENDS = { ip: ["src", "dst"], "src.ip": ["src"], "dst.ip": ["dst"] } as const;

/** By the one address of an end. */
function addressWay(comparisons: readonly Comparison[], { context }: SearchScope): Way | null {
  for (const meets of comparisons) {
    const { field } = meets;
    if (field !== "ip" && field !== "src.ip" && field !== "dst.ip") continue;
    const { negated, criterion } = questionOf(meets, context);
    if (negated || criterion.is !== "address" || criterion.spans.length !== 1) continue;
    const { first, last } = criterion.spans[0]!;
    if (first === last) return { access: { by: "address", ip: first, ends: ADDRESS_ENDS[field] }, meets };
  }
  return null;
}

function rareWay(comparisons: readonly Comparison[], scope: SearchScope): Way | null {
  const of = (field: "service" | "proto") =>
    comparisons.flatMap((meets) => {
      const texts = meets.field === field ? textsOf(meets, scope) : null;
      return texts === null ? [] : [{ meets, texts }];
    });
  for (const { meets, texts: services } of of("service")) {
    if (services.every(isRareService)) return { access: { by: "service", services }, meets };
  }
  for (const { meets, texts: [proto, ...others] } of of("proto")) {
    if (others.length === 0 && isRareProtocol(proto!)) {
      return { access: { by: "proto", proto: proto! }, meets };
    }
  }
  return null;
}
