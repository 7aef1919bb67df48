import assert from "node:assert/strict";
import { formatIp } from "../kit/net/ip.ts";
import { Faults, formatFault } from "./yaml/faults.ts";
import { defaultSite, parseSites, type SiteConfig } from "./sites.ts";

function parse(text: string): { sites: SiteConfig[]; faults: string[] } {
  const faults = new Faults();
  const sites = parseSites(text, "sites.yaml", faults);
  return { sites, faults: faults.list.map(formatFault) };
}

function networksOf(site: SiteConfig | undefined): string[] | undefined {
  return site?.networks.map((cidr) => `${formatIp(cidr.first)}/${cidr.prefix}`);
}

Deno.test("a full site and a bare one", () => {
  const { sites, faults } = parse(`
sites:
  - tenant_id: main
    site_id: hq
    display_name: Head office
    home_coordinates: { latitude: 48.1, longitude: 11.5 }
    time_zone: Europe/Berlin
    vlans:
      - { vlan_id: 10, name: Staff, cidrs: [10.1.0.0/16, "2001:db8:1::/48"] }
    networks: [10.0.0.0/8, 198.51.100.0/24]
  - tenant_id: branch
    home_coordinates: null
    vlans: [{ vlan_id: 5, name: Guests, cidrs: [203.0.113.0/24] }]
`);
  assert.deepEqual(faults, []);
  assert.deepEqual(sites.map(({ tenantId, site }) => ({ tenantId, site })), [
    {
      tenantId: "main",
      site: {
        site_id: "hq",
        display_name: "Head office",
        home_coordinates: { latitude: 48.1, longitude: 11.5 },
        vlans: [{ vlan_id: 10, name: "Staff", cidrs: ["10.1.0.0/16", "2001:db8:1::/48"] }],
        time_zone: "Europe/Berlin",
      },
    },
    {
      tenantId: "branch",
      site: {
        site_id: "branch",
        display_name: "branch",
        home_coordinates: null,
        vlans: [{ vlan_id: 5, name: "Guests", cidrs: ["203.0.113.0/24"] }],
        time_zone: "UTC",
      },
    },
  ]);
  assert.deepEqual(networksOf(sites[0]), ["10.0.0.0/8", "198.51.100.0/24", "10.1.0.0/16", "2001:db8:1::/48"]);
  assert.deepEqual(networksOf(sites[1]), [
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "fc00::/7",
    "203.0.113.0/24",
  ]);
});

Deno.test("a tenant without an entry has private networks and no location", () => {
  const site = defaultSite("other");
  assert.equal(site.site.home_coordinates, null);
  assert.deepEqual(networksOf(site), ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"]);
});

Deno.test("every fault of sites.yaml is reported with its place", () => {
  const { faults } = parse(`sites:
  - tenant_id: main
    home_coordinates: { latitude: 91, longitude: -181, height: 3 }
    networks: [10.1.2.3/8, ten]
    vlans:
      - { vlan_id: 5000, name: "", cidrs: [] }
  - tenant_id: main
    vlans:
      - { vlan_id: 7, name: a, cidrs: [] }
      - { vlan_id: 7, name: b, cidrs: [10.0.0.1] }
  - tenant_id: third
    vlans:
      - { vlan_id: 7, name: a, cidrs: [] }
      - { vlan_id: 7, name: b, cidrs: [] }
  - tenant_id: fourth
    vlans:
      - { vlan_id: 7, name: a, cidrs: [10.0.0.0/8, 10.1.0.0/16] }
      - { vlan_id: 8, name: b, cidrs: [10.1.1.0/24, 10.1.0.0/16] }
`);
  assert.deepEqual(faults, [
    "sites.yaml:3:35: sites[0].home_coordinates.latitude: expected at most 90",
    "sites.yaml:3:50: sites[0].home_coordinates.longitude: expected at least -180",
    "sites.yaml:3:56: sites[0].home_coordinates.height: unknown key, expected one of latitude, longitude",
    "sites.yaml:6:20: sites[0].vlans[0].vlan_id: expected at most 4095",
    "sites.yaml:6:32: sites[0].vlans[0].name: expected at least 1 character",
    'sites.yaml:4:16: sites[0].networks[0]: expected the network 10.0.0.0/8, got "10.1.2.3/8"',
    'sites.yaml:4:28: sites[0].networks[1]: expected a network such as 10.0.0.0/8, got "ten"',
    'sites.yaml:10:40: sites[1].vlans[1].cidrs[0]: expected a network such as 10.0.0.0/8, got "10.0.0.1"',
    "sites.yaml:7:16: sites[1].tenant_id: expected one entry per tenant, but sites[0] has it too",
    "sites.yaml:10:20: sites[1].vlans[1].vlan_id: expected one entry per VLAN, but vlans[0] has 7 too",
    "sites.yaml:14:20: sites[2].vlans[1].vlan_id: expected one entry per VLAN, but vlans[0] has 7 too",
    "sites.yaml:18:53: sites[3].vlans[1].cidrs[1]: expected a network of one VLAN only, but vlans[0] has it too",
  ]);
});

Deno.test("names of sites and VLANs are one line of plain text", () => {
  const { sites, faults } = parse(String.raw`
sites:
  - tenant_id: main
    display_name: "Head\u202e office"
    vlans: [{ vlan_id: 5, name: "Gu\u200bests", cidrs: [203.0.113.0/24] }]
`);
  assert.deepEqual(faults, []);
  const { display_name, vlans } = sites[0]!.site;
  assert.deepEqual([display_name, vlans[0]!.name], ["Head\\u{202e} office", "Gu\\u{200b}ests"]);
  const bad = parse('sites: [{ tenant_id: main, display_name: "a\\tb" }]');
  assert.match(bad.faults.join("\n"), /display_name: expected no control characters/);
});

Deno.test("a time zone that the runtime does not know, or an offset, is refused with its place", () => {
  for (const zone of ["Europe/Nowhere", "+02:00", ""]) {
    const { faults } = parse(`sites:\n  - tenant_id: main\n    time_zone: "${zone}"\n`);
    assert.deepEqual(faults, [
      `sites.yaml:3:16: sites[0].time_zone: expected an IANA time zone such as Europe/Berlin, got "${zone}"`,
    ]);
  }
});
