// Spans for OpenTelemetry, through the exporter that Deno has: off unless OTEL_DENO=true, and then without any cost.

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

/** As the runtime reads it. */
const ENABLED = ["true", "1"].includes(Deno.env.get("OTEL_DENO") ?? "") &&
  Deno.env.get("OTEL_DENO_TRACING") !== "false";

/** Which part of the service a span tells of; the name of its instrumentation scope. */
type Part = "ndr.web" | "ndr.core" | "ndr.store" | "ndr.ingest" | "ndr.pipeline" | "ndr.jobs";

/** Does `work` in a span below the one that is open. A failure is noted on it. */
export function traced<T>(
  part: Part,
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  if (!ENABLED) return work();
  return trace.getTracer(part).startActiveSpan(name, { attributes }, (span) => until(span, work));
}

/** What a span of a request says when it ends; the name is the route's template, never a path with identifiers. */
interface RequestEnd {
  name: string;
  status: number;
  attributes: Attributes;
}

/**
 * Answers a request in a span of its own. The web layer begins a trace, whatever a browser sent; the core goes on with the
 * one in the `traceparent` of the web layer.
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

/** Adds to the span that is open, if there is one. */
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
