// Only the service can open an embedded database. So that `ndr telemetry` works beside it, the service leaves
// its counts for the next heartbeat in its state folder and accepts dry runs from there.

import { z } from "zod";
import { CONNECTOR_IDS } from "../contract/connector/connector.ts";
import { LEARNING_PHASES } from "../contract/site.ts";
import { checkHeartbeat, violationText } from "../domain/telemetry/heartbeat/check.ts";
import type { TenantFacts } from "../domain/telemetry/heartbeat/facts.ts";
import { slotAt } from "../domain/telemetry/heartbeat/schedule.ts";
import type { Clock } from "../kit/clock.ts";
import { messageOf } from "../kit/errors.ts";
import { scheduleMinutes } from "../kit/schedule.ts";
import type { Logger } from "../observe/log.ts";
import type { Database } from "../store/engine/database.ts";
import { heartbeatFacts } from "../store/telemetry/heartbeat-facts.ts";
import { recordDryRun } from "../store/telemetry/telemetry-log.ts";
import type { Entitlement } from "./entitlement.ts";
import type { HeartbeatParts } from "./heartbeat.ts";
import { type InstallIdPlace, readInstallId } from "./install-id.ts";

const COUNTS_FILE = "heartbeat-counts.json";
const DRY_RUN_FILE = "heartbeat-dry-run.json";
const EACH_MINUTE = "*";
const POLL_MS = 1000;
const MAX_BYTES = 64 * 1024;

const Count = z.int().min(0);
/** Numbers only; not even a tenant's name. */
const Counts = z.strictObject({
  /** Microseconds. */
  at: Count,
  tenants: z.array(z.strictObject({
    devices: Count,
    connectors: z.partialRecord(z.enum(CONNECTOR_IDS), Count),
    learning: z.enum(LEARNING_PHASES),
    ingest_errors: Count,
  })).max(1000),
});

/** A payload that passed both guards, or why it did not. */
const DryRun = z.strictObject({ text: z.string().nullable(), failure: z.string().max(4096).nullable() });
export type DryRun = z.infer<typeof DryRun>;

interface LeftCounts {
  /** Microseconds. */
  at: number;
  tenants: TenantFacts[];
}

/** The latest counts of the running service; null if it leaves none, for example without telemetry. */
export async function readCounts(stateDir: string): Promise<LeftCounts | null> {
  const { data } = Counts.safeParse(await readJson(`${stateDir}/${COUNTS_FILE}`));
  if (data === undefined) return null;
  const tenants = data.tenants.map(({ devices, connectors, learning, ingest_errors }) => ({
    devices,
    connectors: new Map(Object.entries(connectors)),
    learning,
    ingestErrors: ingest_errors,
  }));
  return { at: data.at, tenants };
}

/** Hands a dry run to the running service. False if it does not accept it within `patience` milliseconds. */
export async function handOver(stateDir: string, run: DryRun, patienceMs: number): Promise<boolean> {
  const path = `${stateDir}/${DRY_RUN_FILE}`;
  await writeJson(path, run);
  const end = performance.now() + patienceMs;
  while (performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS / 5));
    if (await Deno.stat(path).then(() => false, () => true)) return true;
  }
  // Accepted at the last moment: it is recorded.
  return await Deno.remove(path).then(() => false, () => true);
}

interface DeskConfig {
  /** NDR_TELEMETRY. Off: no file. */
  enabled: boolean;
  /** Without a registration server nothing is recorded. */
  origin: string | null;
  stateDir: string;
  place: InstallIdPlace;
}

interface DeskDeps {
  db: Database;
  clock: Clock;
  logger: Logger;
  parts: () => Omit<HeartbeatParts, "license">;
  entitlement: Entitlement;
}

/** Only used by a core with an embedded database. */
export class TelemetryDesk {
  readonly #stop = new AbortController();
  #work: Promise<void> = Promise.resolve();
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly config: DeskConfig, private readonly deps: DeskDeps) {}

  start(): void {
    if (!this.config.enabled || this.deps.db.engine !== "pglite") return;
    scheduleMinutes(
      EACH_MINUTE,
      { name: "telemetry-counts", signal: this.#stop.signal, logger: this.deps.logger },
      () => this.#inTurn(() => this.#leaveCounts()),
    );
    void this.#inTurn(() => this.#leaveCounts());
    this.#timer = setInterval(() => void this.#inTurn(() => this.#takeDryRun()), POLL_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stop.abort();
    await this.#work;
    // From now on the database itself can be opened.
    await Deno.remove(`${this.config.stateDir}/${COUNTS_FILE}`).catch(() => {});
  }

  async #leaveCounts(): Promise<void> {
    const now = this.deps.clock.now();
    const tenants = await heartbeatFacts(this.deps.db, this.deps.parts().tenantIds, now);
    const counts: z.infer<typeof Counts> = {
      at: now,
      tenants: tenants.map(({ devices, connectors, learning, ingestErrors }) => ({
        devices,
        connectors: Object.fromEntries(connectors),
        learning,
        ingest_errors: ingestErrors,
      })),
    };
    await writeJson(`${this.config.stateDir}/${COUNTS_FILE}`, counts);
  }

  async #takeDryRun(): Promise<void> {
    const { origin, place, stateDir } = this.config;
    const path = `${stateDir}/${DRY_RUN_FILE}`;
    const found = await readJson(path);
    if (found === null || origin === null) return;
    const { id: installId } = await readInstallId(place);
    const { data } = DryRun.safeParse(found);
    if (data !== undefined && installId !== null) await this.#record(data, installId, origin);
    await Deno.remove(path);
  }

  /** The file's content is untrusted: the guards check it again. */
  async #record({ text, failure }: DryRun, installId: string, origin: string): Promise<void> {
    const { productVersion, bundleVersion } = this.deps.parts();
    const { plan, keyIdHash } = this.deps.entitlement.plan();
    const violations = text === null ? [] : checkHeartbeat(text);
    const refused = violations.length === 0
      ? failure
      : `not sent: ${violations.map(violationText).join("; ")}`;
    const at = this.deps.clock.now();
    const sender = { installId, origin, licenseKeyIdHash: plan === "pro" ? keyIdHash : null };
    await this.deps.db.shared((tx) =>
      recordDryRun(tx, sender, {
        at,
        slot: slotAt(at, installId),
        versions: { product: productVersion, bundle: bundleVersion },
        payload: refused === null ? text : null,
        failure: refused,
      })
    );
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    return this.#work = this.#work.then(work).catch((error: unknown) => {
      this.deps.logger.warn("ndr telemetry cannot be served beside this service", {
        message: messageOf(error),
      });
    });
  }
}

/** Null if there is no usable file. */
async function readJson(path: string): Promise<unknown> {
  try {
    const { isFile, size } = await Deno.lstat(path);
    return isFile && size <= MAX_BYTES ? JSON.parse(await Deno.readTextFile(path)) : null;
  } catch {
    return null;
  }
}

/** Atomically, readable by this user only. */
async function writeJson(path: string, value: unknown): Promise<void> {
  const draft = `${path}.${crypto.randomUUID()}`;
  try {
    await Deno.writeTextFile(draft, JSON.stringify(value), { createNew: true, mode: 0o600 });
    await Deno.rename(draft, path);
  } catch (error) {
    await Deno.remove(draft).catch(() => {});
    throw error;
  }
}
