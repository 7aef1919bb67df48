import assert from "node:assert/strict";
import fc from "fast-check";
import { formatIp } from "../../kit/net/ip.ts";
import { type Hint, readIndicator } from "./read-indicator.ts";

/** `kind text`, plus `only` for an exact name; or the expectation. */
function read(value: string, hint: Hint = null): string {
  const found = readIndicator(value, hint);
  if ("expected" in found) return found.expected;
  if (found.kind === "cidr") return `cidr ${formatIp(found.cidr.first)}/${found.cidr.prefix}`;
  return `${found.kind} ${found.text}${found.kind === "domain" && found.exact ? " only" : ""}`;
}

function each(cases: Record<string, string>): void {
  for (const [value, expected] of Object.entries(cases)) assert.equal(read(value), expected, value);
}

const SHA1 = "4da14224452c1fe61f46b1112c43ecfd9f322c82";
const MD5 = "e7d705a3286e19ea42f587b344ee6865";

Deno.test("the kind of an indicator follows from its form", () => {
  each({
    "198.51.100.7": "ip 198.51.100.7",
    "2001:DB8::0:7": "ip 2001:db8::7",
    "::ffff:198.51.100.7": "ip 198.51.100.7",
    "198.51.100.0/24": "cidr 198.51.100.0/24",
    "198.51.100.9/24": "cidr 198.51.100.0/24",
    "198.51.100.9/32": "ip 198.51.100.9",
    "2001:db8:7::/48": "cidr 2001:db8:7::/48",
    "2001:db8::7/128": "ip 2001:db8::7",
    "Evil.Example.": "domain evil.example",
    "xn--e1afmkfd.xn--p1ai": "domain xn--e1afmkfd.xn--p1ai",
    "пример.рф": "domain пример.рф",
    "_dmarc.evil-1.example": "domain _dmarc.evil-1.example",
    "http://Evil.Example/A/b?c=D#e": "url evil.example/A/b?c=D",
    "https://evil.example": "url evil.example/",
    "http://evil.example?x=1": "url evil.example/?x=1",
    "http://me:secret@198.51.100.7:8080/bin.sh": "url 198.51.100.7/bin.sh",
    "http://[2001:DB8::7]:8080/x": "url 2001:db8::7/x",
    "evil.example/gate.php": "url evil.example/gate.php",
    [MD5.toUpperCase()]: `ja3 ${MD5}`,
    "t13d1516h2_8daaf6152771_b186095e22b6": "ja4 t13d1516h2_8daaf6152771_b186095e22b6",
    "q13d0310h3_55b375c5d22e_cd85d2d88918": "ja4 q13d0310h3_55b375c5d22e_cd85d2d88918",
    [SHA1]: `certificate ${SHA1}`,
    [SHA1.toUpperCase().replace(/..(?=.)/g, "$&:")]: `certificate ${SHA1}`,
    ["ab".repeat(32)]: `certificate ${"ab".repeat(32)}`,
  });
});

Deno.test("defanged spellings are accepted", () => {
  each({
    "198.51.100[.]7": "ip 198.51.100.7",
    "198[.]51[.]100[.]0/24": "cidr 198.51.100.0/24",
    "evil[.]example": "domain evil.example",
    "evil(.)example": "domain evil.example",
    "evil[dot]example": "domain evil.example",
    "www{.}evil(DOT)example": "domain www.evil.example",
    "hxxp://evil[.]example/x": "url evil.example/x",
    "hXXps[:]//evil.example/x": "url evil.example/x",
    "hxxps[://]evil.example[/]x": "url evil.example/x",
  });
});

Deno.test("a port is dropped", () => {
  each({
    "198.51.100.7:443": "ip 198.51.100.7",
    "[2001:db8::7]:443": "ip 2001:db8::7",
    "[2001:db8::7]": "ip 2001:db8::7",
    "2001:db8::443": "ip 2001:db8::443",
    "evil.example:8443": "domain evil.example",
    "198.51.100.7|443": "ip 198.51.100.7",
    "evil.example|198.51.100.7": "domain evil.example",
  });
});

Deno.test("indicators that would flag a site's own network or half of the internet are rejected", () => {
  each({
    "10.1.2.3": "expected a public address, but 10.1.2.3 is private",
    "192.168.0.1:80": "expected a public address, but 192.168.0.1 is private",
    "172.31.255.255": "expected a public address, but 172.31.255.255 is private",
    "100.64.0.1": "expected a public address, but 100.64.0.1 is shared between a carrier's customers",
    "127.0.0.1": "expected a public address, but 127.0.0.1 is loopback",
    "::1": "expected a public address, but ::1 is unspecified or loopback",
    "0.0.0.0": "expected a public address, but 0.0.0.0 is unspecified",
    "169.254.1.1": "expected a public address, but 169.254.1.1 is link-local",
    "fe80::1": "expected a public address, but fe80::1 is link-local",
    "fd00::1": "expected a public address, but fd00::1 is private",
    "239.255.255.250": "expected a public address, but 239.255.255.250 is multicast",
    "ff02::fb": "expected a public address, but ff02::fb is multicast",
    "255.255.255.255": "expected a public address, but 255.255.255.255 is broadcast",
    "::ffff:10.0.0.1": "expected a public address, but 10.0.0.1 is private",
    "http://192.168.1.1/login": "expected a public address, but 192.168.1.1 is private",
    "0.0.0.0/0": "expected a prefix of /8 or longer, got 0.0.0.0/0",
    "8.0.0.0/7": "expected a prefix of /8 or longer, got 8.0.0.0/7",
    "8.0.0.0/8": "cidr 8.0.0.0/8",
    "::/0": "expected a prefix of /16 or longer, got ::/0",
    "2001::/15": "expected a prefix of /16 or longer, got 2000::/15",
    "2001::/16": "cidr 2001::/16",
    "192.0.0.0/8": "expected a public network, but 192.0.0.0/8 is private",
    "10.20.0.0/16": "expected a public network, but 10.20.0.0/16 is private",
    "::/64": "expected a public network, but ::/64 is unspecified or loopback",
    "co.uk": 'expected a registered domain, but "co.uk" is a public suffix',
    "*.co.uk": 'expected a registered domain, but "co.uk" is a public suffix',
    "anything.ck": 'expected a registered domain, but "anything.ck" is a public suffix',
    "http://co.uk/x": 'expected a registered domain, but "co.uk" is a public suffix',
    "com": 'expected an address, or a name with a dot, got "com"',
    "localhost": 'expected an address, or a name with a dot, got "localhost"',
  });
});

Deno.test("a provider's name matches exactly, unless all names below it are meant", () => {
  each({
    "duckdns.org": "domain duckdns.org only",
    "*.duckdns.org": "domain duckdns.org",
    ".duckdns.org": "domain duckdns.org",
    "evil.duckdns.org": "domain evil.duckdns.org",
    "*.evil.example": "domain evil.example",
  });
});

Deno.test("a rejected value says what was expected", () => {
  const nothing = (word: string) => `expected an address, network, domain, URL or fingerprint, got "${word}"`;
  each({
    "": nothing(""),
    "hello world": nothing("hello world"),
    "010.0.0.1": nothing("010.0.0.1"),
    "198.51.100.256": nothing("198.51.100.256"),
    "198.51.100": nothing("198.51.100"),
    "198.51.100.0/33": nothing("198.51.100.0/33"),
    "evil..example": nothing("evil..example"),
    [`${"a".repeat(64)}.example`]: nothing(`${"a".repeat(64)}…`),
    "evil\u0000.example": nothing("evil .example"),
    "evil\ufffd.example": 'expected UTF-8 text, got "evil\ufffd.example"',
    "ftp://evil.example/x": 'expected an http or https URL, got "ftp://evil.example/x"',
    "http://": 'expected a URL with a host, got "http://"',
    "http:///x": 'expected a URL with a host, got "http:///x"',
    "http://198.51.100.0/24": "url 198.51.100.0/24",
  });
  assert.equal(read(SHA1, "ja3"), `expected a JA3 fingerprint of 32 hex digits, got "${SHA1}"`);
  assert.match(read("zz", "certificate"), /^expected a certificate's SHA-1 or SHA-256/);
  assert.match(read("t13", "ja4"), /^expected a JA4 fingerprint such as/);
  assert.equal(
    read(`http://evil.example/${"x".repeat(2048)}`),
    "expected a URL of at most 2048 characters after the host",
  );
});

Deno.test("a hosts file's value matches exactly", () => {
  assert.deepEqual(readIndicator("evil.example", "host", true), {
    kind: "domain",
    text: "evil.example",
    exact: true,
  });
});

Deno.test("no text makes the parser throw, and its output parses to itself", () => {
  const word = fc.oneof(
    fc.string({ maxLength: 80 }),
    fc.string({ unit: fc.constantFrom(...":/.[]()#?%@|-_*0123456789abcdefxABCDEF "), maxLength: 60 }),
    fc.domain(),
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.ipV4(),
    fc.ipV6(),
  );
  fc.assert(
    fc.property(
      word,
      fc.constantFrom<Hint>(null, "host", "url", "ja3", "ja4", "certificate"),
      (value, hint) => {
        const found = readIndicator(value, hint);
        if ("expected" in found) {
          assert.ok(found.expected.length < 300);
          return;
        }
        const text = found.kind === "cidr"
          ? `${formatIp(found.cidr.first)}/${found.cidr.prefix}`
          : found.text;
        if (found.kind !== "url") assert.equal(read(text).split(" ")[1], text);
      },
    ),
  );
});
