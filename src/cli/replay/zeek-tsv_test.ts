import assert from "node:assert/strict";
import { unescape, ZeekTsv } from "./zeek-tsv.ts";

function logOf(fields: string, types: string, ...more: string[]): ZeekTsv {
  const tsv = new ZeekTsv();
  const tabbed = (text: string) => text.replaceAll(" ", "\t");
  tsv.header("#separator \\x09");
  for (const line of ["#set_separator ,", "#empty_field (empty)", "#unset_field -", ...more]) {
    tsv.header(tabbed(line));
  }
  tsv.header(tabbed(`#fields ${fields}`));
  tsv.header(tabbed(`#types ${types}`));
  return tsv;
}

function jsonOf(tsv: ZeekTsv, row: string): string {
  const converted = tsv.convert(row);
  assert.ok("json" in converted, "skip" in converted ? converted.skip : "");
  return converted.json;
}

Deno.test("a Zeek row becomes the flat object that Zeek writes as JSON", () => {
  const tsv = logOf(
    "ts uid id.orig_h id.orig_p proto duration orig_bytes local_orig tunnel_parents",
    "time string addr port enum interval count bool set[string]",
    "#path conn",
  );
  assert.equal(tsv.path, "conn");
  assert.equal(
    jsonOf(tsv, "1349620439.780720\tCklb\t172.16.253.129\t53\tudp\t0.014487\t34\tT\t(empty)"),
    '{"ts":1349620439.780720,"uid":"Cklb","id.orig_h":"172.16.253.129","id.orig_p":53,"proto":"udp",' +
      '"duration":0.014487,"orig_bytes":34,"local_orig":true,"tunnel_parents":[]}',
  );
});

Deno.test("numbers keep the digits of the log", () => {
  const tsv = logOf("ts duration n big", "time interval double count");
  assert.equal(
    jsonOf(tsv, "1349621343.600000\t1e-05\t0.0\t18446744073709551615"),
    '{"ts":1349621343.600000,"duration":1e-05,"n":0.0,"big":18446744073709551615}',
  );
});

Deno.test("a value that does not match its type stays text", () => {
  const tsv = logOf("a b c d", "double count bool port");
  assert.equal(jsonOf(tsv, "nan\t007\tmaybe\t53/udp"), '{"a":"nan","b":"007","c":"maybe","d":"53/udp"}');
});

Deno.test("an unset field is left out, an empty one is empty", () => {
  const tsv = logOf("a b c d e", "string string vector[string] table[enum] count");
  assert.equal(jsonOf(tsv, "-\t(empty)\t-\t(empty)\t-"), '{"b":"","d":[]}');
  assert.equal(jsonOf(tsv, "-\t-\t-\t-\t-"), "{}");
  // A value that is a lone dash is written escaped.
  assert.equal(jsonOf(tsv, "\\x2d\t-\t-\t-\t-"), '{"a":"-"}');
});

Deno.test("sets, tables and vectors are split before their elements are unescaped", () => {
  const tsv = logOf("answers ttls hosts flags", "vector[string] vector[interval] set[addr] vector[bool]");
  assert.equal(
    jsonOf(tsv, "a\\x2cb,-,(empty)\t60.000000,3.5\t10.0.0.1,fe80::1\tT,F,-"),
    '{"answers":["a,b",null,""],"ttls":[60.000000,3.5],"hosts":["10.0.0.1","fe80::1"],"flags":[true,false,null]}',
  );
});

Deno.test("escaped bytes become text if they are UTF-8, else keep their escape", () => {
  assert.equal(unescape("plain \\ text"), "plain \\ text");
  assert.equal(unescape("a\\x0a\\x09b\\x5cx41"), "a\n\tb\\x41");
  assert.equal(unescape("News \\xe2\\x80\\x94 San"), "News — San");
  assert.equal(unescape("Microsoft\\xae\\x41"), "Microsoft\\xaeA");
  const tsv = logOf("agent", "string");
  assert.equal(jsonOf(tsv, 'say "hi"\\x00'), '{"agent":"say \\"hi\\"\\u0000"}');
});

Deno.test("a doubled backslash is one, as Zeek's writer doubles it, and begins no other escape", () => {
  assert.equal(unescape("Acme\\\\, Inc."), "Acme\\, Inc.");
  assert.equal(unescape("a\\\\x41"), "a\\x41", "the text \\x41, not A");
  assert.equal(unescape("a\\\\\\x41"), "a\\A");
  assert.equal(unescape("\\\\\\\\host\\\\share"), "\\\\host\\share");
  assert.equal(unescape("ends with \\"), "ends with \\", "Bro did not double backslashes");
  const tsv = logOf("issuer names", "string vector[string]");
  assert.equal(
    jsonOf(tsv, "CN=x,O=Acme\\\\, Inc.\ta\\\\\\x2cb,c\\\\"),
    JSON.stringify({ issuer: "CN=x,O=Acme\\, Inc.", names: ["a\\,b", "c\\"] }),
  );
});

Deno.test("a byte that is not UTF-8 leaves the characters beside it readable", () => {
  assert.equal(unescape("\\xe2\\x80\\x94\\xae"), "—\\xae");
  assert.equal(unescape("\\xe2\\x80\\xc3\\xa9"), "\\xe2\\x80é");
  assert.equal(unescape("\\xef\\xbf\\xbd\\xae"), "\ufffd\\xae", "an encoded U+FFFD is a character");
});

Deno.test("the reserved fields and the path of the header are escaped too", () => {
  const tsv = logOf("a b", "string set[string]", "#path my\\x20log");
  tsv.header("#empty_field\t\\x28no\\x20value)");
  tsv.header("#unset_field\tn\\\\a");
  assert.equal(tsv.path, "my log");
  assert.equal(jsonOf(tsv, "n\\\\a\t(no value)"), '{"b":[]}');
  assert.equal(jsonOf(logOf("a", "string"), "\\x28empty)"), '{"a":"(empty)"}');
  assert.equal(
    jsonOf(logOf("a", "string"), "\\x23close"),
    '{"a":"#close"}',
    "a row that would look like a header",
  );
});

Deno.test("other separators, and a second header in the same file, are applied", () => {
  const tsv = new ZeekTsv();
  tsv.header("#separator \\x2c");
  tsv.header("#set_separator,;");
  tsv.header("#empty_field,EMPTY");
  tsv.header("#unset_field,NONE");
  tsv.header("#fields,a,b");
  tsv.header("#types,count,set[string]");
  assert.equal(jsonOf(tsv, "1,x;y"), '{"a":1,"b":["x","y"]}');
  assert.equal(jsonOf(tsv, "NONE,EMPTY"), '{"b":[]}');
  tsv.header("#separator \\x09");
  tsv.header("#path\tdns");
  tsv.header("#fields\tb");
  tsv.header("#types\tstring");
  assert.equal(tsv.path, "dns");
  assert.equal(jsonOf(tsv, "x"), '{"b":"x"}');
});

Deno.test("a row that does not match its header is skipped with the reason", () => {
  const tsv = logOf("a b", "count count");
  assert.deepEqual(tsv.convert("1"), {
    skip: "Zeek row whose number of columns differs from #fields",
    unreadable: true,
  });
  assert.deepEqual(tsv.convert("1\t2\t3"), {
    skip: "Zeek row whose number of columns differs from #fields",
    unreadable: true,
  });
  const bare = { skip: "Zeek row without matching #fields and #types above it", unreadable: true };
  assert.deepEqual(new ZeekTsv().convert("1\t2"), bare);
  assert.deepEqual(logOf("a b", "count").convert("1\t2"), bare);
});
