import {
  MAX_GRAPH_STREAMS,
  STREAM_BUFFER_SECONDS,
  STREAM_LEASE_SECONDS,
} from "../../contract/graph/stream.ts";
import type { EventStream } from "../../contract/request/envelope.ts";
import { ApiError } from "../../contract/request/errors.ts";
import { messageOf } from "../../kit/errors.ts";
import { Wake } from "../../kit/threads/wake.ts";
import type { Logger } from "../../observe/log.ts";
import { currentWork, outsideRequest } from "../../observe/request-scope.ts";
import { processedUntil } from "../../store/graph/position.ts";
import { Channel, type ChannelDeps, type ChannelKey } from "./channel.ts";
import { resyncBytes, retryBytes } from "./events.ts";
import { fieldError } from "../field-error.ts";
import { openGraphCursor } from "./graph-cursor.ts";
import { versionOf } from "./graphs.ts";
import { type GraphScope, scopeKey } from "./graph-scope.ts";
import { type StreamPlace, StreamPlaces } from "./stream-places.ts";
import { Viewer } from "./viewer.ts";

/** In milliseconds. */
export interface StreamTimes {
  lease: number;
  heartbeat: number;
  /** Between two polls of a tenant without a commit in this process. */
  poll: number;
  /** Between two computations for a tenant, at least. */
  spacing: number;
}

/** Less than the promised 15 s between heartbeats, because they pass proxies. */
const TIMES: StreamTimes = {
  lease: STREAM_LEASE_SECONDS * 1000,
  heartbeat: 10_000,
  poll: 1000,
  spacing: 500,
};
/** A tenant's computations take at most a fifth of a processor. */
const REST = 4;
const BUFFER = STREAM_BUFFER_SECONDS * 1_000_000;
/** `Retry-After`, in seconds: leases of five minutes for 64 streams end every few seconds. */
const RETRY_AFTER = 5;
/** Channels that are kept without a viewer, for clients whose lease ended. */
const MAX_IDLE_CHANNELS = 8;
const DEFAULT_SCOPE: GraphScope = { scene: "network", focus: null, hops: 1, expand: [], filter: null };
const DEFAULT_MINUTES = 15;

/** What a client asks for when it connects. */
interface StreamRequest {
  cursor: string | null;
  /** The parameter or header with the cursor, for errors. */
  field: string;
  /** In canonical form; null without one. A cursor must be of a graph with the same filter. */
  filter: string | null;
  /** Microseconds. */
  now: number;
}

interface GraphStreamDeps extends ChannelDeps {
  logger?: Logger;
  times?: Partial<StreamTimes>;
  maxStreams?: number;
}

/** The delta streams of all tenants. */
export class GraphStreams {
  readonly #times: StreamTimes;
  readonly #feeds = new Map<string, TenantFeed>();
  readonly #places: StreamPlaces;
  #stopped = false;

  constructor(private readonly deps: GraphStreamDeps) {
    this.#times = { ...TIMES, ...deps.times };
    this.#places = new StreamPlaces(deps.maxStreams ?? MAX_GRAPH_STREAMS);
  }

  /** Streams that are open. */
  get open(): number {
    return this.#places.taken;
  }

  /**
   * Opens a stream after a cursor; without one it starts with the whole graph.
   *
   * @throws ApiError for a forged or foreign cursor, and 429 if there is no place for it
   */
  async stream(tenantId: string, { cursor, field, filter, now }: StreamRequest): Promise<EventStream> {
    const position = cursor === null
      ? null
      : openGraphCursor(this.deps.cursors, tenantId, cursor, now, field);
    if (position !== null && filter !== null && position.scope.filter !== filter) {
      throw fieldError(field, "expected a cursor of a graph with this filter", "invalid_cursor");
    }
    if (cursor !== null && (position === null || now - position.at > BUFFER)) {
      return { body: ReadableStream.from([resyncBytes("cursor_too_old")]) };
    }
    const holder = { tenant: tenantId, person: currentWork()?.person ?? "" };
    const place = this.#stopped ? null : this.#places.enter(holder);
    if (place === null) throw allInUse(this.#places.most);
    const { scope, minutes } = position ?? { scope: { ...DEFAULT_SCOPE, filter }, minutes: DEFAULT_MINUTES };
    const feed = this.#feedOf(tenantId);
    const channel = feed.channel({ tenantId, scope, minutes });
    channel.joining++;
    try {
      await feed.poll([channel]);
      const basis = position && await channel.basisOf(position, now);
      channel.passed(position?.at ?? 0);
      return { body: this.#join(place, feed, channel, position && basis && { position, basis }) };
    } catch (error) {
      this.#places.leave(place);
      throw error;
    } finally {
      channel.joining--;
    }
  }

  #feedOf(tenantId: string): TenantFeed {
    let feed = this.#feeds.get(tenantId);
    if (feed === undefined) {
      this.#feeds.set(tenantId, feed = new TenantFeed(tenantId, this.deps, this.#times));
    }
    return feed;
  }

  #join(
    place: StreamPlace,
    feed: TenantFeed,
    channel: Channel,
    from: Parameters<Channel["join"]>[1],
  ): EventStream["body"] {
    const viewer = new Viewer({
      lease: this.#times.lease,
      onEnd: (ended) => {
        this.#places.leave(place);
        channel.viewers.delete(ended);
        feed.left();
      },
    });
    viewer.send(retryBytes());
    if (channel.hasLostFocus) viewer.send(resyncBytes("configuration_changed"));
    else channel.join(viewer, from);
    place.lose = () => viewer.end();
    if (channel.hasLostFocus || this.#stopped || place.lost) viewer.end();
    else feed.joined();
    return viewer.body;
  }

  /** A batch of the tenant was processed. */
  wake(tenantId: string): void {
    this.#feeds.get(tenantId)?.wake();
  }

  /** Ends all streams; further ones are refused. */
  stop(): void {
    this.#stopped = true;
    for (const feed of this.#feeds.values()) feed.stop();
  }
}

/** The streams of one tenant. While there are any, it looks for changes. */
class TenantFeed {
  readonly #channels = new Map<string, Channel>();
  #running = false;
  #failed = false;
  /** There may be something to send. */
  readonly #changed = new Wake();
  /** The last viewer left. */
  readonly #deserted = new Wake();

  constructor(
    private readonly tenantId: string,
    private readonly deps: GraphStreamDeps,
    private readonly times: StreamTimes,
  ) {}

  /** Returns the channel of a scope; creates it for the first subscriber. */
  channel(key: ChannelKey): Channel {
    const id = `${scopeKey(key.scope)} ${key.minutes}`;
    const channel = this.#channels.get(id) ?? new Channel(key, this.deps);
    // The map is in the order of last use.
    this.#channels.delete(id);
    this.#channels.set(id, channel);
    const idle = [...this.#channels].filter(([other, { viewers, joining }]) =>
      viewers.size + joining === 0 && other !== id
    );
    for (const [other] of idle.slice(0, -MAX_IDLE_CHANNELS)) this.#channels.delete(other);
    return channel;
  }

  /** Reads where the tenant stands and updates channels. Returns whether anything was computed. */
  async poll(channels: readonly Channel[]): Promise<boolean> {
    const { tenantId, deps: { db, clock } } = this;
    const now = clock.now();
    const { version, watermark } = await db.tenant(tenantId, async (tx) => ({
      // In this order, so that the graph of the version includes what the watermark promises.
      watermark: await processedUntil(tx, tenantId, now),
      version: await versionOf(tx, tenantId, this.deps),
    }));
    let computed = false;
    for (const channel of channels) computed = await channel.update(version, watermark, now) || computed;
    return computed;
  }

  wake(): void {
    this.#changed.now();
  }

  joined(): void {
    if (this.#running) return;
    this.#running = true;
    void outsideRequest(() => this.#run());
  }

  left(): void {
    if (this.#followed().length > 0) return;
    this.#deserted.now();
    this.#changed.now();
  }

  stop(): void {
    for (const { viewers } of this.#channels.values()) {
      for (const viewer of [...viewers]) viewer.end();
    }
  }

  #followed(): Channel[] {
    return [...this.#channels.values()].filter(({ viewers }) => viewers.size > 0);
  }

  async #run(): Promise<void> {
    const beats = setInterval(() => {
      for (const channel of this.#followed()) channel.beat();
    }, this.times.heartbeat);
    while (this.#followed().length > 0) {
      const spacing = await this.#round();
      const deadline = performance.now() + Math.max(spacing, this.times.poll);
      await this.#deserted.wait(spacing);
      await this.#changed.wait(deadline - performance.now());
    }
    clearInterval(beats);
    this.#running = false;
  }

  /** Sends what has changed; returns how long the next round must wait, in milliseconds. */
  async #round(): Promise<number> {
    this.#changed.taken();
    this.#deserted.taken();
    const started = performance.now();
    let computed = false;
    try {
      computed = await this.poll(this.#followed());
      this.#failed = false;
    } catch (error) {
      if (!this.#failed) {
        this.deps.logger?.warn("graph streams pause", { tenant: this.tenantId, cause: messageOf(error) });
      }
      this.#failed = true;
    }
    return computed ? Math.max(this.times.spacing, REST * (performance.now() - started)) : 0;
  }
}

function allInUse(limit: number): ApiError {
  return new ApiError(
    "source_unavailable",
    `All ${limit} streams are in use; try again in ${RETRY_AFTER} s.`,
    { reason: "streams", limit },
    429,
    RETRY_AFTER,
  );
}
