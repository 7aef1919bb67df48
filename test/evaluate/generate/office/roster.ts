// The machines of a generated office, 10.20.0.0/16, and who uses them.

import type { Random } from "../random.ts";

export const NETWORK = "10.20.0.0/16";
export const GATEWAY = "10.20.0.1";
export const DOMAIN_CONTROLLER = "10.20.0.10";
export const FILE_SERVER = "10.20.0.11";
export const STORAGE = "10.20.0.12";
export const MONITORING = "10.20.0.13";
export const MAIL_SERVER = "10.20.0.14";
export const RECORDER = "10.20.0.15";
export const DHCP_SPARE = "10.20.0.16";
export const SERVERS = [
  DOMAIN_CONTROLLER,
  FILE_SERVER,
  STORAGE,
  MONITORING,
  MAIL_SERVER,
  RECORDER,
  DHCP_SPARE,
] as const;

export const DAY = 86_400;
export const HOUR = 3600;
/** Monday, 2 March 2026, 00:00 UTC. */
export const BEGIN = Date.UTC(2026, 2, 2) / 1000;

export interface Person {
  ip: string;
  user: string;
  /** Usual hours of work, seconds of the day. */
  from: number;
  to: number;
  /** First day at work; later than 0 for a new employee. */
  since: number;
  /** Days of leave. */
  away: ReadonlySet<number>;
  /** Leaves the machine on at night. */
  alwaysOn: boolean;
  /** Position among the people: some habits belong to one of them. */
  index: number;
}

/** Which machines an office has, besides its servers and its gateway. */
export interface OfficeSize {
  people: number;
  phones: number;
  printers: number;
  cameras: number;
  deskPhones: number;
  /** Television, thermostat, badge reader and sensor hub, in this order. */
  things: number;
}

/** 60 devices with the servers and the gateway. */
export const LARGE: OfficeSize = { people: 32, phones: 6, printers: 3, cameras: 3, deskPhones: 4, things: 4 };

export interface Roster {
  people: Person[];
  phones: string[];
  printers: string[];
  cameras: string[];
  deskPhones: string[];
  things: string[];
}

function addressesOf(net: number, count: number, first = 11): string[] {
  return Array.from({ length: count }, (_, index) => `10.20.${net}.${first + index}`);
}

/** The addresses of an office by kind. */
export function placesOf(size: OfficeSize): Record<keyof OfficeSize, string[]> {
  return {
    people: addressesOf(1, size.people, 21),
    phones: addressesOf(4, size.phones, 31),
    printers: addressesOf(2, size.printers),
    cameras: addressesOf(3, size.cameras),
    deskPhones: addressesOf(5, size.deskPhones),
    things: addressesOf(6, size.things),
  };
}

export function rosterOf(random: Random, size: OfficeSize): Roster {
  const { people, ...machines } = placesOf(size);
  return {
    people: people.map((ip, index) => personOf(random.fork(`person ${index}`), ip, index)),
    ...machines,
  };
}

function personOf(random: Random, ip: string, index: number): Person {
  const away = new Set<number>();
  // Every eighth person is on leave for some days, and comes back.
  if (index % 8 === 5) {
    const first = random.int(1, 4);
    for (let day = first; day < first + random.int(2, 4); day++) away.add(day);
  }
  return {
    ip,
    user: `user${String(index).padStart(2, "0")}`,
    from: random.normal(8.25 * HOUR, 0.5 * HOUR),
    to: random.normal(17 * HOUR, 0.6 * HOUR),
    // One new employee starts in the second week.
    since: index === 17 ? 7 : 0,
    away,
    alwaysOn: random.chance(0.3),
    index,
  };
}

export function isWeekend(day: number): boolean {
  return day % 7 >= 5;
}
