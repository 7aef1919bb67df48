import type { DetectorResult } from "../../domain/detect/kernel/result.ts";
import { type Importance, importanceOf, ORDINARY } from "../../domain/incident/importance.ts";
import {
  allMarks,
  deviceMark,
  JOIN_WINDOW,
  type Marks,
  marksOf,
  type SiteFacts,
} from "../../domain/incident/joining.ts";
import { coveringVerdict, type Verdict } from "../../domain/incident/verdict.ts";
import type { Tx } from "../../store/engine/database.ts";
import {
  incidentsWithMarks,
  shownAs,
  type Standing,
  standingsOf,
  taughtOf,
} from "../../store/incident/join.ts";
import type { StoredIncident } from "../../store/incident/write.ts";
import { suppressor } from "../../store/review/suppression-match.ts";
import { toState } from "./incident-rows.ts";

/** What the engine must know of the site. */
export interface SiteView extends SiteFacts {
  nameOf(deviceId: string): string;
}

/**
 * What a round's results meet: the incidents that they might join, suppressions, verdicts, and what people say of the
 * devices. All of it is read once, with a handful of statements.
 */
export class IncidentContext {
  private constructor(
    private readonly site: SiteView,
    private readonly marks: ReadonlyMap<DetectorResult, Marks>,
    /** In the order of their numbers. */
    readonly incidents: readonly StoredIncident[],
    /** By incident. */
    readonly storedMarks: ReadonlyMap<string, ReadonlySet<string>>,
    private readonly suppressorOf: Awaited<ReturnType<typeof suppressor>>,
    private readonly taught: readonly Verdict[],
    private readonly standings: ReadonlyMap<string, Standing>,
  ) {}

  static async load(
    tx: Tx,
    tenantId: string,
    results: readonly DetectorResult[],
    site: SiteView,
    now: number,
  ): Promise<IncidentContext> {
    const marks = new Map(results.map((result) => [result, marksOf(result, site)]));
    const devices = [...new Set(results.flatMap(({ deviceId }) => deviceId ?? []))];
    const survivors = await shownAs(tx, tenantId, devices);
    const lookedFor = new Set([...marks.values()].flatMap(allMarks));
    // What a device was before it was merged is its story, too.
    for (const member of survivors.keys()) lookedFor.add(deviceMark(member));
    // In this order, so that what people did is seen as soon as their incidents are locked; but at once, since this thread is
    // busy with what comes next, and an answer waits long for its turn.
    const [rows, taught, suppressorOf, standings] = await Promise.all([
      incidentsWithMarks(tx, tenantId, [...lookedFor], {
        from: least(results.map(({ firstSeen }) => firstSeen)) - JOIN_WINDOW,
        to: -least(results.map(({ lastSeen }) => -lastSeen)) + JOIN_WINDOW,
      }),
      taughtOf(tx, tenantId, [...devices, ...survivors.keys()]),
      suppressor(tx, tenantId, results, now),
      standingsOf(tx, tenantId, devices),
    ]);
    return new IncidentContext(
      site,
      marks,
      rows.map((row) => ({
        incidentId: row.incident_id,
        incidentNo: row.incident_no,
        state: toState(row, survivors),
      })),
      new Map(rows.map((row) => [row.incident_id, new Set(row.marks)])),
      suppressorOf,
      taught.map((one) => ({ ...one, deviceId: survivors.get(one.deviceId ?? "") ?? one.deviceId })),
      standings,
    );
  }

  marksOf(result: DetectorResult): Marks {
    return this.marks.get(result)!;
  }

  /** The suppression that covers a result; null where none does. */
  suppressor(result: DetectorResult): string | null {
    return this.suppressorOf(result)?.suppressionId ?? null;
  }

  /** The incident whose verdict covers a result; null where none does. */
  verdict(result: DetectorResult): string | null {
    return this.taught.length === 0 ? null : coveringVerdict(this.taught, result);
  }

  /** Of the device that a result is about; empty where that is none. */
  nameOf({ deviceId }: DetectorResult): string {
    return deviceId === null ? "" : this.site.nameOf(deviceId);
  }

  importanceOf({ deviceId }: DetectorResult): Importance {
    const standing = this.standings.get(deviceId ?? "");
    return standing === undefined ? ORDINARY : importanceOf(this.site.nameOf(deviceId!), standing);
  }
}

/** A round may bring more results than a call takes arguments. */
function least(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b), Infinity);
}
