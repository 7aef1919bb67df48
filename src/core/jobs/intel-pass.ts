import { setTimeout as sleep } from "node:timers/promises";
import { orient } from "../../domain/flow/ends.ts";
import { indicatorsAddedSince } from "../../domain/intel/added.ts";
import { factHits, hitsOf, type IsInternal, type PartyHit, peerHits } from "../../domain/intel/hits.ts";
import type { IntelSet } from "../../domain/intel/intel-set.ts";
import { addSighting, matchKey, type Sightings } from "../../domain/intel/sightings.ts";
import type { Database, Tx } from "../../store/engine/database.ts";
import { flowsByIds } from "../../store/flow/read.ts";
import { matchProgress, recordPastMatches } from "../../store/intel/match.ts";
import { setPastMatched } from "../../store/intel/state.ts";
import {
  flowsOfAddresses,
  flowsOfRange,
  observationsOfFlows,
  scanFacts,
  scanFlows,
  type ScannedFacts,
  type ScannedFlow,
  type ScannedObservation,
} from "../../store/intel/scan.ts";

interface PassInput {
  db: Database;
  tenantId: string;
  isInternal: IsInternal;
  /** What to look for. */
  set: IntelSet;
  /** Against these, all of it was matched before; null where nobody knows. */
  base: IntelSet | null;
  /** The newest batch to look at: later ones were matched as they came. */
  batch: number;
  /** Called between slices; false ends the pass without effect. */
  goOn: (progress: PassProgress) => Promise<boolean>;
  /** What becomes of the matches besides, in the transaction that writes them. */
  announce?: AnnouncePast;
}

/** Tells of matches that were found in what is kept; called once for each of them, where the transaction commits. */
export type AnnouncePast = (tx: Tx, tenantId: string, found: readonly Sightings[]) => Promise<void>;

/** How far a pass is. */
export interface PassProgress {
  flows: number;
  observations: number;
  matches: number;
}

/** Rows read at once: the core's thread and the database have other things to do. */
const FLOWS = 5000;
const OBSERVATIONS = 2000;
/** Above these it is cheaper to look at every flow. */
const MAX_ADDRESSES = 5000;
const MAX_NETWORKS = 200;
const ADDRESSES_AT_ONCE = 100;
const MAX_FLOWS_AT_ONCE = 50_000;
/** Addresses that met an indicator, for each: more of them are a mistake in a list. */
const MAX_MATCHES = 200_000;
const MAX_PAUSE_MILLISECONDS = 250;

/**
 * Looks through what is kept of batches up to a certain one for indicators that became known after them, and writes at its
 * end what matches, just as the pipeline would have. Null where it had to end before.
 */
export async function lookBack(input: PassInput): Promise<PassProgress | null> {
  return await new Pass(input).run();
}

class Pass {
  readonly #found = new Map<string, Sightings>();
  /** Up to which batch to count for those who met an indicator already. */
  readonly #limits = new Map<string, number>();
  #flows = 0;
  #observations = 0;

  constructor(private readonly input: PassInput) {}

  async run(): Promise<PassProgress | null> {
    const { set, batch } = this.input;
    if (set.size > 0 && batch > 0) {
      await this.#readLimits();
      if (!(await this.#lookAtFlows()) || !(await this.#lookAtFacts())) return null;
    }
    await this.#write();
    return this.#progress();
  }

  #progress(): PassProgress {
    return { flows: this.#flows, observations: this.#observations, matches: this.#found.size };
  }

  async #readLimits(): Promise<void> {
    for (const row of await this.#read((tx, tenantId) => matchProgress(tx, tenantId))) {
      this.#limits.set(matchKey(row.party_ip, row), row.counted_after);
    }
  }

  async #lookAtFlows(): Promise<boolean> {
    const looked = await this.#lookUpFlows();
    if (looked !== "too many") return looked;
    this.#found.clear();
    this.#flows = 0;
    let after: string | null = null;
    return await this.#slices(async () => {
      const flows = await this.#read((tx, tenantId) => scanFlows(tx, tenantId, after, FLOWS));
      await this.#takeFlows(flows);
      after = flows.at(-1)?.flowId ?? null;
      return flows.length === FLOWS;
    });
  }

  /** By the index of addresses, where only a few are new. */
  async #lookUpFlows(): Promise<boolean | "too many"> {
    const { set, base } = this.input;
    if (base === null) return "too many";
    const added = indicatorsAddedSince(base, set);
    const ips = upTo(added.ip, MAX_ADDRESSES);
    const networks = upTo(added.cidr, MAX_NETWORKS);
    if (ips === null || networks === null) return "too many";
    let tooMany = false;
    const take = async (ask: (tx: Tx, tenantId: string) => Promise<ScannedFlow[]>, more: boolean) => {
      const flows = await this.#read(ask);
      tooMany = flows.length === MAX_FLOWS_AT_ONCE;
      if (!tooMany) await this.#takeFlows(flows);
      return more && !tooMany;
    };
    const ended = await this.#slices(async () => {
      const some = ips.splice(0, ADDRESSES_AT_ONCE);
      if (some.length > 0) {
        return await take(
          (tx, tenantId) => flowsOfAddresses(tx, tenantId, some, MAX_FLOWS_AT_ONCE),
          ips.length + networks.length > 0,
        );
      }
      const network = networks.pop();
      return network !== undefined &&
        await take(
          (tx, tenantId) => flowsOfRange(tx, tenantId, network, MAX_FLOWS_AT_ONCE),
          networks.length > 0,
        );
    });
    return tooMany ? "too many" : ended;
  }

  async #takeFlows(flows: readonly ScannedFlow[]): Promise<void> {
    const { set, isInternal } = this.input;
    this.#flows += flows.length;
    const others = new Map<string, PartyHit[]>();
    for (const { flowId, srcIp, dstIp, folded, others: hasOthers } of flows) {
      const hits = peerHits(set, srcIp, dstIp, isInternal);
      if (hits.length === 0) continue;
      if (folded !== null) this.#add(hits, folded);
      if (hasOthers) others.set(flowId, hits);
    }
    const observations = await this.#read((tx, tenantId) =>
      observationsOfFlows(tx, tenantId, [...others.keys()])
    );
    for (const observation of observations) this.#add(others.get(observation.flowId)!, observation);
  }

  async #lookAtFacts(): Promise<boolean> {
    let after: ScannedFacts | null = null;
    return await this.#slices(async () => {
      const some: ScannedFacts[] = await this.#read((tx, tenantId) =>
        scanFacts(tx, tenantId, after, OBSERVATIONS)
      );
      await this.#takeFacts(some);
      after = some.at(-1) ?? null;
      return some.length === OBSERVATIONS;
    });
  }

  async #takeFacts(some: readonly ScannedFacts[]): Promise<void> {
    const { set, isInternal } = this.input;
    this.#observations += some.length;
    const telling = some.filter(({ facts }) => facts !== null && factHits(set, facts).length > 0);
    const flows = await this.#read((tx, tenantId) =>
      flowsByIds(tx, tenantId, [...new Set(telling.map(({ flowId }) => flowId))])
    );
    for (const observation of telling) {
      const flow = flows.get(observation.flowId);
      if (flow === undefined) continue;
      const { src, dst } = orient(flow.src, flow.dst, observation.srcLow);
      // Of those at its ends the flow has told.
      const atEnds = new Set(peerHits(set, src.ip, dst.ip, isInternal).map(keyOf));
      for (const hit of hitsOf(set, { src, dst }, observation.facts, isInternal)) {
        if (atEnds.has(keyOf(hit))) this.#addVias(hit);
        else this.#add([hit], observation);
      }
    }
  }

  #add(hits: readonly PartyHit[], observation: ScannedObservation): void {
    for (const hit of hits) {
      const key = keyOf(hit);
      if (observation.batchNo > (this.#limits.get(key) ?? this.input.batch)) continue;
      if (this.#found.has(key) || this.#found.size < MAX_MATCHES) addSighting(this.#found, hit, observation);
    }
  }

  #addVias({ vias, ...hit }: PartyHit): void {
    const known = this.#found.get(keyOf(hit));
    for (const via of vias) if (known && !known.vias.includes(via)) known.vias.push(via);
  }

  async #write(): Promise<void> {
    const { db, tenantId, set, batch, announce } = this.input;
    await db.tenant(tenantId, async (tx) => {
      const found = [...this.#found.values()];
      // First the row that rounds begin with, so that neither waits for the other.
      await setPastMatched(tx, tenantId, set.digest, batch);
      await recordPastMatches(tx, tenantId, found);
      await announce?.(tx, tenantId, found);
    });
  }

  /** Works slice by slice until one says that no more follow. False where the pass has to end. */
  async #slices(work: () => Promise<boolean>): Promise<boolean> {
    for (;;) {
      const start = performance.now();
      const more = await work();
      if (!(await this.input.goOn(this.#progress()))) return false;
      if (!more) return true;
      await sleep(Math.min(MAX_PAUSE_MILLISECONDS, performance.now() - start));
    }
  }

  #read<T>(ask: (tx: Tx, tenantId: string) => Promise<T>): Promise<T> {
    const { db, tenantId } = this.input;
    return db.tenant(tenantId, (tx) => ask(tx, tenantId));
  }
}

function keyOf({ partyIp, match }: Pick<PartyHit, "partyIp" | "match">): string {
  return matchKey(partyIp, match);
}

/** The items, or null where there are more than so many. */
function upTo<T>(items: Iterable<T>, most: number): T[] | null {
  const some: T[] = [];
  for (const item of items) {
    if (some.length === most) return null;
    some.push(item);
  }
  return some;
}
