// Where a delivery goes: the address is resolved and checked once per attempt, and the certificate before any
// byte is sent.

import assert from "node:assert/strict";
import {
  type Attempt,
  attemptDelivery,
  type WebhookTarget,
} from "../../../src/connectors/webhook/attempt.ts";
import { testEnvelope } from "../../../src/connectors/webhook/envelope.ts";
import { sha256Hex } from "../../../src/kit/hash.ts";
import { systemClock } from "../../../src/kit/clock.ts";
import { type Credentials, makeAuthority, selfSigned } from "../../support/certificates.ts";
import { answer, hang } from "../../support/connector/hostile-answers.ts";
import { HostileReceiver } from "../../support/connector/hostile-receiver.ts";

interface Options extends Partial<WebhookTarget> {
  resolve?: (host: string) => Promise<string[]>;
  roots?: string[];
}

function attempt(url: string, { resolve, roots, ...target }: Options = {}): Promise<Attempt> {
  const sender = { tenantId: "main", instance: "soc", version: "0.0.0", publicUrl: null };
  return attemptDelivery(
    {
      url: new URL(url),
      fingerprint: null,
      key: new TextEncoder().encode("0123456789abcdef"),
      timeoutMs: 3000,
      ...target,
    },
    testEnvelope(sender, systemClock.now()),
    { clock: systemClock, resolve, roots },
  );
}

function failureOf(made: Attempt): string {
  return made.kind === "acknowledged" ? "none" : `${made.failure}: ${made.message}`;
}

async function withReceiver(
  work: (receiver: HostileReceiver) => Promise<void>,
  credentials: Credentials | null = null,
): Promise<void> {
  const receiver = await HostileReceiver.start(answer(204), credentials);
  try {
    await work(receiver);
  } finally {
    await receiver.close();
  }
}

/** A version 1 certificate, which openssl creates when given no extensions. */
async function version1(commonName: string, issuer: string): Promise<Credentials> {
  const folder = await Deno.makeTempDir({ prefix: "ndr-v1-" });
  try {
    const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
    const lines = [
      ["req", "-x509", ...key, "-keyout", "ca.key", "-out", "ca.crt", "-days", "9", "-subj", issuer],
      ["req", ...key, "-keyout", "leaf.key", "-out", "leaf.csr", "-subj", `/CN=${commonName}`],
      ["x509", "-req", "-in", "leaf.csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial"]
        .concat(["-out", "leaf.crt", "-days", "9"]),
      ["x509", "-in", "leaf.crt", "-outform", "DER", "-out", "leaf.der"],
    ];
    for (const args of lines) {
      const { success } = await new Deno.Command("openssl", { args, cwd: folder, stderr: "null" }).output();
      assert.ok(success, `openssl ${args[0]}`);
    }
    const text = await new Deno.Command("openssl", {
      args: ["x509", "-in", "leaf.crt", "-noout", "-text"],
      cwd: folder,
    }).output();
    assert.match(new TextDecoder().decode(text.stdout), /Version: 1 /);
    return {
      cert: await Deno.readTextFile(`${folder}/leaf.crt`),
      key: await Deno.readTextFile(`${folder}/leaf.key`),
      fingerprint: sha256Hex(await Deno.readFile(`${folder}/leaf.der`)),
    };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("TLS: a certificate that only names a trusted issuer is refused, also as version 1", async () => {
  const authority = await makeAuthority();
  // The issuer's name is public; its key is not.
  const forged = await version1("localhost", "/CN=authority of a test");
  await withReceiver(async (receiver) => {
    const made = await attempt(receiver.url("localhost"), { roots: [authority.cert] });
    assert.match(failureOf(made), /^tls: /);
    assert.equal(receiver.bytes, 0);
  }, forged);
});

Deno.test("TLS: a server with the pinned certificate but without its key gets nothing", async () => {
  const old = await version1("receiver", "/CN=receiver");
  const other = await selfSigned("localhost");
  // Signatures by such a certificate cannot be verified, so it is refused with its own key, too.
  for (const key of [old.key, other.key]) {
    await withReceiver(async (receiver) => {
      const made = await attempt(receiver.url("localhost"), { fingerprint: old.fingerprint });
      assert.match(failureOf(made), /^tls: .*not of X\.509 version 3/);
      assert.equal(receiver.bytes, 0);
    }, { ...old, key });
  }
  await withReceiver(async (receiver) => {
    const pinned = await attempt(receiver.url("localhost"), { fingerprint: other.fingerprint });
    assert.equal(failureOf(pinned), "none");
  }, other);
});

Deno.test("the receiver's address is resolved once per attempt", async () => {
  await withReceiver(async (receiver) => {
    const answers = [["127.0.0.1"], ["169.254.169.254"]];
    let lookups = 0;
    const made = await attempt(receiver.url("rebinding.example"), {
      resolve: (host) => {
        assert.equal(host, "rebinding.example");
        return Promise.resolve(answers[lookups++] ?? []);
      },
    });
    assert.equal(made.kind, "acknowledged");
    assert.equal(lookups, 1);
    assert.equal(receiver.requests[0]!.headers.host, `rebinding.example:${receiver.port}`);
  });
});

Deno.test("the receiver's address may not be a cloud metadata address", async () => {
  const metadata = [
    "169.254.169.254",
    "::ffff:169.254.169.254",
    "fd00:ec2::254",
    "100.100.100.200",
    "fe80::1",
  ];
  for (const address of metadata) {
    const made = await attempt("http://metadata.example/", { resolve: () => Promise.resolve([address]) });
    assert.match(failureOf(made), /^unreachable: .*metadata addresses are refused/, address);
    const literal = address.includes(":") ? `[${address}]` : address;
    assert.match(failureOf(await attempt(`http://${literal}/latest/meta-data`)), /addresses are refused/);
  }
});

Deno.test("allowed addresses are tried one after another within the time limit", async () => {
  await withReceiver(async (receiver) => {
    // The second refuses connections; the third accepts.
    const resolve = () => Promise.resolve(["169.254.169.254", "127.0.0.2", "127.0.0.1"]);
    const made = await attempt(receiver.url("several.example"), { resolve });
    assert.equal(failureOf(made), "none");
    assert.equal(receiver.connections, 1);
  });
});

Deno.test("a name that is never resolved, has no address, or fails to resolve", async () => {
  const rows: [resolve: () => Promise<string[]>, failure: RegExp][] = [
    [() => new Promise(() => {}), /^timeout: nowhere\.example did not answer within 0\.05 s$/],
    [() => Promise.resolve([]), /^unreachable: nowhere\.example: it has no address$/],
    [() => Promise.reject(new Error("getaddrinfo ENOTFOUND")), /^unreachable: nowhere\.example: getaddrinfo/],
  ];
  for (const [resolve, failure] of rows) {
    const timeoutMs = failure.source.includes("timeout") ? 50 : 5000;
    const made = await attempt("https://nowhere.example/secret-path", { resolve, timeoutMs });
    assert.match(failureOf(made), failure);
    assert.doesNotMatch(failureOf(made), /secret-path/);
  }
});

Deno.test("proxy environment variables are ignored", async () => {
  await withReceiver(async (proxy) => {
    const names = ["HTTP_PROXY", "http_proxy", "ALL_PROXY"];
    for (const name of names) Deno.env.set(name, proxy.url());
    try {
      await withReceiver(async (receiver) => {
        assert.equal((await attempt(receiver.url())).kind, "acknowledged");
        assert.equal(receiver.requests[0]!.requestLine, "POST /hook HTTP/1.1");
      });
      assert.equal(proxy.connections, 0);
    } finally {
      for (const name of names) Deno.env.delete(name);
    }
  });
});

Deno.test("an attempt that is stopped ends at once, with the reason", async () => {
  const receiver = await HostileReceiver.start(hang());
  try {
    const stop = new AbortController();
    const sender = { tenantId: "main", instance: "soc", version: "0.0.0", publicUrl: null };
    const target = {
      url: new URL(receiver.url()),
      fingerprint: null,
      key: new Uint8Array(16),
      timeoutMs: 30_000,
    };
    const made = attemptDelivery(target, testEnvelope(sender, systemClock.now()), {
      clock: systemClock,
      signal: stop.signal,
    });
    await receiver.received(1);
    stop.abort(new Error("the core stops"));
    await assert.rejects(made, /the core stops/);
  } finally {
    await receiver.close();
  }
});
