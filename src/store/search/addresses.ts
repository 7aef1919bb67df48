import type { Tx } from "../engine/database.ts";
import { timestampLiteral } from "../engine/literals.ts";
import { binaryArray } from "../engine/postgres/binary-array.ts";
import { type Column, relation } from "../engine/rows.ts";
import { sql, unionAll } from "../engine/sql.ts";
import { fromInet } from "../flow/flows.ts";
import type { SearchStatement } from "./term-writes.ts";

/** An external address, and the UTC day (its start, microseconds) of the receipt of a record that names it. */
export interface SeenAddress {
  ip: string;
  day: number;
}

/** Adds addresses whose place is to be looked up, each at most once; known ones only move their last day. */
export function addressWrite(tenantId: string, addresses: readonly SeenAddress[]): SearchStatement {
  const sorted = addresses.toSorted(byAddress);
  return sql`
    insert into address_geo (tenant_id, ip, seen_day)
    select ${tenantId}, u.* from (select
      unnest(${binaryArray("inet", sorted.map(({ ip }) => ip))}::inet[]),
      unnest(${binaryArray("timestamptz", sorted.map(({ day }) => day))}::timestamptz[])) as u
    on conflict (tenant_id, ip) do update set seen_day = excluded.seen_day
      where address_geo.seen_day < excluded.seen_day`;
}

/** An address and what the GeoIP files say of it; null is unknown. */
export interface AddressPlace extends SeenAddress {
  country: string | null;
  asn: number | null;
  organisation: string | null;
}

/**
 * At most `limit` addresses whose place is not that of the GeoIP files `build`; without files (null) those that still
 * have one.
 */
export async function addressesToPlace(
  tx: Tx,
  tenantId: string,
  build: string | null,
  limit: number,
): Promise<SeenAddress[]> {
  // `<>` would use no index.
  const other = build === null
    ? [sql`build is not null`]
    : [sql`build is null`, sql`build < ${build}`, sql`build > ${build}`];
  const rows = await tx.rows<{ ip: string; seen_day: number }>(sql`
    select * from (${
    unionAll(
      other.map((condition) =>
        sql`(select ip, seen_day from address_geo where tenant_id = ${tenantId} and ${condition} limit ${limit})`
      ),
    )
  }) due limit ${limit}`);
  return rows.map(({ ip, seen_day: day }) => ({ ip: fromInet(ip), day }));
}

const PLACE: Column<AddressPlace>[] = [
  { name: "ip", type: "inet", of: ({ ip }) => ip },
  { name: "seen_day", type: "timestamptz", of: ({ day }) => day },
  { name: "country", type: "text", of: ({ country }) => country },
  { name: "asn", type: "bigint", of: ({ asn }) => asn },
  { name: "organisation", type: "text", of: ({ organisation }) => organisation },
];

/** Writes places by the GeoIP files `build`; each address at most once. */
export async function writePlaces(
  tx: Tx,
  tenantId: string,
  build: string | null,
  places: readonly AddressPlace[],
): Promise<void> {
  // An upsert, because it finds each row by its key without statistics.
  await tx.run(sql`
    insert into address_geo (tenant_id, build, ip, seen_day, country, asn, organisation)
    select ${tenantId}, ${build}::text, u.* from ${relation(PLACE, places.toSorted(byAddress))}
    on conflict (tenant_id, ip) do update set country = excluded.country, asn = excluded.asn,
      organisation = excluded.organisation, build = excluded.build`);
}

/** One order for all writers, so that they never wait for each other in a circle. */
function byAddress(a: SeenAddress, b: SeenAddress): number {
  return a.ip < b.ip ? -1 : a.ip > b.ip ? 1 : 0;
}

/** Deletes the addresses that no record has named since `before` (microseconds). */
export async function expireAddresses(tx: Tx, tenantId: string, before: number): Promise<void> {
  await tx.run(sql`
    delete from address_geo
    where tenant_id = ${tenantId} and seen_day < ${timestampLiteral(before)}::timestamptz`);
}
