import { AddressPlaces } from "../../core/jobs/address-places.ts";
import { DeviceUpkeep } from "../../core/jobs/device-upkeep.ts";
import { EventLogKeeper } from "../../core/jobs/event-log-keeper.ts";
import { HealthWatch } from "../../core/jobs/health-watch.ts";
import type { HealthReporter } from "../../core/health-reporter.ts";
import { IdentityJob } from "../../core/jobs/identity-job.ts";
import { IntelBackfill } from "../../core/jobs/intel/intel-backfill.ts";
import type { IntelWatch } from "../../core/jobs/intel/intel-watch.ts";
import { SensorWatcher } from "../../core/jobs/sensor-watcher.ts";
import { TermCounter } from "../../core/jobs/term-counter.ts";
import { Upkeep } from "../../core/jobs/upkeep.ts";
import { announcePast } from "../../pipeline/stages/past-intel.ts";
import { gatesOf } from "../tenants.ts";
import type { CoreBase } from "./base.ts";

/** Work in the background, from `start` until `stop`, which resolves after the work under way. */
export interface Job {
  start(): void;
  stop(): Promise<void>;
}

/** Matches stored records against new threat intelligence. */
export function createIntelPast(base: CoreBase, intel: IntelWatch): IntelBackfill {
  const { config: { logging }, store: { db, disk }, clock, sites, response } = base;
  return new IntelBackfill({ tenants: sites }, {
    db,
    clock,
    logger: logging.logger("intel"),
    intel: () => intel.current(),
    mayWrite: () => disk.isOpen(),
    announce: (tx, tenantId, found) =>
      announcePast(tx, {
        tenantId,
        networks: sites.get(tenantId)?.networks ?? [],
        found,
        now: clock.now(),
        gates: gatesOf(response(), tenantId),
      }),
  });
}

/** Looks up where external addresses are. */
export function createAddressPlaces(
  { config, store: { db }, sites }: CoreBase,
  intel: IntelWatch,
): AddressPlaces {
  const logger = config.logging.logger("intel");
  return new AddressPlaces({ tenants: sites.keys() }, { db, logger, geoip: intel.geoip });
}

/** Retention and partitions. */
export function createUpkeep({ config, store: { db, disk }, clock, time, sites }: CoreBase): Upkeep {
  return new Upkeep(config.environment, {
    db,
    clock,
    logger: config.logging.logger("upkeep"),
    time,
    zoneOf: (tenantId) => sites.get(tenantId)?.site.time_zone,
    room: () => disk.facts().space?.free ?? null,
  });
}

/** Classification and inventory of devices, with the inventory already applied. */
export async function createDeviceUpkeep(base: CoreBase): Promise<DeviceUpkeep> {
  const { config: { inventory, logging }, store: { db }, clock, sites } = base;
  const devices = new DeviceUpkeep({ tenants: sites, inventory }, {
    db,
    clock,
    logger: logging.logger("devices"),
  });
  await devices.prepare();
  return devices;
}

/** Device identities, sensors, health transitions, the event log and the dictionary, in the order of their start. */
export function createWatchers(base: CoreBase, health: HealthReporter): Job[] {
  const { config: { environment, logging }, store: { db, disk }, clock, sites, tenants } = base;
  return [
    new IdentityJob({ enabled: environment.identityJob }, {
      db,
      clock,
      logger: logging.logger("identity"),
    }),
    new SensorWatcher({ tenants }, {
      db,
      clock,
      logger: logging.logger("sensors"),
      canReceive: () => disk.isOpen(),
    }),
    new HealthWatch({ tenants: sites.keys() }, {
      db,
      clock,
      logger: logging.logger("health"),
      reporter: health,
    }),
    new EventLogKeeper({ db, clock, logger: logging.logger("upkeep") }),
    new TermCounter({ tenants: sites.keys() }, { db, logger: logging.logger("upkeep") }),
  ];
}
