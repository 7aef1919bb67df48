import assert from "node:assert/strict";
import { formatFault } from "../yaml/faults.ts";
import { GeoIp } from "./geoip.ts";
import { mmdb, type MmdbValue } from "../../../test/support/config/mmdb-fixtures.ts";

const NOTHING = {
  country: null,
  city: null,
  latitude: null,
  longitude: null,
  asn: null,
  asOrganisation: null,
};

function city(name: string, country: string): MmdbValue {
  return {
    city: { names: { en: name } },
    country: { iso_code: country },
    location: { latitude: 52.5, longitude: -13.4 },
  };
}

function asn(number: number, name: string): MmdbValue {
  return { autonomous_system_number: number, autonomous_system_organization: name };
}

const CITIES = mmdb({
  networks: { "198.51.100.0/24": city("Berlin", "DE"), "2001:db8::/32": city("Lyon", "FR") },
});

/** Runs a test with these files in a folder `geoip`. */
function withFiles(
  files: Record<string, Uint8Array>,
  test: (geoip: GeoIp, write: (name: string, bytes: Uint8Array | null) => void, dir: string) => Promise<void>,
): () => Promise<void> {
  return async () => {
    const dir = Deno.makeTempDirSync();
    Deno.mkdirSync(`${dir}/geoip`);
    const write = (name: string, bytes: Uint8Array | null) =>
      bytes === null
        ? Deno.removeSync(`${dir}/geoip/${name}`)
        : Deno.writeFileSync(`${dir}/geoip/${name}`, bytes);
    for (const [name, bytes] of Object.entries(files)) write(name, bytes);
    try {
      const geoip = new GeoIp(dir);
      await geoip.reload();
      await test(geoip, write, dir);
    } finally {
      Deno.removeSync(dir, { recursive: true });
    }
  };
}

Deno.test(
  "a place from one database, a network from another",
  withFiles({
    "asn.mmdb": mmdb({
      networks: { "198.51.0.0/16": asn(64500, "Example Networks") },
      ipVersion: 4,
      recordSize: 28,
    }),
    "city.mmdb": CITIES,
  }, (geoip) => {
    assert.deepEqual(geoip.faults, []);
    assert.deepEqual(geoip.lookup("198.51.100.7"), {
      country: "DE",
      city: "Berlin",
      latitude: 52.5,
      longitude: -13.4,
      asn: 64500,
      asOrganisation: "Example Networks",
    });
    assert.deepEqual(geoip.lookup("198.51.7.7"), {
      ...NOTHING,
      asn: 64500,
      asOrganisation: "Example Networks",
    });
    assert.equal(geoip.lookup("2001:DB8:0::7").city, "Lyon");
    assert.equal(geoip.lookup("::ffff:198.51.100.7").city, "Berlin");
    assert.deepEqual(geoip.lookup("203.0.113.1"), NOTHING);
    assert.deepEqual(geoip.lookup("10.0.0.1"), NOTHING);
    assert.deepEqual(geoip.lookup("no address"), NOTHING);
    return Promise.resolve();
  }),
);

Deno.test(
  "an IPv6 address is not looked up by its first bits in an IPv4 database",
  // 32.1.13.184 has the first bits of 2001:db8::.
  withFiles(
    { "v4.mmdb": mmdb({ networks: { "32.1.13.184/32": asn(64500, "x") }, ipVersion: 4 }) },
    (geoip) => {
      assert.equal(geoip.lookup("32.1.13.184").asn, 64500);
      assert.equal(geoip.lookup("2001:db8::7").asn, null);
      return Promise.resolve();
    },
  ),
);

for (const recordSize of [24, 28, 32] as const) {
  Deno.test(
    `a database with records of ${recordSize} bits`,
    withFiles({
      "x.mmdb": mmdb({
        recordSize,
        networks: {
          "198.51.100.0/25": { country: "DE" },
          "198.51.100.128/25": { country: "AT", city: "Wien".repeat(10) },
        },
      }),
    }, (geoip) => {
      assert.equal(geoip.lookup("198.51.100.127").country, "DE");
      assert.equal(geoip.lookup("198.51.100.128").city, "Wien".repeat(10));
      return Promise.resolve();
    }),
  );
}

Deno.test(
  "a place comes as a whole from the most detailed database",
  withFiles({
    "a-country.mmdb": mmdb({
      networks: { "198.51.100.0/24": { country: "CH" }, "203.0.113.0/24": { country: "CH" } },
    }),
    "b-city.mmdb": CITIES,
    "c-city.mmdb": mmdb({ networks: { "198.51.100.0/24": city("Potsdam", "DE") } }),
  }, (geoip) => {
    assert.deepEqual([geoip.lookup("198.51.100.7").country, geoip.lookup("198.51.100.7").city], [
      "DE",
      "Berlin",
    ]);
    assert.equal(geoip.lookup("203.0.113.7").country, "CH");
    return Promise.resolve();
  }),
);

Deno.test(
  "broken files are faults and do not affect the others",
  withFiles({
    "city.mmdb": CITIES,
    "cut.mmdb": CITIES.slice(0, CITIES.length - 200),
    "empty.mmdb": new Uint8Array(),
    "headless.mmdb": CITIES.slice(CITIES.length - 250),
    "new.mmdb": mmdb({ networks: { "198.51.100.0/24": city("x", "DE") }, formatVersion: 3 }),
    "page.mmdb": new TextEncoder().encode("<html>404 not found</html>"),
    "GeoLite2-City.tar.gz": new Uint8Array(10),
  }, (geoip, _write, dir) => {
    assert.deepEqual(geoip.faults.map((fault) => formatFault(fault).replaceAll(`${dir}/`, "")), [
      "geoip/GeoLite2-City.tar.gz: expected a name that ends in .mmdb; the file is not read",
      "geoip/cut.mmdb: expected a GeoIP or ASN database, but it is no MMDB file or truncated",
      "geoip/empty.mmdb: expected a GeoIP or ASN database, but it is no MMDB file or truncated",
      "geoip/headless.mmdb: expected a GeoIP or ASN database, but it is truncated",
      "geoip/new.mmdb: expected a GeoIP or ASN database, but it has format version 3, not 2",
      "geoip/page.mmdb: expected a GeoIP or ASN database, but it is no MMDB file or truncated",
    ]);
    assert.equal(geoip.lookup("198.51.100.7").city, "Berlin");
    return Promise.resolve();
  }),
);

Deno.test(
  "a damaged record is a fault when it is read, and gives no answer; others are answered",
  withFiles({}, async (geoip, write) => {
    const damaged = CITIES.slice();
    // Zeros are no value type: here, of the city named Berlin.
    const place = new TextDecoder("latin1").decode(CITIES).indexOf("Berlin");
    damaged.fill(0, place - 1, place + 6);
    write("city.mmdb", damaged);
    assert.ok(await geoip.reload());
    assert.deepEqual(geoip.faults, []);
    assert.deepEqual(geoip.lookup("198.51.100.7"), NOTHING);
    assert.deepEqual(geoip.lookup("198.51.100.8"), NOTHING);
    assert.equal(geoip.lookup("2001:db8::7").city, "Lyon");
    assert.equal(geoip.faults.length, 1);
    assert.match(formatFault(geoip.faults[0]!), /city\.mmdb: expected a record of 198\.51\.100\.7, but /);
  }),
);

Deno.test(
  "a changed file is reopened; a broken one keeps its earlier version",
  withFiles({ "city.mmdb": CITIES }, async (geoip, write) => {
    assert.equal(geoip.lookup("198.51.100.7").city, "Berlin");
    assert.equal(await geoip.reload(), false);
    write("city.mmdb", mmdb({ networks: { "198.51.100.0/24": city("Bremen-Nord", "DE") } }));
    assert.equal(await geoip.reload(), true);
    assert.equal(geoip.lookup("198.51.100.7").city, "Bremen-Nord");

    write("city.mmdb", new Uint8Array(5));
    assert.equal(await geoip.reload(), false);
    assert.equal(geoip.lookup("198.51.100.7").city, "Bremen-Nord");
    assert.match(geoip.faults[0]!.message, /no MMDB file or truncated; its earlier version is used$/);

    write("asn.mmdb", mmdb({ networks: { "198.51.100.0/24": asn(64500, "x") } }));
    assert.equal(await geoip.reload(), true);
    assert.deepEqual([geoip.lookup("198.51.100.7").city, geoip.lookup("198.51.100.7").asn], [
      "Bremen-Nord",
      64500,
    ]);

    write("city.mmdb", null);
    write("asn.mmdb", null);
    assert.equal(await geoip.reload(), true);
    assert.deepEqual(geoip.lookup("198.51.100.7"), NOTHING);
    assert.deepEqual(geoip.faults, []);
    assert.ok(geoip.isEmpty);
  }),
);

Deno.test("without the folder there is nothing, and no fault", async () => {
  const dir = Deno.makeTempDirSync();
  const geoip = new GeoIp(dir);
  assert.equal(await geoip.reload(), false);
  assert.ok(geoip.isEmpty);
  assert.deepEqual(geoip.faults, []);
  assert.deepEqual(geoip.lookup("198.51.100.7"), NOTHING);
  Deno.removeSync(dir);
});

Deno.test("a file that would not fit into memory is not read", async () => {
  const dir = Deno.makeTempDirSync();
  Deno.mkdirSync(`${dir}/geoip`);
  Deno.writeFileSync(`${dir}/geoip/city.mmdb`, CITIES);
  const geoip = new GeoIp(dir, CITIES.length - 1);
  await geoip.reload();
  assert.match(geoip.faults[0]!.message, /more than \d+$/);
  Deno.removeSync(dir, { recursive: true });
});

Deno.test(
  "more addresses than are cached are all answered",
  withFiles({ "x.mmdb": mmdb({ networks: { "198.51.0.0/16": { country: "DE" } } }) }, (geoip) => {
    for (let i = 0; i < 20_000; i++) assert.equal(geoip.lookup(`198.51.${i >> 8}.${i & 255}`).country, "DE");
    assert.equal(geoip.lookup("198.51.0.0").country, "DE");
    return Promise.resolve();
  }),
);

Deno.test(
  "an address without a global location has none, even if a database has one",
  withFiles({
    "city.mmdb": mmdb({
      networks: Object.fromEntries(
        [10, 127, 169, 172, 192, 198, 224].map((first) => [`${first}.0.0.0/8`, city("Sydney", "AU")]),
      ),
    }),
  }, (geoip) => {
    assert.equal(geoip.lookup("198.51.100.7").country, "AU");
    for (const ip of ["10.0.0.5", "172.16.0.1", "192.168.0.4", "127.0.0.1", "169.254.1.1", "224.0.0.1"]) {
      assert.deepEqual(geoip.lookup(ip), NOTHING, ip);
    }
    return Promise.resolve();
  }),
);
