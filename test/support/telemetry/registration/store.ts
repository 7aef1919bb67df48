// The storage of a registration server, in one SQLite file: registrations, heartbeats of 90 days, and daily
// counts.

import { DatabaseSync } from "node:sqlite";
import type { Heartbeat } from "../../../../src/contract/telemetry/heartbeat.ts";
import type { Registration } from "../../../../src/contract/telemetry/registration.ts";
import { formatMillis } from "../../../../src/kit/time.ts";
import { countedValues } from "./counted.ts";
import { MOST_HEARTBEATS_A_DAY } from "./protocol.ts";

const RETENTION_DAYS = 90;
const DAY = 86_400_000_000;

/** Times are RFC 3339 in UTC, so that they sort as text; their first ten characters are the day. */
const SCHEMA = `
create table if not exists registration (
  install_id          text not null primary key,
  product_version     text not null,
  plan                text not null,
  license_key_id_hash text,
  registered_at       text not null,
  -- Since when it names this licence: its place among those that want a seat of it.
  licensed_since      text,
  last_heard_at       text not null
) strict, without rowid;
create index if not exists registration_license on registration (license_key_id_hash, licensed_since, install_id);
create table if not exists heartbeat (
  id             integer primary key,
  install_id     text not null,
  received_at    text not null,
  country        text,
  -- Whether the pro plan that it tells of has an active licence; null on the free plan.
  license_active integer,
  payload        text not null
) strict;
create index if not exists heartbeat_installation on heartbeat (install_id, received_at);
create index if not exists heartbeat_received on heartbeat (received_at);
create table if not exists daily_aggregate (
  day           text    not null,
  field         text    not null,
  value         text    not null,
  installations integer not null,
  primary key (day, field, value)
) strict, without rowid;
create table if not exists counted_day (day text not null primary key) strict, without rowid;
`;

/** Fields the server adds to a heartbeat. */
interface Added {
  country: string | null;
  licenseActive: boolean | null;
  /** Microseconds. */
  receivedAt: number;
}

/** Times in microseconds. Only the fields named here are stored. */
export class RegistrationStore {
  readonly #db: DatabaseSync;

  constructor(path: string) {
    this.#db = new DatabaseSync(path);
    // Overwrite deleted rows instead of only unlinking them.
    this.#db.exec("pragma secure_delete = on; pragma journal_mode = truncate; pragma synchronous = full");
    this.#db.exec(SCHEMA);
  }

  /** Records contact with an installation. Returns true if it was unknown. */
  register(
    { install_id, product_version, plan, license_key_id_hash }: Pick<
      Registration,
      "install_id" | "product_version" | "plan" | "license_key_id_hash"
    >,
    now: number,
  ): boolean {
    const at = formatMillis(now);
    const known = this.#db.prepare("select 1 from registration where install_id = ?").get(install_id);
    this.#db.prepare(`
      insert into registration (install_id, product_version, plan, license_key_id_hash, registered_at, licensed_since, last_heard_at)
      values ($id, $version, $plan, $hash, $at, iif($hash is null, null, $at), $at)
      on conflict (install_id) do update set product_version = $version, plan = $plan, license_key_id_hash = $hash,
        licensed_since = case when $hash is null then null when license_key_id_hash is $hash then licensed_since else $at end,
        last_heard_at = $at`).run({
      $id: install_id,
      $version: product_version,
      $plan: plan,
      $hash: license_key_id_hash,
      $at: at,
    });
    return known === undefined;
  }

  /** Whether an installation is among the first `seats` to register the licence with this hash. */
  hasSeat(installId: string, keyIdHash: string, seats: number): boolean {
    const row = this.#db.prepare(`
      select 1 from (
        select install_id from registration where license_key_id_hash = ? order by licensed_since, install_id limit ?)
      where install_id = ?`).get(keyIdHash, seats, installId);
    return row !== undefined;
  }

  /** Returns false and stores nothing if the installation has reached the day's limit. */
  addHeartbeat(
    text: string,
    { install_id }: Heartbeat,
    { country, licenseActive, receivedAt }: Added,
  ): boolean {
    const at = formatMillis(receivedAt);
    const { count } = this.#db.prepare(
      "select count(*) as count from heartbeat where install_id = ? and received_at >= ?",
    ).get(install_id, at.slice(0, 10)) as { count: number };
    if (count >= MOST_HEARTBEATS_A_DAY) return false;
    const active = licenseActive === null ? null : licenseActive ? 1 : 0;
    this.#db.prepare(
      "insert into heartbeat (install_id, received_at, country, license_active, payload) values (?, ?, ?, ?, ?)",
    )
      .run(install_id, at, country, active, text);
    return true;
  }

  /** Removes everything that identifies an installation. */
  forget(installId: string): void {
    this.#inTransaction(() => {
      this.#db.prepare("delete from heartbeat where install_id = ?").run(installId);
      this.#db.prepare("delete from registration where install_id = ?").run(installId);
    });
  }

  /** Counts the completed days, then removes what is older than 90 days. */
  upkeep(now: number): void {
    this.#inTransaction(() => {
      for (const day of this.#daysToCount(formatMillis(now).slice(0, 10))) this.#countDay(day);
      const end = formatMillis(now - RETENTION_DAYS * DAY);
      this.#db.prepare("delete from heartbeat where received_at < ?").run(end);
      this.#db.prepare("delete from registration where last_heard_at < ?").run(end);
    });
  }

  close(): void {
    this.#db.close();
  }

  #daysToCount(today: string): string[] {
    const rows = this.#db.prepare(`
      select distinct substr(received_at, 1, 10) as day from heartbeat
      where received_at < ? and substr(received_at, 1, 10) not in (select day from counted_day) order by day`)
      .all(today);
    return rows.map(({ day }) => String(day));
  }

  /** An installation counts once a day, with its last heartbeat of that day. */
  #countDay(day: string): void {
    const rows = this.#db.prepare(`
      select payload, country, license_active from heartbeat where id in (
        select max(id) from heartbeat where substr(received_at, 1, 10) = ? group by install_id)`).all(day);
    const count = this.#db.prepare(`
      insert into daily_aggregate (day, field, value, installations) values (?, ?, ?, 1)
      on conflict (day, field, value) do update set installations = installations + 1`);
    for (const { payload, country, license_active: active } of rows) {
      const heartbeat: Heartbeat = JSON.parse(String(payload));
      const values: [string, string][] = [
        ["installations", "all"],
        ...countedValues(heartbeat),
        ["country", country === null ? "unknown" : String(country)],
        ...active === null ? [] : [["license_active", active === 1 ? "yes" : "no"] as [string, string]],
      ];
      for (const [field, value] of values) count.run(day, field, value);
    }
    this.#db.prepare("insert into counted_day (day) values (?)").run(day);
  }

  #inTransaction(work: () => void): void {
    this.#db.exec("begin immediate");
    try {
      work();
      this.#db.exec("commit");
    } catch (error) {
      this.#db.exec("rollback");
      throw error;
    }
  }
}
