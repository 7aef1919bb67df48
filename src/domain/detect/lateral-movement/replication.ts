// Directory replication by a host that is no directory server (DCSync): an account that may replicate obtains the
// password hashes of all accounts. Known from procedure calls over SMB pipes and from alerts; no kind of record
// states the calls over TCP, which is the usual transport.
import { isOneHost } from "../../../kit/net/ip.ts";
import type { AlertFacts, SmbFacts } from "../../record/facts.ts";
import { ADMIN_SERVERS, isDirectory } from "./admin-servers.ts";
import type { LateralContext } from "./context.ts";
import { smbContext } from "./execution.ts";
import type { Evaluate, Sighting, StateLookup } from "../kernel/detector.ts";
import { LATENESS } from "../kernel/lateness.ts";
import { type DetectorResult, whileLearning } from "../kernel/result.ts";
import { extra, share } from "../kernel/score.ts";
import { lateralResult } from "./score.ts";
import { TRAITS } from "./smb-names.ts";
import { addTraits, type Execution, type ExecutionState, firstUseOf, REMOTE_EXECUTION } from "./smb-state.ts";
import { describeReplication } from "./smb-text.ts";

/** IDL_DRSGetNCChanges of MS-DRSR. Programs that only look up names bind to the same interface. */
const GET_CHANGES = 3;
const ALERT = /\bdcsync\b|getncchanges/i;
/** `high` (60) from one record, because ordinary clients never replicate. */
const POINTS = { request: 62, alert: 6 } as const;
/** Servers that synchronise accounts with a cloud or a vault replicate on schedule. */
const MODIFIERS = { sourceIsServer: -22, usual: -25 } as const;
/** The same use of a peer this long ago makes it usual. */
const USUAL_AFTER = 24 * 3_600_000_000;

/** The trait that the record shows; 0 for any other record. */
function replicationTrait(facts: SmbFacts | AlertFacts): number {
  if (facts.type === "alert") return ALERT.test(facts.signature) ? TRAITS.alert : 0;
  const { rpcInterface, rpcOperation } = facts;
  return rpcOperation === GET_CHANGES && rpcInterface === "drsuapi" ? TRAITS.replication : 0;
}

/** Null for nearly all records. */
export function matchReplication(
  sighting: Sighting,
  facts: SmbFacts | AlertFacts,
  states: StateLookup,
): Evaluate | null {
  const bits = replicationTrait(facts);
  if (bits === 0) return null;
  const { src, dst, site, learned, historySince, evidence, observation: { start } } = sighting;
  if (!src.internal || !dst.internal || src.ip === dst.ip || !isOneHost(src.ip) || !isOneHost(dst.ip)) {
    return null;
  }
  const ends = [src, dst].map((party) => ({
    party,
    server: states(ADMIN_SERVERS, party.ip),
    entry: party.deviceId === null ? null : states(REMOTE_EXECUTION, party.deviceId),
  }));
  return () => {
    const [from, to] = ends as [typeof ends[0], typeof ends[0]];
    const isTurned = facts.type === "alert" && isDirectory(from.server.state, src, site);
    // An alert has the direction of the packet, which may be the answer.
    const [client, peer] = isTurned ? [to, from] : [from, to];
    if (client.entry === null || isDirectory(client.server.state, client.party, site)) return null;
    const { state } = client.entry;
    // Apart from what the device does there otherwise.
    const place = { peerIp: `replication ${peer.party.ip}`, at: start };
    const use = addTraits(state, { bits, tool: null }, {
      ...place,
      ref: { ...evidence, observedAt: start },
    });
    if (use === null) return null;
    const { deviceId } = client.party;
    const context = smbContext(deviceId!, client.party, peer.party, peer.server.state, sighting);
    // A directory server that no record shows as one yet: one in use answers clients within the hour.
    const isKnown = learned || start - historySince > LATENESS;
    const result = evaluateReplication(use, state, context);
    const held = result === null ? null : whileLearning(result, isKnown);
    if (held !== null) use.report(held.score);
    client.entry.save(state);
    return held;
  };
}

function evaluateReplication(
  use: Execution,
  state: ExecutionState,
  context: LateralContext,
): DetectorResult | null {
  const { deviceName, sourceIsServer } = context;
  const hasAlert = (use.traits & TRAITS.alert) !== 0;
  const hasRequest = (use.traits & TRAITS.replication) !== 0;
  const modifiers = [
    sourceIsServer
      ? extra("source_is_server", MODIFIERS.sourceIsServer, `${deviceName} is known to be a server`)
      : null,
    use.last - firstUseOf(state, use.key, use.last) >= USUAL_AFTER
      ? extra("usual", MODIFIERS.usual, "the device did the same there more than a day before")
      : null,
  ].filter((one) => one !== null);
  return lateralResult(use, context, {
    subScores: [
      share(
        "request",
        1,
        POINTS.request,
        "a request to replicate the directory, from a host that does not answer as one",
      ),
      share(
        "alert",
        hasAlert && hasRequest ? 1 : 0,
        POINTS.alert,
        !hasAlert
          ? "no such alert"
          : hasRequest
          ? "a sensor's rule reports the same"
          : "known from an alert only",
      ),
    ],
    modifiers,
    technique: "T1003.006",
    groupKey: `${context.deviceId}|${context.peerIp}|replication`,
    texts: () => describeReplication(use, context),
    peer: context,
  });
}
