import { SEVERITIES } from "../../contract/record/kinds.ts";
import type { DetectorResult } from "../../domain/detect/kernel/result.ts";
import { type Importance, importanceOf, ORDINARY } from "../../domain/incident/importance.ts";
import {
  allMarks,
  deviceMark,
  JOIN_WINDOW,
  type Marks,
  marksOf,
  type SiteFacts,
  sourceMark,
  stormMark,
} from "../../domain/incident/joining.ts";
import { coveringVerdict, type Verdict } from "../../domain/incident/verdict.ts";
import { plainLine } from "../../kit/plain-text.ts";
import type { Tx } from "../../store/engine/database.ts";
import {
  incidentsWithMarks,
  shownAs,
  type Standing,
  standingsOf,
  verdictsOf,
} from "../../store/incident/join.ts";
import type { StoredIncident } from "../../store/incident/write.ts";
import { suppressor } from "../../store/review/suppression-match.ts";
import { toState } from "./incident-rows.ts";

/** Facts about the site that incidents use. */
export interface SiteView extends SiteFacts {
  nameOf(deviceId: string): string;
}

interface ContextOptions {
  tenantId: string;
  results: readonly DetectorResult[];
  site: SiteView;
  /** Microseconds since the epoch. */
  now: number;
}

/**
 * Context of a round's results: incidents that they might join, suppressions, verdicts, and the importance of devices.
 * It is read once, with a handful of statements.
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
    private readonly verdicts: readonly Verdict[],
    private readonly standings: ReadonlyMap<string, Standing>,
  ) {}

  static async load(
    tx: Tx,
    { tenantId, results, site, now }: ContextOptions,
  ): Promise<IncidentContext> {
    const marks = new Map(results.map((result) => [result, marksOf(result, site)]));
    const devices = [...new Set(results.flatMap(({ deviceId }) => deviceId ?? []))];
    const survivors = await shownAs(tx, tenantId, devices);
    const wantedMarks = new Set([...marks.values()].flatMap(allMarks));
    for (const result of results) {
      wantedMarks.add(sourceMark(result));
      for (const severity of SEVERITIES) wantedMarks.add(stormMark(result.modelId, severity));
    }
    // Incidents of a device before it was merged belong to the survivor.
    for (const member of survivors.keys()) wantedMarks.add(deviceMark(member));
    // In this order, so that reviews are read after their incidents are locked; started without awaiting each, because
    // replies are read late while this thread computes.
    const [rows, verdicts, suppressorOf, standings] = await Promise.all([
      incidentsWithMarks(tx, tenantId, [...wantedMarks], {
        from: least(results.map(({ firstSeen }) => firstSeen)) - JOIN_WINDOW,
        to: -least(results.map(({ lastSeen }) => -lastSeen)) + JOIN_WINDOW,
      }),
      verdictsOf(tx, tenantId, [...devices, ...survivors.keys()]),
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
      verdicts.map((one) => ({ ...one, deviceId: survivors.get(one.deviceId ?? "") ?? one.deviceId })),
      standings,
    );
  }

  marksOf(result: DetectorResult): Marks {
    return this.marks.get(result)!;
  }

  /** Id of the suppression that covers a result; null if none does. */
  suppressor(result: DetectorResult): string | null {
    return this.suppressorOf(result)?.suppressionId ?? null;
  }

  /** Id of the incident whose verdict covers a result; null if none does. */
  verdict(result: DetectorResult): string | null {
    return this.verdicts.length === 0 ? null : coveringVerdict(this.verdicts, result);
  }

  /** Name of the device that a result is about; empty if there is none. */
  nameOf({ deviceId }: DetectorResult): string {
    return deviceId === null ? "" : plainLine(this.site.nameOf(deviceId));
  }

  importanceOf({ deviceId }: DetectorResult): Importance {
    const standing = this.standings.get(deviceId ?? "");
    return standing === undefined ? ORDINARY : importanceOf(plainLine(this.site.nameOf(deviceId!)), standing);
  }
}

/** `Math.min(...values)` would exceed the limit on call arguments for a large round. */
function least(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b), Infinity);
}
