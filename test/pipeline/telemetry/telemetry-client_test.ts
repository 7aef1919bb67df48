// The registration client against real servers over real TLS: correct ones and misbehaving ones.

import assert from "node:assert/strict";
import type { Release } from "../../../src/contract/telemetry/registration.ts";
import { RegistrationClient, RegistrationFailure } from "../../../src/telemetry/client.ts";
import { type Authority, makeAuthority, selfSigned } from "../../support/certificates.ts";
import {
  afterInformation,
  answer,
  bytes,
  closeMidBody,
  closeUnanswered,
  drip,
  hang,
  hangAfterHead,
  hangInHead,
  hugeBody,
  hugeHead,
  reset,
} from "../../support/connector/hostile-answers.ts";
import { type Behaviour, HostileReceiver } from "../../support/connector/hostile-receiver.ts";

const TYPE = "Content-Type: application/json";
const json = (value: unknown, status = 200) => answer(status, [TYPE], JSON.stringify(value));
const TOKEN = "eyJhbGciOiJFZERTQSJ9.e30.c2ln";
const RELEASE: Release = {
  latest_version: "1.2.3",
  channel: "stable",
  released_on: "2026-01-31",
  security: true,
  notice: "Fixes a hole.",
  url: "https://ndr.example/releases/1.2.3",
};
const NEVER = new AbortController().signal;
const TEXT = '{"schema_version":1,"install_id":"ins_00"}';

let authority: Promise<Authority> | null = null;
const theAuthority = () => authority ??= makeAuthority();

async function withServer(
  behaviour: Behaviour,
  body: (client: RegistrationClient, server: HostileReceiver) => Promise<void>,
  timeoutMs = 5000,
): Promise<void> {
  const trusted = await theAuthority();
  const server = await HostileReceiver.start(behaviour, await trusted.issue("localhost"));
  const client = new RegistrationClient({
    origin: `https://localhost:${server.port}`,
    roots: [trusted.cert],
    timeoutMs,
  });
  await body(client, server).finally(() => server.close());
}

function refuses(work: Promise<unknown>, message: RegExp): Promise<void> {
  return assert.rejects(work, (error: Error) => {
    assert.ok(error instanceof RegistrationFailure, String(error));
    assert.match(error.message, message);
    assert.match(error.message, /^the registration server localhost:\d+: /);
    return true;
  });
}

Deno.test("only the checked text is sent, byte for byte, with a fixed User-Agent and no cookies", async () => {
  const cookie = "Set-Cookie: a=b; Path=/";
  await withServer(answer(200, [TYPE, cookie], '{"license":null}'), async (client, server) => {
    assert.equal(await client.register(TEXT, NEVER), null);
    assert.equal(await client.heartbeat(TEXT, NEVER), null);
    for (const [i, path] of ["/v1/registrations", "/v1/heartbeats"].entries()) {
      const { requestLine, headers, body } = server.requests[i]!;
      assert.equal(requestLine, `POST ${path} HTTP/1.1`);
      assert.equal(new TextDecoder().decode(body), TEXT);
      assert.deepEqual(headers, {
        "host": `localhost:${server.port}`,
        "user-agent": "ndr-telemetry/1",
        "accept": "application/json",
        "content-type": "application/json",
        "content-length": String(TEXT.length),
        "connection": "close",
      });
    }
  });
});

Deno.test("the update check sends the version and the channel, and nothing else", async () => {
  const unknown = { ...RELEASE, notice: "<b>Now!</b>", added_later: { a: 1 } };
  await withServer(json(unknown), async (client, server) => {
    assert.deepEqual(await client.newestRelease("0.1.0", NEVER), { ...RELEASE, notice: "‹b›Now!‹/b›" });
    const [{ requestLine, headers, body }] = server.requests as [HostileReceiver["requests"][0]];
    assert.equal(requestLine, "GET /v1/updates?product_version=0.1.0&channel=stable HTTP/1.1");
    assert.deepEqual(Object.keys(headers).sort(), ["accept", "connection", "host", "user-agent"]);
    assert.equal(body.length, 0);
  });
});

Deno.test("a renewed licence is passed on; 201 for a registration and 204 for a heartbeat are valid responses, too", async () => {
  await withServer(json({ license: TOKEN }), async (client) => {
    assert.equal(await client.register(TEXT, NEVER), TOKEN);
    assert.equal(await client.heartbeat(TEXT, NEVER), TOKEN);
  });
  await withServer(json({ license: null }, 201), async (client) => {
    assert.equal(await client.register(TEXT, NEVER), null);
    await refuses(client.heartbeat(TEXT, NEVER), /answered 201$/);
  });
  await withServer(answer(204), async (client) => {
    assert.equal(await client.heartbeat(TEXT, NEVER), null);
    await refuses(client.register(TEXT, NEVER), /answered 204$/);
  });
  await withServer(afterInformation(3, json({ license: null })), async (client) => {
    assert.equal(await client.heartbeat(TEXT, NEVER), null);
  });
});

Deno.test("certificate verified: another authority's, another host's, an expired one and a self-signed one are refused", async () => {
  const [trusted, other] = [await theAuthority(), await makeAuthority()];
  for (
    const credentials of [
      await other.issue("localhost"),
      await trusted.issue("elsewhere.example"),
      await trusted.issue("localhost", -1),
      await selfSigned("localhost"),
    ]
  ) {
    const server = await HostileReceiver.start(json({ license: null }), credentials);
    const client = new RegistrationClient({
      origin: `https://localhost:${server.port}`,
      roots: [trusted.cert],
    });
    await refuses(client.heartbeat(TEXT, NEVER), /TLS failed/);
    assert.equal(server.requests.length, 0);
    await server.close();
  }
  const plain = await HostileReceiver.start(json({ license: null }));
  const client = new RegistrationClient({ origin: `https://localhost:${plain.port}`, timeoutMs: 3000 });
  await refuses(client.heartbeat(TEXT, NEVER), /TLS failed|answer in time/);
  assert.equal(plain.requests.length, 0);
  await plain.close();
});

Deno.test("redirects refused, wherever they lead", async () => {
  const elsewhere = await HostileReceiver.start(json({ license: null }));
  for (const status of [301, 302, 303, 307, 308]) {
    await withServer(answer(status, [`Location: ${elsewhere.url()}`]), async (client) => {
      await refuses(
        client.heartbeat(TEXT, NEVER),
        new RegExp(`answered ${status}, a redirect, which is never followed`),
      );
      await refuses(client.newestRelease("0.1.0", NEVER), /never followed/);
    });
  }
  assert.equal(elsewhere.connections, 0);
  await elsewhere.close();
});

Deno.test("every other status is a failure", async () => {
  for (const status of [202, 400, 401, 403, 404, 409, 422, 429, 500, 503]) {
    await withServer(json({ license: TOKEN }, status), async (client) => {
      await refuses(client.heartbeat(TEXT, NEVER), new RegExp(`answered ${status}$`));
      await refuses(client.register(TEXT, NEVER), new RegExp(`answered ${status}$`));
    });
  }
});

Deno.test("timeout: hangs and drips end with the time limit of the whole call", async () => {
  for (
    const behaviour of [
      hang("connected"),
      hang(),
      hangInHead(),
      hangAfterHead(),
      drip(20),
    ]
  ) {
    await withServer(behaviour, async (client) => {
      const began = performance.now();
      await refuses(client.heartbeat(TEXT, NEVER), /did not answer in time/);
      assert.ok(performance.now() - began < 5000);
    }, 400);
  }
});

Deno.test("response size bounded; early ends, resets and garbage are failures", async () => {
  for (
    const [behaviour, message] of [
      [hugeBody(200), /too long/],
      [hugeHead(), /too long/],
      [closeMidBody(200), /closed the connection within its answer|closed|end/i],
      [closeUnanswered(), /./],
      [closeUnanswered("connected"), /./],
      [reset(), /./],
      [bytes("\x00\x01\x02 garbage\r\n\r\n"), /not HTTP/],
      [answer(200, [TYPE, "Content-Encoding: gzip"], "\x1f\x08"), /not JSON/],
    ] as const
  ) {
    await withServer(behaviour, (client) => refuses(client.heartbeat(TEXT, NEVER), message));
  }
});

Deno.test("strict response parsing: anything outside the protocol is a failure, and nothing of it is quoted", async () => {
  const long = `${"a".repeat(9000)}.b.c`;
  const licences: unknown[] = [null, [], "x", {}, { license: 1 }, { license: "" }, { license: "a.b" }, {
    license: long,
  }];
  for (const value of licences) {
    await withServer(
      json(value),
      (client) => refuses(client.heartbeat(TEXT, NEVER), /does not follow the protocol/),
    );
  }
  const releases = [
    { ...RELEASE, latest_version: "next" },
    { ...RELEASE, latest_version: `1.2.3-${"9".repeat(100)}` },
    { ...RELEASE, channel: "nightly" },
    { ...RELEASE, released_on: "2026-02-30" },
    { ...RELEASE, released_on: 20260131 },
    { ...RELEASE, security: "false" },
    { ...RELEASE, notice: null },
    { ...RELEASE, notice: "secret ".repeat(1000) },
    { ...RELEASE, url: "javascript:alert(1)" },
    { ...RELEASE, url: "http://ndr.example" },
    { ...RELEASE, url: "https://ndr.example/ <b>" },
    { ...RELEASE, url: `https://${"a".repeat(400)}` },
    { latest_version: "1.2.3" },
  ];
  for (const value of releases) {
    await withServer(json(value), async (client) => {
      await refuses(client.newestRelease("0.1.0", NEVER), /does not follow the protocol: [a-z_]+$/);
    });
  }
  for (const body of ["", "{", "<html>sign in to the hotel</html>"]) {
    await withServer(
      answer(200, [TYPE], body),
      (client) => refuses(client.heartbeat(TEXT, NEVER), /not JSON$/),
    );
  }
  const notUtf8 = bytes(`HTTP/1.1 200 OK\r\n${TYPE}\r\nContent-Length: 17\r\n\r\n{"license":"\xff.b"}`);
  await withServer(notUtf8, (client) => refuses(client.heartbeat(TEXT, NEVER), /not JSON$/));
  const page = answer(200, ["Content-Type: text/html"], '{"license":null}');
  await withServer(page, (client) => refuses(client.heartbeat(TEXT, NEVER), /not JSON$/));
});

Deno.test("no proxy variables: the connection goes directly to the server", async () => {
  const proxy = await HostileReceiver.start(json({ license: null }));
  const variables = ["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "https_proxy", "http_proxy", "all_proxy"];
  for (const name of variables) Deno.env.set(name, `http://127.0.0.1:${proxy.port}`);
  try {
    await withServer(json({ license: null }), async (client, server) => {
      await client.heartbeat(TEXT, NEVER);
      assert.equal(server.requests.length, 1);
    });
    assert.equal(proxy.connections, 0);
  } finally {
    for (const name of variables) Deno.env.delete(name);
    await proxy.close();
  }
});

Deno.test("plain http is for this machine; an unreachable server and an unknown name are failures", async () => {
  const server = await HostileReceiver.start(json({ license: null }));
  const local = new RegistrationClient({ origin: `http://localhost:${server.port}` });
  assert.equal(await local.heartbeat(TEXT, NEVER), null);
  const outside = new RegistrationClient({ origin: `http://192.0.2.1:${server.port}`, timeoutMs: 2000 });
  await assert.rejects(outside.heartbeat(TEXT, NEVER), /without TLS it has to be this machine/);
  await server.close();
  await refuses(local.heartbeat(TEXT, NEVER), /refused/);
  const unreachable = new RegistrationClient({ origin: "https://registration.ndr.invalid", timeoutMs: 5000 });
  await assert.rejects(unreachable.heartbeat(TEXT, NEVER), RegistrationFailure);
});

Deno.test("a registration server at a refused address is not contacted, however it is written", async () => {
  for (const host of ["169.254.169.254", "[::ffff:0:a9fe:a9fe]", "[2001:db8::5efe:a9fe:a9fe]", "[fec0::1]"]) {
    const client = new RegistrationClient({ origin: `https://${host}`, timeoutMs: 5000 });
    await assert.rejects(client.heartbeat(TEXT, NEVER), /cloud metadata addresses are refused/, host);
  }
});

Deno.test("a cancelled call ends at once", async () => {
  await withServer(hang(), async (client, server) => {
    const stop = new AbortController();
    const call = client.heartbeat(TEXT, stop.signal);
    await server.received(1);
    stop.abort(new Error("the service was stopped"));
    await refuses(call, /the service was stopped/);
    await refuses(client.heartbeat(TEXT, stop.signal), /the service was stopped/);
    assert.equal(server.connections, 1);
  }, 60_000);
});
