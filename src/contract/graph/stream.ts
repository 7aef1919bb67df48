import { z } from "@hono/zod-openapi";
import { GraphFilter } from "./query.ts";

/** Concurrent streams of all tenants. */
export const MAX_GRAPH_STREAMS = 64;
export const STREAM_LEASE_SECONDS = 300;
/** Age of a cursor after which the client must read the snapshot again. */
export const STREAM_BUFFER_SECONDS = 900;
/** At most this long after the event before. */
const STREAM_HEARTBEAT_SECONDS = 15;

export const GraphStreamQuery = z.object({
  since: z.string().optional().openapi({
    description:
      "The `cursor` of a snapshot, delta or heartbeat, which also determines what is shown. The header `Last-Event-ID` takes " +
      "precedence. Without a cursor the stream starts with a complete delta of the network of the last 15 minutes.",
  }),
  filter: GraphFilter.filter.openapi({
    description:
      "The filter of a stream without a cursor, as for a snapshot. A cursor contains the filter of its snapshot: with a " +
      "cursor, this must be the same filter or absent.",
  }),
});

export const GRAPH_STREAM_TEXT = `
Server-sent events whose \`data\` is JSON and whose \`id\` is a cursor:

- \`delta\` (\`GraphDelta\`): changes of the snapshot. Removals come first: what is both removed and upserted exists.
- \`heartbeat\` (\`GraphHeartbeat\`): at least every ${STREAM_HEARTBEAT_SECONDS} s.
- \`resync_required\` (\`GraphResync\`): the stream cannot continue from the cursor and ends; read the snapshot again. Its
  \`id\` is empty, so that the cursor is not sent again.

A snapshot and the deltas after its cursor give the snapshot of a later time, also after a reconnect within
${
  STREAM_BUFFER_SECONDS / 60
} minutes: the first delta has everything that changed meanwhile, with removals. A stream ends
after ${
  STREAM_LEASE_SECONDS / 60
} minutes: connect again with the last cursor. It also ends when the session ends or
selects another tenant, and when the client does not read. At most ${MAX_GRAPH_STREAMS} streams are open at a time; a
further one takes the place of one of the person, then of the tenant, that has the most, or gets 429 with \`Retry-After\`.`
  .trim();
