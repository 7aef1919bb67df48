// OpenTelemetry spans through Deno's exporter: off unless OTEL_DENO=true, and free of cost then.

import {
  type Attributes,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { messageOf } from "../kit/errors.ts";

/** As the runtime interprets it. */
const ENABLED = ["true", "1"].includes(Deno.env.get("OTEL_DENO") ?? "") &&
  Deno.env.get("OTEL_DENO_TRACING") !== "false";

/** The part of the service that a span describes: its instrumentation scope. */
type Part = "ndr.web" | "ndr.core" | "ndr.store" | "ndr.ingest" | "ndr.pipeline" | "ndr.jobs";

/** Runs `work` in a child span of the current one and records a failure. */
export function traced<T>(
  part: Part,
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  if (!ENABLED) return work();
  return trace.getTracer(part).startActiveSpan(name, { attributes }, (span) => until(span, work));
}

/**
 * Attributes of a request's span at its end; the name is the route's template, never a path with identifiers.
 */
interface RequestEnd {
  name: string;
  status: number;
  attributes: Attributes;
}

/**
 * Answers a request in a span of its own. The web layer starts a trace whatever a browser sent; the core
 * continues the one in the web layer's `traceparent`.
 */
export function tracedRequest(
  part: "ndr.web" | "ndr.core",
  traceparent: string | null,
  work: () => Promise<void>,
  end: () => RequestEnd,
): Promise<void> {
  if (!ENABLED) return work();
  const parent = traceparent === null ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, { traceparent });
  return trace.getTracer(part).startActiveSpan(
    "request",
    { kind: SpanKind.SERVER },
    parent,
    (span) =>
      until(span, async () => {
        await work();
        const { name, status, attributes } = end();
        span.updateName(name);
        span.setAttributes({ ...attributes, "http.response.status_code": status });
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      }),
  );
}

/** Adds attributes to the current span, if there is one. */
export function noteOnSpan(attributes: Attributes): void {
  if (ENABLED) trace.getSpan(context.active())?.setAttributes(attributes);
}

async function until<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR, message: messageOf(error) });
    throw error;
  } finally {
    span.end();
  }
}
