// The wire format of server-sent events (WHATWG HTML, 9.2.6).

import type { GraphResync } from "../../contract/graph/graph.ts";

const utf8 = new TextEncoder();

/** How long an EventSource waits before it connects again, in milliseconds. */
const RETRY = 1000;

/** `data`: one line of JSON. */
export function eventBytes(event: string, id: string, data: string): Uint8Array<ArrayBuffer> {
  return utf8.encode(`event: ${event}\nid: ${id}\ndata: ${data}\n\n`);
}

export function retryBytes(): Uint8Array<ArrayBuffer> {
  return utf8.encode(`retry: ${RETRY}\n\n`);
}

/** With an empty id, so that an EventSource forgets the cursor. */
export function resyncBytes(reason: GraphResync["reason"]): Uint8Array<ArrayBuffer> {
  return eventBytes("resync_required", "", JSON.stringify({ reason }));
}
