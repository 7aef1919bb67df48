// Traces as a collector receives them from the real program.

import assert from "node:assert/strict";
import type { ReceivedSpan } from "../../support/health/otlp-receiver.ts";
import { signIn, startUp } from "../../support/up.ts";

const DEVICE = "0190b2c3-0000-7000-8000-000000000001";

Deno.test("traces: one browser request is one trace from web through core to its transactions", async () => {
  const receiver = new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-net", new URL("../../support/health/otlp-receiver.ts", import.meta.url).pathname],
    stdout: "piped",
  }).spawn();
  const reader = receiver.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const collector = (await reader.read()).value!.trim();
  const up = await startUp({
    ownDatabase: true,
    sample: false,
    env: {
      OTEL_DENO: "true",
      OTEL_DENO_CONSOLE: "ignore",
      OTEL_DENO_METRICS: "false",
      OTEL_EXPORTER_OTLP_ENDPOINT: collector,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_BSP_SCHEDULE_DELAY: "100",
    },
  });
  try {
    const { browser } = await signIn(up.baseUrl, "analyst");
    const outside = "4bf92f3577b34da6a3ce929d0e0e4736";
    const response = await browser.request(`/api/v1/devices/${DEVICE}`, {
      headers: { traceparent: `00-${outside}-00f067aa0ba902b7-01` },
    });
    assert.equal(response.status, 404);
    const requestId = (await response.json()).error.request_id;
    assert.equal(response.headers.get("x-request-id"), requestId);
    await sendBatch(
      up.coreUrl,
      up.sources.find((source) => source.allowed_kinds.includes("zeek.conn"))!.token,
    );

    const ours = await spansUntil(collector, (spans) =>
      spans.some(({ scope }) => scope === "ndr.pipeline") &&
      spans.filter(isOfRequest(requestId)).some(({ scope }) => scope === "ndr.web"));
    const [web, ...others] = ours.filter((span) => span.scope === "ndr.web" && isOfRequest(requestId)(span));
    assert.ok(web);
    assert.deepEqual(others, []);
    assert.equal(web.name, "GET /api/v1/devices/{device_id}");
    assert.equal(web.parentSpanId, "", "a browser cannot choose the trace id");
    assert.notEqual(web.traceId, outside);

    const trace = ours.filter(({ traceId }) => traceId === web.traceId);
    const core = trace.find(({ scope, name }) => scope === "ndr.core" && name === web.name);
    assert.ok(core, "the core answered in the same trace");
    assert.equal(core.attributes["ndr.request_id"], requestId);
    assert.equal(core.attributes["ndr.tenant"], "main");
    assert.equal(core.attributes["http.response.status_code"], "404");
    assert.ok(isBelow(core, web, trace), "the core's span is below the web layer's");
    const transactions = trace.filter(({ scope, parentSpanId }) =>
      scope === "ndr.store" && parentSpanId === core.spanId
    );
    assert.deepEqual(transactions.map(({ attributes }) => attributes["ndr.tenant"]), ["main"]);

    const named = ours.filter(({ scope }) => scope.startsWith("ndr."));
    for (const { scope, name, attributes } of named) {
      const text = `${scope} ${name} ${JSON.stringify(attributes)}`;
      assert.doesNotMatch(text, new RegExp(`${DEVICE}|[0-9a-f]{64}`), "no path with identifiers");
    }
    const scopes = new Set(named.map(({ scope, name }) => `${scope}: ${name}`));
    for (const expected of ["ndr.ingest: commit batch", "ndr.pipeline: apply round"]) {
      assert.ok(scopes.has(expected), `${expected} among ${[...scopes].join(", ")}`);
    }
  } finally {
    await up.stop();
    receiver.kill("SIGKILL");
    await receiver.status;
    await reader.cancel();
  }
});

function isOfRequest(requestId: string): (span: ReceivedSpan) => boolean {
  return ({ attributes }) => attributes["ndr.request_id"] === requestId;
}

function isBelow(span: ReceivedSpan, above: ReceivedSpan, trace: ReceivedSpan[]): boolean {
  const parent = trace.find(({ spanId }) => spanId === span.parentSpanId);
  return parent !== undefined && (parent.spanId === above.spanId || isBelow(parent, above, trace));
}

async function sendBatch(coreUrl: string, token: string): Promise<void> {
  const line = JSON.stringify({
    kind: "zeek.conn",
    observed_at: new Date().toISOString(),
    payload: {
      ts: Date.now() / 1000,
      uid: "C1",
      "id.orig_h": "10.0.0.5",
      "id.orig_p": 50000,
      "id.resp_h": "192.0.2.7",
      "id.resp_p": 443,
      proto: "tcp",
    },
  });
  const response = await fetch(`${coreUrl}/internal/v1/ingest/events`, {
    method: "POST",
    headers: { "authorization": `Bearer ${token}`, "content-type": "application/x-ndjson" },
    body: `${line}\n`,
  });
  assert.equal(response.status, 200, await response.text());
}

/** Spans are sent in batches, so the last ones take a moment. */
async function spansUntil(
  collector: string,
  enough: (spans: ReceivedSpan[]) => boolean,
): Promise<ReceivedSpan[]> {
  for (let attempt = 0;; attempt++) {
    const spans: ReceivedSpan[] = await (await fetch(`${collector}/spans`)).json();
    if (enough(spans)) return spans;
    assert.ok(
      attempt < 100,
      `the spans did not arrive; received ${spans.map(({ scope, name }) => `${scope} ${name}`)}`,
    );
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
