import type { ChannelState } from "../domain/detect/beacon.ts";
import type { ChannelKey } from "../store/detector-state.ts";

/** A channel as the pipeline follows it. */
export interface Channel {
  key: ChannelKey;
  firstSeen: number;
  state: ChannelState;
}

/** What all channels kept here may weigh together; one unit is about 100 bytes. */
const MAX_WEIGHT = 250_000;
const BASE_WEIGHT = 4;

/**
 * The channels that a tenant's pipeline used last, as they are stored after batch `at`. Only whoever moves the cursor
 * writes channels, so as long as the cursor stands where this pipeline left it they need not be read again.
 */
export class ChannelCache {
  /** Least recently used first. */
  readonly #channels = new Map<string, { channel: Channel; weight: number }>();
  readonly #maxWeight: number;
  #weight = 0;
  #at: number | null = null;

  constructor(maxWeight = MAX_WEIGHT) {
    this.#maxWeight = maxWeight;
  }

  /**
   * Begins a round that follows batch `at`. Until `commit` nothing here is taken to be true: a round that fails,
   * or is run again, finds the cache empty.
   */
  begin(at: number): void {
    if (this.#at !== at) this.#clear();
    this.#at = null;
  }

  get(id: string): Channel | undefined {
    return this.#channels.get(id)?.channel;
  }

  /** Takes over what the round has left of a channel. */
  put(id: string, channel: Channel): void {
    this.#weight -= this.#channels.get(id)?.weight ?? 0;
    this.#channels.delete(id);
    const weight = BASE_WEIGHT + channel.state.points.length + 2 * channel.state.refs.length;
    this.#channels.set(id, { channel, weight });
    this.#weight += weight;
  }

  /** The round has been committed, the cursor stands at batch `at`. */
  commit(at: number): void {
    this.#at = at;
    for (const [id, { weight }] of this.#channels) {
      if (this.#weight <= this.#maxWeight) break;
      this.#channels.delete(id);
      this.#weight -= weight;
    }
  }

  #clear(): void {
    this.#channels.clear();
    this.#weight = 0;
  }
}
