import assert from "node:assert/strict";
import fc from "fast-check";
import { mayBeReceiver } from "./receiver-address.ts";

Deno.test("a cloud metadata address is refused, however it is written", () => {
  const refused = [
    ...["169.254.169.254", "169.254.170.2", "169.254.0.1", "100.100.100.200", "192.0.0.192", "168.63.129.16"],
    ...["fd00:ec2::254", "FD00:0EC2:0:0::254", "fd20:ce::254", "fe80::1", "fe80::a9fe:a9fe%eth0", "febf::1"],
    // IPv6 that embeds such an address: mapped, compatible, NAT64, 6to4.
    ...[
      "::ffff:169.254.169.254",
      "::ffff:a9fe:a9fe",
      "::a9fe:a9fe",
      "64:ff9b::a9fe:a9fe",
      "2002:a9fe:a9fe::1",
    ],
    // SIIT, local-use NAT64, ISATAP, Teredo server, Teredo client (its bits inverted), site-local.
    ...[
      "::ffff:0:169.254.169.254",
      "64:ff9b:1::a9fe:a9fe",
      "64:ff9b:1:a9fe:a9:fe00::",
      "64:ff9b:1:a9fe:a9:fe00:c000:201",
      "2001:db8::5efe:169.254.169.254",
      "2001:db8::200:5efe:168.63.129.16",
      "2001:0:a9fe:a9fe::1",
      "2001:0:c000:201:0:1:5601:5601",
      "2001:0:c000:201:0:1:9b9b:9b37",
      "fec0::1",
      "feff::a9fe:a9fe",
    ],
    // Embedded twice: 6to4, and ISATAP in its interface identifier.
    "2002:a9fe:a9fe:0:0:5efe:c000:201",
    "2002:c000:201:0:0:5efe:a9fe:a9fe",
    // Unspecified, broadcast, multicast.
    ...["0.0.0.0", "::", "255.255.255.255", "224.0.0.1", "ff02::1"],
  ];
  assert.deepEqual(refused.filter(mayBeReceiver), []);
});

Deno.test("addresses of this host, of private networks and of the internet are accepted", () => {
  const allowed = [
    ...["127.0.0.1", "::1", "10.0.0.7", "192.168.1.9", "172.16.0.1", "fd12:3456::1", "100.64.0.1"],
    ...[
      "203.0.113.9",
      "2001:db8::9",
      "::ffff:192.0.2.1",
      "64:ff9b::c000:201",
      "64:ff9b:1::c000:201",
      "::ffff:0:192.0.2.1",
    ],
    ...["2001:db8::5efe:192.0.2.1", "2001:0:c000:201:0:1:3fff:fdfe", "2002:c000:201::1"],
  ];
  assert.deepEqual(allowed.filter((address) => !mayBeReceiver(address)), []);
});

Deno.test("texts that are not addresses are refused, and nothing throws", () => {
  assert.deepEqual(["", "receiver.example", "010.0.0.1", "1", "127.1", "[::1]"].filter(mayBeReceiver), []);
  fc.assert(fc.property(fc.string(), (text) => typeof mayBeReceiver(text) === "boolean"));
});
