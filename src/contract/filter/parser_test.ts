import assert from "node:assert/strict";
import { FIELD_NAMES, FIELDS } from "./fields.ts";
import { FILTER_LIMITS } from "./limits.ts";
import { fieldNamed, operatorsOf, SPELLINGS } from "./names.ts";
import { parseText } from "./parser.ts";
import { printCondition } from "./printer.ts";

/** The printed form of a text. */
function printed(text: string): string {
  const parsed = parseText(text);
  assert.ok(parsed.ok, `${text}: ${JSON.stringify(parsed)}`);
  return printCondition(parsed.condition);
}

Deno.test("filter: a text is read as people write it, and printed one way", () => {
  const cases: [text: string, printed: string][] = [
    ["src.ip:10.0.0.0/8 dst.port>=1024 -service:dns", "src.ip:10.0.0.0/8 dst.port>=1024 -service:dns"],
    ["", ""],
    [" \t\n", ""],
    // Connectives: `not` before `and` before `or`.
    ["a b or c and not d", "a b or c -d"],
    ["a AND b OR NOT c", "a b or -c"],
    ["a && b || !c", "a b or -c"],
    ["a&&b||c", "a b or c"],
    ["(a or b) c", "(a or b) c"],
    ["((a) ((b)))", "a b"],
    ["not not a", "a"],
    ["--a", "a"],
    ["not (a or b)", "not (a or b)"],
    ["-(a b)", "not (a b)"],
    ["not(a)", "-a"],
    ["a or (b or c)", "a or b or c"],
    // Operators.
    ["port=443 port!=80 port<1 port<=2 port>3 port>=4", "port=443 port!=80 port<1 port<=2 port>3 port>=4"],
    ["port : 443", "port:443"],
    ["port > 443", "port>443"],
    ["port :443", "port:443"],
    ["PORT:443 SRC:10.1", "port:443 src.ip:10.1.0.0/16"],
    // Lists and ranges.
    ["port:(80,443)", "port:(80, 443)"],
    ["port:(80 or 443, 80)", "port:(80, 443)"],
    ["port:(80)", "port:80"],
    ["port!=(80, 443)", "port!=(80, 443)"],
    ["port:(80, 1000..2000)", "port:80 or port:1000..2000"],
    ["x port:(80, 1000..2000)", "x (port:80 or port:1000..2000)"],
    ["port!=(80, 1..5)", "port!=80 -port:1..5"],
    ["port:1..5 port:1 .. 5 port=1..5", "port:1..5 port:1..5 port:1..5"],
    ["port:1024.. port:..1023", "port>=1024 port<=1023"],
    ["ip:10.0.0.1..10.0.0.9", "ip:10.0.0.1..10.0.0.9"],
    ["severity:med..critical", "severity:medium..critical"],
    ["time:(today, 2026-11-01)", "time:today or time:2026-11-01"],
    ["any:(a, b)", "a or b"],
    // Values that go on after a space.
    ["bytes > 1.5 GiB x", "bytes>1536MiB x"],
    ["bytes:1 MB..5 MB", "bytes:1MB..5MB"],
    ["time:last week..this  month x", "time:last-week..this-month x"],
    ["duration>5 minutes", "duration>5m"],
    ["time:2026-11-01 14:00..2026-11-02 9:00", "time:2026-11-01T14:00..2026-11-02T09:00"],
    // Null tests.
    ["alert:* intel=* tag!=*", "alert:* intel:* -tag:*"],
    // Quotes.
    ['alert:"ET MALWARE" alert:"x y" "a b"', 'alert:"ET MALWARE" alert:"x y" "a b"'],
    ["alert:\u201cET MALWARE\u201d", 'alert:"ET MALWARE"'],
    ['title:"a\\"b\\\\c\\d"', 'title:"a\\"b\\\\c\\\\d"'],
    ['"printer"', "printer"],
    ['"and" "-x" "src.ip:1"', '"and" "-x" "src.ip:1"'],
    ['tag:"*"', 'tag:"*"'],
    ["subject:CN=example.com,O=X", 'certificate.subject:"CN=example.com,O=X"'],
    // Bare words.
    ["10.1 :443 fe80::1 2001:db8::/32", "10.1 :443 fe80::1 2001:db8::/32"],
    ["dns :53", "dns :53"],
    ["dead:beef::1", "dead:beef::1"],
    ['"port" 22 port scan', '"port" 22 "port" scan'],
    ["vlan office dns tcp", '"vlan" office dns tcp'],
    ["x ::1", "x ::1"],
    ["10.0.0.1:443 [2001:db8::1]:53", "10.0.0.1 :443 2001:db8::1 :53"],
    ["https://example.com/a aa:bb:cc:dd:ee:ff", "https://example.com/a aa:bb:cc:dd:ee:ff"],
    ["1:wCb3OG7yAFWelaUydu0D+125CLM=", "1:wCb3OG7yAFWelaUydu0D+125CLM="],
    ["community_id:1:wCb3OG7yAFWelaUydu0D+125CLM=", "community_id:1:wCb3OG7yAFWelaUydu0D+125CLM="],
    ["*.example.com", "*.example.com"],
    ['a ":b*" ":e7d705a3286e19ea42f587b344ee6865"', 'a ":b*" ":e7d705a3286e19ea42f587b344ee6865"'],
    ["dns.query://a uri://a", "dns.query://a http.path://a"],
  ];
  for (const [text, expected] of cases) {
    assert.equal(printed(text), expected, text);
    assert.equal(printed(expected), expected, expected);
  }
});

Deno.test("filter: an error has its position, what was expected and the nearest valid form", () => {
  /** The part of the text that is wrong, and what the text becomes with the suggestion. */
  const cases: [text: string, part: string, message: RegExp, corrected: string | null][] = [
    ["src.prt:80", "src.prt", /no field `src\.prt`/, "src.port:80"],
    ["x prot = tcp", "prot", /no field `prot`/, "x proto = tcp"],
    ["port:8o", "8o", /`8o` is not a port from 0 to 65535/, null],
    ["a src.ip:10.0.0.300", "10.0.0.300", /not an IP address/, null],
    ["severity:hihg", "hihg", /one of info, low/, "severity:high"],
    ["country:(ro, Romnia)", "Romnia", /not a country code/, "country:(ro, Romania)"],
    ["src.ip>5", "src.ip>5", /`>` does not apply to `src\.ip`, which is an address/, null],
    ["time:*", "time:*", /`:\*` does not apply to `time`/, null],
    ["time:2h", "2h", /not a time/, "time:-2h"],
    ["port:5..1", "5..1", /lower end of a range stands first/, "port:1..5"],
    ["ip:10.0.0.1..::1", "10.0.0.1..::1", /one family/, null],
    ["ip:10.0.0.0/8..11.0.0.1", "10.0.0.0/8..11.0.0.1", /no end of one/, null],
    ["ip:10.0.0.1..", "ip:10.0.0.1..", /two ends/, null],
    ["port>1..5", "port>1..5", /A range stands after `:`/, null],
    ["port:..", "port:..", /before or after `\.\.`/, null],
    ["port:80,443", "80,443", /not a port/, "port:(80, 443)"],
    ["port:(80 443)", " ", /separated by commas/, "port:(80, 443)"],
    ["port:(80", "", /no `\)`/, "port:(80)"],
    ["port:()", ")", /no value here/, null],
    ["port>(1, 2)", "port>(1, 2)", /`>` takes one value/, null],
    ["device:a, b", ",", /list stands in parentheses/, "device:a or b"],
    ["(a", "", /`\(` has no `\)`/, "(a)"],
    ["a)", ")", /no `\(` before it/, "a"],
    ["()", ")", /parentheses are empty/, null],
    ["a and", "", /missing after `and`/, null],
    ["or a", "or", /missing before `or`/, null],
    ["- a", "-", /directly before/, null],
    ["src.ip:", "", /value is missing after `src\.ip:`/, null],
    ["src.ip: and a", "and", /not an IP address/, null],
    ['alert:"ET', '"ET', /quotes are not closed/, 'alert:"ET"'],
    ["x port 22", "port 22", /operator is missing between `port` and `22`/, "x port:22"],
    ["host 10.0.0.5", "host 10.0.0.5", /operator is missing/, "host:10.0.0.5"],
    ["country Romania", "country Romania", /operator is missing/, "country:Romania"],
    ["foo(bar)", "foo(bar)", /stands in quotes/, '"foo(bar)"'],
    ['(tag:a"b")', 'a"b"', /stands in quotes/, '(tag:"ab")'],
    ["x port:>=5", "port:>=5", /Two operators/, "x port>=5"],
    ["user:!=admin", "user:!=admin", /Two operators/, "user!=admin"],
    ["port:=7 y", "port:=7", /Two operators/, "port=7 y"],
    ["port==5", "port==5", /Two operators/, null],
    ["port<>6", "port<>6", /Two operators/, null],
    ["user:(a, =b)", "user:(a, =b", /Two operators/, null],
    ["alert:'x y'", "'x", /Quotes are written/, null],
    ["'x y'", "'x", /Quotes are written/, null],
    ["a & b", "&", /put it in quotes/, 'a "&" b'],
    ["a | b", "|", /put it in quotes/, 'a "|" b'],
    [">5", ">5", /operator stands after a field/, null],
    ["a&&:b*", ":b*", /operator stands after a field/, null],
    ["12:30", "12:30", /put it in quotes/, '"12:30"'],
    ["example.com:443", "example.com:443", /no field/, "example.com :443"],
    ["server_name=*.a.com", "*.a.com", /takes a pattern/, null],
    ["alert:a*b", "a*b", /no meaning in a text/, 'alert:"a*b"'],
    ["x".repeat(FILTER_LIMITS.textLength) + "yz", "yz", /at most 4096 characters/, null],
    ["a ".repeat(64) + "b c", "b", /at most 64 comparisons/, null],
    [
      `port:(${Array.from({ length: 101 }, (_, n) => n).join()})`,
      `(${Array.from({ length: 101 }, (_, n) => n).join()})`,
      /at most 100/,
      null,
    ],
    [
      `${"-(a (b or ".repeat(5)}c${"))".repeat(5)}`,
      `${"-(a (b or ".repeat(5)}c${"))".repeat(5)}`,
      /at most 10 levels/,
      null,
    ],
  ];
  for (const [text, part, message, corrected] of cases) {
    const parsed = parseText(text);
    assert.ok(!parsed.ok, text);
    const [fault] = parsed.faults;
    assert.equal(text.slice(fault!.from, fault!.to), part, text);
    assert.match(fault!.message, message);
    const { suggestion, from, to } = fault!;
    assert.equal(
      suggestion === null ? null : text.slice(0, from) + suggestion + text.slice(to),
      corrected,
      text,
    );
  }
});

Deno.test("filter: faults that leave the rest readable are reported together", () => {
  const parsed = parseText("foo:1 port:x (severity:none or bar=2) (");
  assert.ok(!parsed.ok);
  assert.deepEqual(parsed.faults.map(({ from }) => from), [0, 11, 23, 31, 39]);
});

Deno.test("filter: each comparison of the tree has its place in the text", () => {
  const text = "port:(80, 1..5) -(a or 10.0.0.1:443)";
  const parsed = parseText(text);
  assert.ok(parsed.ok);
  assert.deepEqual(parsed.spans.map(({ from, to, leaf }) => [text.slice(from, to), leaf.field, leaf.value]), [
    ["port:(80, 1..5)", "port", 80],
    ["port:(80, 1..5)", "port", [1, 5]],
    ["a", "any", "a"],
    ["10.0.0.1", "any", "10.0.0.1"],
    [":443", "any", ":443"],
  ]);
});

Deno.test("filter: each example of the field table is a comparison of its field", () => {
  for (const name of FIELD_NAMES) {
    const parsed = parseText(FIELDS[name].example);
    assert.ok(parsed.ok, FIELDS[name].example);
    assert.deepEqual(parsed.spans.map(({ leaf }) => leaf.field), [name]);
    assert.ok(operatorsOf(name).includes(parsed.spans[0]!.leaf.op));
  }
});

Deno.test("filter: a spelling belongs to one field", () => {
  const spellings = FIELD_NAMES.flatMap((name) => [name, ...(FIELDS[name].aliases ?? [])]);
  assert.deepEqual(spellings.filter((spelling, index) => spellings.indexOf(spelling) !== index), []);
  for (const spelling of SPELLINGS) assert.equal(fieldNamed(spelling.toUpperCase()), fieldNamed(spelling));
  assert.equal(fieldNamed("constructor"), null);
});
