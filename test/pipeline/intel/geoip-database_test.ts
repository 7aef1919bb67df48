// A published database (country of IPv4 and IPv6 networks; CC0, made from data of the NRO, CC BY 4.0), in
// addition to the small ones that the unit tests generate.
import assert from "node:assert/strict";
import { GeoIp } from "../../../src/config/geoip/geoip.ts";
import { fetchNpmPackage } from "../../support/runner/npm-package.ts";

const folder = await fetchNpmPackage("@ip-location-db/geo-whois-asn-country-mmdb", "2.3.2026061719")
  .catch(() => null);

Deno.test(
  folder === null ? "a published GeoIP database: it cannot be fetched" : "a published GeoIP database is read",
  { ignore: folder === null },
  async () => {
    const dir = await Deno.makeTempDir();
    await Deno.mkdir(`${dir}/geoip`);
    await Deno.symlink(`${folder}/geo-whois-asn-country.mmdb`, `${dir}/geoip/country.mmdb`);
    const geoip = new GeoIp(dir);
    await geoip.reload();
    assert.deepEqual(geoip.faults, []);
    // Networks of registries and universities, whose location is stable.
    const countries: Record<string, string | null> = {
      "193.0.6.139": "NL",
      "133.11.0.1": "JP",
      "200.160.2.3": "BR",
      "2001:67c:2e8:22::c100:68b": "NL",
      "10.0.0.1": null,
      "fd00::1": null,
    };
    for (const [ip, country] of Object.entries(countries)) {
      assert.equal(geoip.lookup(ip).country, country, ip);
    }
    assert.deepEqual(geoip.lookup("133.11.0.1"), {
      country: "JP",
      city: null,
      latitude: null,
      longitude: null,
      asn: null,
      asOrganisation: null,
    });
    await Deno.remove(dir, { recursive: true });
  },
);
