// OpenTelemetry spans through Deno's built-in exporter. Disabled, and then without cost, unless
// OTEL_DENO=true.

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

/** Same rule as the runtime's. */
const ENABLED = ["true", "1"].includes(Deno.env.get("OTEL_DENO") ?? "") &&
  Deno.env.get("OTEL_DENO_TRACING") !== "false";

/** The part of the service that a span describes: its instrumentation scope. */
type Part = "ndr.web" | "ndr.core" | "ndr.store" | "ndr.ingest" | "ndr.pipeline" | "ndr.jobs";

/** Runs `work` in a child span of the current one. A failure sets its status. */
export function traced<T>(
  part: Part,
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  if (!ENABLED) return work();
  return trace.getTracer(part).startActiveSpan(name, { attributes }, (span) => runInSpan(span, work));
}

/** Final values of a request span; the name is the route's template, never a path with identifiers. */
interface RequestEnd {
  name: string;
  status: number;
  attributes: Attributes;
}

/**
 * Handles a request in its own span. The web layer always starts a new trace; the core continues the one in
 * the web layer's `traceparent`.
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
      runInSpan(span, async () => {
        await work();
        const { name, status, attributes } = end();
        span.updateName(name);
        span.setAttributes({ ...attributes, "http.response.status_code": status });
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      }),
  );
}

/** Sets attributes on the current span, if any. */
export function setSpanAttributes(attributes: Attributes): void {
  if (ENABLED) trace.getSpan(context.active())?.setAttributes(attributes);
}

async function runInSpan<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR, message: messageOf(error) });
    throw error;
  } finally {
    span.end();
  }
}
