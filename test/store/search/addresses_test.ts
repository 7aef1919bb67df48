import assert from "node:assert/strict";
import { GeoIp } from "../../../src/config/geoip/geoip.ts";
import { AddressPlaces, placeAddresses } from "../../../src/core/jobs/address-places.ts";
import { silentLogger } from "../../../src/observe/log.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { expireRows } from "../../../src/store/upkeep/retention.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { addressWrite } from "../../../src/store/search/addresses.ts";
import { mmdb, type MmdbValue } from "../../support/config/mmdb-fixtures.ts";
import { testDatabases } from "../../support/database.ts";
import { DAY, NOON } from "../record/records.ts";

const TODAY = Math.floor(NOON / DAY) * DAY;
const ADDRESSES = ["203.0.113.7", "198.51.100.9", "2001:db8:7::7"];

async function see(db: Database, ips: readonly string[], day = TODAY, tenantId = "main"): Promise<void> {
  await db.tenant(tenantId, (tx) => tx.run(addressWrite(tenantId, ips.map((ip) => ({ ip, day })))));
}

/** `address country asn organisation`, sorted. */
async function places(db: Database, tenantId = "main"): Promise<string[]> {
  const rows = await db.tenant(tenantId, (tx) =>
    tx.rows<{ place: string }>(sql`
      select concat_ws(' ', host(ip), country, asn, organisation) as place from address_geo order by 1`));
  return rows.map(({ place }) => place);
}

async function withGeoip(test: (geoip: GeoIp, put: Put) => Promise<void>): Promise<void> {
  const dir = await Deno.makeTempDir();
  await Deno.mkdir(`${dir}/geoip`);
  try {
    const geoip = new GeoIp(dir);
    await test(geoip, async (file, networks) => {
      const path = `${dir}/geoip/${file}`;
      if (networks === null) await Deno.remove(path);
      else await Deno.writeFile(path, mmdb({ networks }));
      await geoip.reload();
    });
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

/** Writes a database file, or removes it. */
type Put = (file: string, networks: Readonly<Record<string, MmdbValue>> | null) => Promise<void>;

testDatabases("addresses: their places follow the GeoIP files", async (db) => {
  await see(db, ADDRESSES);
  await withGeoip(async (geoip, put) => {
    const place = () => placeAddresses({ db, geoip }, "main", undefined, 2);
    assert.equal(await place(), 0, "nothing is known without files");
    await put("country.mmdb", { "203.0.113.0/24": { country: { iso_code: "NL" } } });
    assert.equal(await place(), 3);
    assert.equal(await place(), 0, "each address is looked up once");
    assert.deepEqual(await places(db), ["198.51.100.9", "2001:db8:7::7", "203.0.113.7 NL"]);

    await see(db, ["203.0.113.8"]);
    assert.equal(await place(), 1);
    await put("network.mmdb", {
      "198.51.100.0/24": {
        autonomous_system_number: 4_200_000_000,
        autonomous_system_organization: "Example",
      },
    });
    assert.equal(await place(), 4, "all again after a file was added");
    const both = ["198.51.100.9 4200000000 Example", "2001:db8:7::7", "203.0.113.7 NL", "203.0.113.8 NL"];
    assert.deepEqual(await places(db), both);

    await put("country.mmdb", null);
    await put("network.mmdb", null);
    assert.equal(await place(), 4);
    assert.deepEqual(await places(db), ["198.51.100.9", "2001:db8:7::7", "203.0.113.7", "203.0.113.8"]);
    assert.equal(await place(), 0);
  });
});

testDatabases("addresses: seeing one again keeps its place, and it expires by the last day", async (db) => {
  await see(db, ADDRESSES.slice(0, 2), TODAY - 5 * DAY);
  await withGeoip(async (geoip, put) => {
    await put("country.mmdb", { "203.0.113.0/24": { country: { iso_code: "NL" } } });
    await placeAddresses({ db, geoip }, "main");
    await see(db, [ADDRESSES[0]!]);
    await see(db, [ADDRESSES[0]!], TODAY - 9 * DAY);
    assert.equal(await placeAddresses({ db, geoip }, "main"), 0);
  });
  await db.tenant("main", (tx) => expireRows(tx, "main", TODAY + 26 * DAY, 30));
  assert.equal((await places(db)).length, 2);
  await db.tenant("main", (tx) => expireRows(tx, "main", TODAY + 27 * DAY, 30));
  assert.deepEqual(await places(db), ["203.0.113.7 NL"]);
});

testDatabases("addresses: the job looks up those of every tenant", async (db) => {
  await see(db, ADDRESSES);
  await see(db, [ADDRESSES[0]!], TODAY, "branch");
  await withGeoip(async (geoip, put) => {
    await put("country.mmdb", { "203.0.113.0/24": { country: { iso_code: "NL" } } });
    const job = new AddressPlaces({ tenants: ["main", "branch"] }, { db, logger: silentLogger, geoip });
    await job.written();
    await job.stop();
  });
  assert.deepEqual(await places(db, "branch"), ["203.0.113.7 NL"]);
  assert.equal((await places(db)).at(-1), "203.0.113.7 NL");
});
