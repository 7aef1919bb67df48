// A client of the delta stream, with the dashboard's own state of a map.

import assert from "node:assert/strict";
import { GraphDelta, GraphHeartbeat, type GraphSnapshot } from "../../../src/contract/graph/graph.ts";
import { Cursors } from "../../../src/core/cursor.ts";
import { Graphs } from "../../../src/core/graph/graphs.ts";
import { GraphStreams, type StreamTimes } from "../../../src/core/graph/graph-streams.ts";
import {
  applyDelta,
  applyHeartbeat,
  type GraphState,
  stateOf,
} from "../../../src/dashboard/graph/graph-model.ts";
import type { ServerEvent } from "../../../src/dashboard/graph/stream/sse.ts";
import { parseJson } from "../../../src/kit/json/json.ts";
import { EventReader } from "../../support/transport/event-stream.ts";
import { type Api, checked } from "../api.ts";
import { TEST_KEY } from "../core.ts";
import type { LiveDeps } from "./live.ts";

/** Short, so that tests need not wait. */
const QUICK: StreamTimes = { lease: 600_000, heartbeat: 200, poll: 50, spacing: 1 };

/** The graphs of a core whose streams have these times. */
export function liveWith(times: Partial<StreamTimes> = {}, maxStreams?: number) {
  const made: GraphStreams[] = [];
  const live = (deps: LiveDeps) => {
    const graphs = new Graphs(deps);
    const cursors = new Cursors(TEST_KEY);
    const streams = new GraphStreams({ ...deps, cursors, graphs, times: { ...QUICK, ...times }, maxStreams });
    made.push(streams);
    return { graphs, streams };
  };
  return { live, streams: () => made[0]! };
}

/** A core sends what has changed before so many heartbeats, also those that the client has not read yet. */
const MAX_BEATS = 1000;

export async function openStream(
  api: Api,
  sent: SentStream = {},
): Promise<EventReader> {
  const response = await sendStream(api, sent);
  if (!response.ok) assert.fail(await response.text());
  return new EventReader(response);
}

interface SentStream {
  since?: string;
  filter?: string;
  lastEventId?: string;
  tenantId?: string;
  subject?: string;
  method?: string;
}

export async function sendStream(
  api: Api,
  { since, filter, lastEventId, tenantId = "main", subject, method = "GET" }: SentStream,
): Promise<Response> {
  const query = {
    ...(since === undefined ? {} : { since }),
    ...(filter === undefined ? {} : { filter }),
  };
  return await api.send("streamGraph", query, {
    method,
    tenantId,
    subject,
    headers: lastEventId === undefined ? {} : { "last-event-id": lastEventId },
  });
}

export function deltaIn(event: ServerEvent): GraphDelta {
  assert.equal(event.event, "delta");
  const body = parseJson(event.data);
  const delta = GraphDelta.parse(body);
  assert.deepEqual(delta, body, "a delta has no further field");
  assert.equal(event.id, delta.cursor);
  return delta;
}

/** A map as the dashboard has it, kept current by a stream. */
export class MapClient {
  #state: GraphState;
  #reader: EventReader | null = null;
  /** Everything that the streams have sent. */
  seen = "";
  deltas: GraphDelta[] = [];

  constructor(readonly tenantId: string, snapshot: GraphSnapshot) {
    this.#state = stateOf(snapshot);
  }

  get state(): GraphState {
    return this.#state;
  }

  async connect(api: Api): Promise<void> {
    await this.follow(() => openStream(api, { since: this.#state.cursor!, tenantId: this.tenantId }));
  }

  /** Follows the stream that `open` returns, instead of the former one. */
  async follow(open: () => Promise<EventReader>): Promise<void> {
    await this.disconnect();
    this.#reader = await open();
  }

  async disconnect(): Promise<void> {
    await this.#reader?.close();
    this.#reader = null;
  }

  /** Takes the next event; returns its name. */
  async take(): Promise<string> {
    const event = await this.#reader!.next();
    assert.ok(event !== null, "the stream goes on");
    return this.#apply(event);
  }

  /** Takes what still arrives before the stream ends or its connection breaks. */
  async takeRest(): Promise<void> {
    const reader = this.#reader!;
    this.#reader = null;
    for (;;) {
      const event = await reader.next().catch(() => null);
      if (event === null) return;
      this.#apply(event);
    }
  }

  #apply(event: ServerEvent): string {
    this.seen += event.data;
    const before = this.#state.cursor!;
    if (event.event === "delta") {
      const delta = deltaIn(event);
      this.deltas.push(delta);
      this.#state = applyDelta(this.#state, delta);
    } else {
      assert.equal(event.event, "heartbeat");
      const beat = GraphHeartbeat.parse(JSON.parse(event.data));
      assert.equal(event.id, beat.cursor);
      this.#state = applyHeartbeat(this.#state, beat);
    }
    assert.ok(this.#state.cursor! > before, "cursors ascend");
    return event.event;
  }

  /** Takes events until the map is what a snapshot of the same window, read by the same or another core, shows. */
  async reaches(
    api: Api,
    read: (window: { from: string; to: string }) => Promise<GraphSnapshot>,
  ): Promise<void> {
    const snapshots = new Map<string, GraphSnapshot>();
    const compare = async () => {
      const { window } = this.#state;
      // Nothing changes while a client catches up.
      const snapshot = snapshots.get(window.to) ?? await read(window);
      snapshots.set(window.to, snapshot);
      assert.equal(Date.parse(window.to) * 1000, Math.ceil(api.clock.now() / 60e6) * 60e6);
      assert.deepEqual(comparable(this.#state), comparable(stateOf(snapshot)));
    };
    for (let beats = 0;;) {
      try {
        return await compare();
      } catch (error) {
        if (!(error instanceof assert.AssertionError) || beats > MAX_BEATS) throw error;
      }
      // Only a delta makes a difference.
      while (await this.take() === "heartbeat" && beats <= MAX_BEATS) beats++;
    }
  }
}

/** What a map shows. */
function comparable({ nodes, links, arcs, window, truncated, omitted }: GraphState) {
  const sorted = <T>(items: ReadonlyMap<string, T>) =>
    [...items].sort(([a], [b]) => a < b ? -1 : 1).map(([, item]) => item);
  return {
    nodes: sorted(nodes),
    links: sorted(links),
    arcs: sorted(arcs),
    window,
    truncated,
    omitted,
  };
}

export async function snapshotOf(
  api: Api,
  query: Record<string, string> | [string, string][] = {},
  tenantId = "main",
): Promise<GraphSnapshot> {
  const target = `/api/v1/graph?${new URLSearchParams(query)}`;
  return (await checked("getGraph", await api.core.send({ target, tenantId }))).data;
}
