import { endOfMinute, MINUTE } from "../../domain/graph/traffic.ts";
import type { Clock } from "../../kit/clock.ts";
import { SingleFlight } from "../../kit/threads/single-flight.ts";
import { formatMillis } from "../../kit/time.ts";
import { type GraphVersion, isSameVersion } from "../../store/graph/position.ts";
import { survivorOf } from "../../store/device/group.ts";
import { outsideRequest } from "../../observe/request-scope.ts";
import type { Cursors } from "../cursor.ts";
import { eventBytes, resyncBytes } from "./events.ts";
import { changesText, type GraphContent, NO_CONTENT } from "./graph-content.ts";
import { type GraphPosition, sealGraphCursor } from "./graph-cursor.ts";
import type { ComputedGraph, GraphDeps, Graphs } from "./graphs.ts";
import type { GraphScope } from "./graph-scope.ts";
import type { Viewer } from "./viewer.ts";

/** Former states that are kept for clients whose lease ends. */
const MAX_FORMER = 4;

export interface ChannelDeps extends GraphDeps {
  clock: Clock;
  graphs: Pick<Graphs, "of" | "compute">;
  cursors: Cursors;
}

/** What a channel shows. */
export interface ChannelKey {
  tenantId: string;
  scope: GraphScope;
  /** Length of the window in minutes. */
  minutes: number;
}

/** What a client has, as far as it could be reconstructed. */
interface Basis {
  content: Pick<GraphContent, "parts">;
  /** Whether it is exactly that. */
  exact: boolean;
}

/** One graph that streams follow: it is computed once, and each change is sent to all of them. */
export class Channel {
  readonly viewers = new Set<Viewer>();
  /** Requests that are about to add a viewer. */
  joining = 0;
  #hasLostFocus = false;
  #state: ComputedGraph | null = null;
  #former: ComputedGraph[] = [];
  #watermark = 0;
  /** The time in the newest cursor. */
  #at = 0;
  readonly #updating = new SingleFlight<void>();
  readonly #reconstructing = new SingleFlight<Basis>();

  constructor(private readonly key: ChannelKey, private readonly deps: ChannelDeps) {}

  /**
   * Computes the graph unless it is current, and sends what has changed.
   *
   * @returns whether it was computed
   * @throws what reading the store throws
   */
  async update(version: GraphVersion, watermark: number, now: number): Promise<boolean> {
    if (this.#isCurrent(version, now)) {
      this.#watermark = Math.max(this.#watermark, watermark);
      return false;
    }
    // A computation under way may have begun before.
    for (let round = 0; round < 2 && !this.#isCurrent(version, now); round++) {
      await this.#updating.run(() => outsideRequest(() => this.#compute(version, now)));
    }
    return true;
  }

  /** The device in focus was merged into another one, so there is nothing to follow. */
  get hasLostFocus(): boolean {
    return this.#hasLostFocus;
  }

  #isCurrent(version: GraphVersion, now: number): boolean {
    return this.#state !== null && isSameVersion(this.#state.version, version) &&
      this.#state.window.to >= endOfMinute(now);
  }

  async #compute(version: GraphVersion, now: number): Promise<void> {
    const { tenantId, scope, minutes } = this.key;
    this.#hasLostFocus = await this.#isMerged();
    if (this.#hasLostFocus) return this.#resync();
    const to = Math.max(endOfMinute(now), this.#state?.window.to ?? 0);
    const request = { scope, window: { from: to - minutes * MINUTE, to }, now };
    let state = await this.deps.graphs.of(tenantId, request);
    // A computation that had begun before the batch was committed.
    if (!isSameVersion(state.version, version)) state = await this.deps.graphs.of(tenantId, request);
    this.#publish(state);
  }

  async #isMerged(): Promise<boolean> {
    const { tenantId, scope: { focus } } = this.key;
    if (focus === null) return false;
    return await this.deps.db.tenant(tenantId, (tx) => survivorOf(tx, tenantId, focus)) !== focus;
  }

  #resync(): void {
    this.#state = null;
    const bytes = resyncBytes("configuration_changed");
    for (const viewer of [...this.viewers]) {
      viewer.send(bytes);
      viewer.end();
    }
  }

  #publish(state: ComputedGraph): void {
    const before = this.#state;
    this.#state = state;
    this.#watermark = Math.max(this.#watermark, state.watermark);
    if (before === null) return;
    const isSame = before.window.to === state.window.to &&
      before.content.digest === state.content.digest;
    if (isSame) return;
    this.#former = [before, ...this.#former].slice(0, MAX_FORMER);
    if (this.viewers.size === 0) return;
    const bytes = this.#delta({ content: before.content, exact: true }, state);
    for (const viewer of [...this.viewers]) viewer.send(bytes);
  }

  /** What the client at a position has. */
  async basisOf(position: GraphPosition, now: number): Promise<Basis> {
    const known = [this.#state, ...this.#former].find((state) => state?.content.digest === position.digest);
    if (known) return { content: known.content, exact: true };
    const key = JSON.stringify([position.batchNo, position.to, position.digest]);
    return await this.#reconstructing.run(() => outsideRequest(() => this.#reconstruct(position, now)), key);
  }

  async #reconstruct({ to, batchNo, digest }: GraphPosition, now: number): Promise<Basis> {
    const { tenantId, scope, minutes } = this.key;
    const window = { from: to - minutes * MINUTE, to };
    const { content } = await this.deps.graphs.compute(tenantId, { scope, window, now }, batchNo);
    return { content, exact: content.digest === digest };
  }

  /**
   * Adds a viewer and sends it what has changed since its position.
   *
   * @param from null for a client that has nothing
   */
  join(viewer: Viewer, from: { position: GraphPosition; basis: Basis } | null): void {
    const state = this.#state;
    if (state === null) throw new Error("the channel has no state yet");
    this.viewers.add(viewer);
    const isSame = from !== null && from.position.digest === state.content.digest &&
      from.position.to === state.window.to;
    if (isSame) viewer.send(this.#heartbeat(state));
    else viewer.send(this.#delta(from?.basis ?? { content: NO_CONTENT, exact: false }, state));
  }

  /** Sends the current cursor to all viewers. */
  beat(): void {
    if (this.#state === null || this.viewers.size === 0) return;
    const bytes = this.#heartbeat(this.#state);
    for (const viewer of [...this.viewers]) viewer.send(bytes);
  }

  /** The cursors issued from now on are later than that time. */
  passed(at: number): void {
    this.#at = Math.max(this.#at, at);
  }

  #heartbeat(state: ComputedGraph): Uint8Array<ArrayBuffer> {
    const cursor = this.#cursor(state);
    const watermark = formatMillis(this.#watermark);
    return eventBytes("heartbeat", cursor, JSON.stringify({ cursor, watermark }));
  }

  #delta({ content, exact }: Basis, state: ComputedGraph): Uint8Array<ArrayBuffer> {
    const cursor = this.#cursor(state);
    const { from, to } = state.window;
    const head = JSON.stringify({
      cursor,
      watermark: formatMillis(this.#watermark),
      window: { from: formatMillis(from), to: formatMillis(to) },
    });
    const data = `${head.slice(0, -1)},${changesText(content, state.content, !exact)}}`;
    return eventBytes("delta", cursor, data);
  }

  #cursor({ content: { digest }, window, version }: ComputedGraph): string {
    this.#at = Math.max(this.#at + 1, this.deps.clock.now());
    const { tenantId, scope, minutes } = this.key;
    const position = { scope, minutes, to: window.to, batchNo: version.batchNo, digest };
    return sealGraphCursor(this.deps.cursors, tenantId, position, this.#at);
  }
}
