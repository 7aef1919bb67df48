// A generated office: the ordinary traffic of all its machines, day by day.

import type { Random } from "../random.ts";
import type { Traffic } from "../traffic.ts";
import { machinesDay } from "./machines.ts";
import { alertsDay } from "./alerts.ts";
import { personDay } from "./people.ts";
import { type OfficeSize, type Roster, rosterOf } from "./roster.ts";

export class Office {
  readonly roster: Roster;

  /** @param pages Pages that a person opens per day */
  constructor(private readonly random: Random, size: OfficeSize, private readonly pages: number) {
    this.roster = rosterOf(random, size);
  }

  writeDay(traffic: Traffic, day: number): void {
    const random = this.random.fork(`day ${day}`);
    for (const person of this.roster.people) {
      personDay(traffic, random.fork(person.ip), person, { pages: this.pages, day, roster: this.roster });
    }
    machinesDay(traffic, random.fork("machines"), this.roster, day);
    alertsDay(traffic, random.fork("alerts"), this.roster, day);
  }
}
