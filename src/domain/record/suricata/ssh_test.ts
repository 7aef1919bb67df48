import assert from "node:assert/strict";
import type { JsonValue } from "../../../kit/json/json.ts";
import type { Fields } from "../fields.ts";
import { normalise } from "../registry.ts";
import { sshSoftware, sshVersion } from "../ssh.ts";

const context = { observedAt: 1_700_000_000_000_000, expectedExporters: null };

function factsOf(ssh: Fields) {
  const payload = {
    src_ip: "10.0.0.5",
    src_port: 40000,
    dest_ip: "192.0.2.7",
    dest_port: 22,
    proto: "TCP",
    ssh,
  };
  const result = normalise("suricata.ssh", payload, context);
  assert.ok("observation" in result && result.observation.facts?.type === "ssh");
  assert.equal(result.observation.service, "ssh");
  return result.observation.facts;
}

Deno.test("suricata.ssh: both banners and HASSH", () => {
  const hassh = {
    hash: "EC7378C1A92F5A8DDE7E8B7A1DDF33D1",
    string: "curve25519-sha256;aes128-ctr;hmac-sha1;none",
  };
  const hasshServer = { hash: "b12d2871a1189eff20364cf5333619ee" };
  assert.deepEqual(
    factsOf({
      client: { proto_version: "2.0", software_version: "OpenSSH_8.1", hassh },
      server: {
        proto_version: "2.0",
        software_version: "OpenSSH_7.6p1 Ubuntu-4ubuntu0.3",
        hassh: hasshServer,
      },
    }),
    {
      type: "ssh",
      version: 2,
      clientSoftware: "OpenSSH_8.1",
      serverSoftware: "OpenSSH_7.6p1 Ubuntu-4ubuntu0.3",
      hassh: "ec7378c1a92f5a8dde7e8b7a1ddf33d1",
      hasshServer: "b12d2871a1189eff20364cf5333619ee",
      hostKey: null,
      authSuccess: null,
      authAttempts: null,
    },
  );
});

Deno.test("suricata.ssh: one end only, or none", () => {
  const server = factsOf({ server: { proto_version: "2.0", software_version: "dropbear" } });
  assert.deepEqual([server.version, server.clientSoftware, server.serverSoftware], [2, null, "dropbear"]);
  const broken = factsOf({ client: { error: "invalid_banner" } });
  assert.deepEqual([broken.version, broken.clientSoftware], [null, null]);
  const payload = { src_ip: "10.0.0.5", dest_ip: "192.0.2.7", proto: "TCP" };
  assert.deepEqual(normalise("suricata.ssh", payload, context), { unparsed: "ssh: expected an object" });
});

Deno.test("sshVersion: the version both ends speak", () => {
  const cases: [JsonValue, JsonValue, number | null][] = [
    ["2.0", "2.0", 2],
    ["2.0", "1.99", 2],
    ["1.99", "1.99", 2],
    ["1.5", "1.99", 1],
    ["1.5", null, 1],
    ["1.99", null, null],
    [null, "3.0", null],
    [2, "x", null],
  ];
  for (const [client, server, version] of cases) {
    assert.equal(sshVersion(client, server), version, `${client} ${server}`);
    assert.equal(sshVersion(server, client), version, `${server} ${client}`);
  }
});

Deno.test("sshSoftware: the identification string without its protocol", () => {
  assert.equal(sshSoftware("SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n"), "OpenSSH_9.2p1 Debian-2");
  assert.equal(sshSoftware("SSH-1.99-Cisco-1.25"), "Cisco-1.25");
  assert.equal(sshSoftware("OpenSSH_8.1"), "OpenSSH_8.1");
  assert.equal(sshSoftware("SSH-2.0-"), null);
  assert.equal(sshSoftware("x".repeat(9999))?.length, 256);
  assert.equal(sshSoftware(7), null);
});
