import assert from "node:assert/strict";
import { assertUnauthenticated, rawTest, signedLines } from "./raw.ts";

const PATH = "/api/v1/devices";
const SEARCH = "?limit=3&query=a%20b&device_type=printer";

rawTest("a query in another order or encoding is the same query", async (core) => {
  for (
    const search of [
      "?query=a%20b&limit=3&device_type=printer",
      "?query=a+b&limit=3&device_type=printer",
      "?qu%65ry=%61+b&limit=%33&&device_type=printer&",
    ]
  ) {
    const answer = await core.ask(
      `GET ${PATH}${search} HTTP/1.1`,
      await signedLines(PATH, { search: SEARCH }),
    );
    assert.equal(answer.status, 200, search);
    assert.deepEqual(JSON.parse(answer.body).data.query, {
      limit: 3,
      query: "a b",
      device_type: "printer",
      sort: "-last_seen",
    });
  }
});

rawTest("refuses a query with another meaning", async (core) => {
  for (
    const search of [
      "",
      "?limit=3&query=a%2Bb&device_type=printer",
      "?limit=3&query=a%20b&device_type=Printer",
      "?limit=3&query=a%20b&device_type=printer&tenant_id=branch",
      "?limit=3&query=a%20b&device_type=printer&limit=3",
      "?limit=3&limit=500&query=a%20b&device_type=printer",
      "?limit=3&query=a%20b%26device_type=printer",
      "?limit=3&query=a%20b&device_type=printer%00",
      "?limit=3;query=a%20b&device_type=printer",
    ]
  ) {
    const answer = await core.ask(
      `GET ${PATH}${search} HTTP/1.1`,
      await signedLines(PATH, { search: SEARCH }),
    );
    assertUnauthenticated(answer, search);
  }
});

rawTest("repeated keys keep their number and values", async (core) => {
  const signed = await signedLines(PATH, { search: "?x=1&x=2&x=1" });
  const same = await core.ask(`GET ${PATH}?x=1&x=1&x=2 HTTP/1.1`, signed);
  assert.equal(same.status, 400, "the signature is valid, the parameter is unknown");
  for (const search of ["?x=1&x=2", "?x=2&x=2&x=1", "?x=1,2,1", "?x[]=1&x[]=2&x[]=1"]) {
    assertUnauthenticated(await core.ask(`GET ${PATH}${search} HTTP/1.1`, signed), search);
  }
});
