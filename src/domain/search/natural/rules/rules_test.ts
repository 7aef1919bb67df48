import assert from "node:assert/strict";
import { printCondition } from "../../../../contract/filter/printer.ts";
import { parseTimestamp } from "../../../../kit/time.ts";
import { EFFECT_PARTS } from "./effects.ts";
import { interpretQuestion } from "../interpret.ts";
import { NAME_FIELDS, PLACES } from "./names.ts";
import { readQuestion } from "./read.ts";
import { RULES } from "./rules.ts";
import type { Asked } from "../time/calendar.ts";

const ASKED: Asked = {
  now: parseTimestamp("2026-11-25T10:30:00Z")!.micros,
  zone: "UTC",
  vlans: ["Guests", "Servers"],
};

/** `rule | question | kind | filter | window | ranking`: each question needs its rule. */
const ROWS = `
how much | how much data did 10.0.0.5 send to 10.0.0.9 | flows | src.ip:10.0.0.5 dst.ip:10.0.0.9 | | src.bytes by  1
how many | how many devices | devices | | | count by  1
the most traffic | who has the most traffic | flows | | | bytes by device 10
the most, after a verb | who uploaded the most | flows | direction:outbound | | src.bytes by src.ip 10
the most of something | which device makes the most dns queries | flows | dns.query:* | | count by src.ip 10
ports of a server | open ports on 10.0.0.9 | flows | dst.ip:10.0.0.9 | | count by dst.port 10
where | where did 10.0.0.9 connect to | flows | src.ip:10.0.0.9 | | bytes by dst.ip 10
the most frequent | which alerts were the most frequent | flows | alert:* | | count by alert 10
how many of the most | the five devices which sent the most data | flows | direction:outbound | | src.bytes by src.ip 5
values over time | flows per hour today | flows | | 2026-11-25T00:00 2026-11-25T10:30 | count by  1 1h
the most incidents | who has the most incidents | incidents | | | count by device 10
which values | which countries did we contact | flows | | | bytes by dst.country 10
ranked or grouped values | top 5 services | flows | | | bytes by service 5
the measure of a ranking | top ports by bytes | flows | | | bytes by dst.port 10
not seen for a time | devices not seen for 2 days | devices | last_seen<-2d
not seen since a time | devices silent since monday | devices | last_seen<2026-11-23T00:00:00Z
last seen at a time | devices last seen before november 20 | devices | last_seen<2026-11-20T00:00:00Z
a TLS version | tls 1.0 or older | flows | tls.version:("SSL 2.0", "SSL 3.0", 1.0)
a bounded amount | flows over 5 MB | flows | bytes>5MB
a time | flows today | flows | | 2026-11-25T00:00 2026-11-25T10:30
a severity | incidents of severity high or higher | incidents | severity>=high
or higher, after the noun | medium incidents or worse | incidents | severity>=medium
an age | incidents older than 3 days | incidents | first_seen<-3d
the name of a VLAN | guests' dns traffic | flows | vlan:Guests service:dns
between two VLANs | flows between guests and servers | flows | device.vlan:Guests device.vlan:Servers
between two ends | flows between 10.0.0.5 and 10.0.0.9 | flows | ip:10.0.0.5 ip:10.0.0.9
a port of a side | flows to ports other than 80 | flows | dst.port!=80
hosts of a place | flows to any address which is not in germany | flows | -dst.country:DE
an end | flows to china or russia | flows | dst.country:(CN, RU)
a name that was resolved | who resolved example.com | devices | dns.query:(example.com, *.example.com)
between two names | flows between nashua and scranton | flows | (device:nashua or owner:nashua) (device:scranton or owner:scranton)
each other | did nashua and 10.0.0.9 talk to each other | flows | (device:nashua or owner:nashua) ip:10.0.0.9
for whom | urgent incidents for me | incidents | severity>=high
any port | ssh to 10.0.0.9 any port | flows | service:ssh dst.ip:10.0.0.9
a phrase | telnet | flows | service:telnet
a word after a noun | incidents where the severity is low | incidents | severity=low
an order | incidents sorted by severity | incidents
the last time | when did we last talk to 10.0.0.5 | flows | dst.ip:10.0.0.5 | 2026-10-25T10:30 2026-11-25T10:30
an HTTP status | http 500 errors | flows | service:http http.status=500
a value before its noun | curl user agent | flows | user_agent:curl
a name in its place | flows from nashua | flows | device:nashua or owner:nashua
a quoted text or a word with digits | "some text" | flows | "some text"
all of them | every device | devices
my | my open incidents | incidents | status:open assignee:me
and, or | ssh or telnet | flows | service:(ssh, telnet)
a misspelt word | incedents | incidents
`;

/** `part of an effect | question | kind | filter`. */
const EFFECTS = `
fill | show me the flows | flows |
refuse | email me the alerts | declined |
kind | devices | devices |
mine | what am i working on | incidents | assignee:me
activity | everything from nashua | flows | device:nashua or owner:nashua
noun | flows without a certificate | flows | -certificate:*
is | telnet | flows | service:telnet
note | worst incidents | incidents | severity>=high
without | unassigned incidents | incidents | -assignee:*
topic | log-ons | flows | logon:*
role | flows from 10.0.0.5 | flows | src.ip:10.0.0.5
negate | flows without dns | flows | -service:dns
always | flows ever | flows |
verb | 10.0.0.5 contacted 10.0.0.9 | flows | src.ip:10.0.0.5 dst.ip:10.0.0.9
outside | flows from the internet | flows | direction:inbound
type | printers | devices | device.type=printer
value | devices owned by maria | devices | owner:maria
number | incidents with score above 80 | incidents | score>80
`;

/** `place of a name | question | filter`. */
const NAMES = `
object | flows involving nashua | device:nashua or owner:nashua
subject | what did nashua do | device:nashua or owner:nashua
possessive | nashua's flows | device:nashua or owner:nashua
before log-ons | root logins over ssh | user:root service:ssh logon:*
before an arrow | nashua -> 10.0.0.9 | (device:nashua or owner:nashua) dst.ip:10.0.0.9
in capitals | show me NASHUA | device:nashua or owner:nashua
with a number or a last name | laptops of Ada Lopez | device.type=workstation (device:"ada lopez" or owner:"ada lopez")
who works on it | incidents Bob closed | assignee:bob status:(resolved, false_positive)
after a noun | host nashua | device:nashua or owner:nashua
after another | flows from desk-1 or nashua | device:desk-1 or owner:desk-1 or device:nashua or owner:nashua
before a verb | nashua contacted 10.0.0.9 | (device:nashua or owner:nashua) dst.ip:10.0.0.9
`;

/** `field of a name | question | filter`. */
const FIELDS = `
account | failed log-ons by maria | logon:failed user:maria
person who works on it | incidents resolved by ada | status:resolved assignee:ada
other end | who was contacted by nashua | device:nashua or owner:nashua
another server | who uses dropbox or boxcloud | server_name:(*dropbox*, *boxcloud*)
what is used | who is using boxcloud | device:boxcloud or owner:boxcloud or server_name:*boxcloud*
device | flows from nashua | device:nashua or owner:nashua
`;

function cellsOf(table: string): string[][] {
  return table.trim().split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
}

function answerOf(question: string): string[] {
  const answer = interpretQuestion(question, ASKED);
  if (!answer.ok) return ["declined"];
  const { filter: { kind, where, window }, ranking } = answer;
  return [
    kind,
    printCondition(where),
    window === null ? "" : `${window.from.slice(0, 16)} ${window.to.slice(0, 16)}`,
    ranking === null
      ? ""
      : `${ranking.measure} by ${ranking.field} ${ranking.limit} ${ranking.bucket ?? ""}`.trimEnd(),
  ];
}

Deno.test("every rule has a question that it answers, and that is read in another way without it", () => {
  const rows = cellsOf(ROWS);
  assert.deepEqual(rows.map(([name]) => name), RULES.map(({ name }) => name));
  for (const [index, [name = "", question = "", ...expected]] of rows.entries()) {
    const padded = [...expected, "", "", ""].slice(0, 4);
    assert.deepEqual(answerOf(question), padded, `${name}: ${question}`);
    const others = RULES.filter((_, at) => at !== index);
    assert.notDeepEqual(readQuestion(question, ASKED, others), readQuestion(question, ASKED), name);
  }
});

Deno.test("every part of an effect has a question", () => {
  const rows = cellsOf(EFFECTS);
  assert.deepEqual(rows.map(([part]) => part), EFFECT_PARTS);
  for (const [part = "", question = "", kind, filter = ""] of rows) {
    assert.deepEqual(
      answerOf(question).slice(0, 2),
      [kind, filter].slice(0, kind === "declined" ? 1 : 2),
      part,
    );
  }
});

Deno.test("a name is known by its place, and its field by what the question is about", () => {
  for (const [table, entries] of [[NAMES, PLACES], [FIELDS, NAME_FIELDS]] as const) {
    const rows = cellsOf(table);
    assert.deepEqual(rows.map(([name]) => name), entries.map(({ name }) => name));
    for (const [name = "", question = "", filter] of rows) assert.equal(answerOf(question)[1], filter, name);
  }
});
