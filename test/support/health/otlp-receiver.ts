// A standalone OTLP/HTTP receiver for JSON: accepts spans on POST /v1/traces, returns all of them as a JSON
// array on GET /spans, and prints its address once it listens.

interface Value {
  stringValue?: string;
  intValue?: string;
  doubleValue?: number;
  boolValue?: boolean;
}
interface Export {
  resourceSpans: {
    scopeSpans: {
      scope: { name: string };
      spans: {
        traceId: string;
        spanId: string;
        parentSpanId: string;
        name: string;
        attributes: { key: string; value: Value }[];
      }[];
    }[];
  }[];
}

/** The parts of a span that tests check. */
export interface ReceivedSpan {
  scope: string;
  name: string;
  traceId: string;
  spanId: string;
  /** Empty for the root span. */
  parentSpanId: string;
  attributes: Record<string, string>;
}

function spansOf(message: Export): ReceivedSpan[] {
  return message.resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap(({ scope, spans }) =>
      spans.map(({ traceId, spanId, parentSpanId, name, attributes }) => ({
        scope: scope.name,
        name,
        traceId,
        spanId,
        parentSpanId,
        attributes: Object.fromEntries(
          attributes.map(({ key, value }) => [key, String(Object.values(value)[0])]),
        ),
      }))
    )
  );
}

if (import.meta.main) {
  const received: ReceivedSpan[] = [];
  Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    onListen: ({ port }) => console.log(`http://127.0.0.1:${port}`),
  }, async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/v1/traces") received.push(...spansOf(await request.json()));
    return Response.json(pathname === "/spans" ? received : {});
  });
}
