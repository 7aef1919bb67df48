// How a channel is stored. Written by hand for speed: channels are by far the most frequent state.
import { BeatList } from "./beat-list.ts";
import { type ChannelState, emptyChannel, MAX_NAME, MAX_POINTS, MAX_REFS, WINDOW_HOURS } from "./channel.ts";
import { RefList } from "../state/ref-list.ts";
import { ByteReader, ByteWriter } from "../state/bytes.ts";
import type { StateType } from "../detector.ts";
import type { Field } from "../state/schema.ts";

const VERSION = 3;
/** Without names and failed connections. */
const NAMELESS = 2;
/** Wrote the references one by one, too. */
const FIRST = 1;

const SEVERAL_NAMES_BIT = 1;
const KNOWN_NAMELESS_BIT = 2;
const LATE_BIT = 4;

const VARINT_BYTES = 8;
const FLOAT_BYTES = 8;
const PORT_BYTES = 3;
const BEAT_BYTES = 3 * VARINT_BYTES + PORT_BYTES;
const REF_BYTES = VARINT_BYTES + 2 * 16;

/** Most bytes of a stored channel; an ordinary one takes less than 200. */
const MAX_CHANNEL_BYTES = 1 + 3 * VARINT_BYTES + 3 * FLOAT_BYTES + WINDOW_HOURS * VARINT_BYTES +
  (2 + FLOAT_BYTES + MAX_POINTS * BEAT_BYTES) + (1 + FLOAT_BYTES + MAX_REFS * REF_BYTES) +
  (VARINT_BYTES + 1 + FLOAT_BYTES) + (2 + 3 * MAX_NAME);

/**
 * Keys: `<device> <peer address> <protocol> <port>`. A day of silence restarts a channel, so few days are
 * kept.
 */
export const CHANNELS: StateType<ChannelState> = {
  id: 3,
  name: "channels",
  keepDays: 3,
  maxBytes: MAX_CHANNEL_BYTES,
  empty: emptyChannel,
  encode: encodeChannel,
  decode: decodeChannel,
  size: channelSize,
};

/** A channel within another state. */
export const channel: Field<ChannelState> = {
  write: (out, value) => {
    const bytes = encodeChannel(value);
    out.varint(bytes.length);
    out.raw(bytes);
  },
  read: (from) => decodeChannel(from.raw(from.varint())),
  size: channelSize,
  maxBytes: 2 + MAX_CHANNEL_BYTES,
};

/** Estimated bytes of a channel in memory. */
function channelSize({ points, refs, name }: ChannelState): number {
  return 400 + points.weight + refs.weight + (name?.length ?? 0);
}

/**
 * Layout: version, counts, first and last seen, hours, points (each start as the distance from the previous
 * one), references (the newest time, distances back from it, all evidence and flow ids), failed connections,
 * the bits of the name and of late arrival, since when it is known, and the name. Counts are varints, absolute times float64, ids
 * 16 bytes.
 */
export function encodeChannel(state: ChannelState): Uint8Array {
  const out = new ByteWriter(96 + state.points.length * 16 + state.refs.length * 40);
  out.varint(VERSION);
  out.varint(state.count);
  out.varint(state.lastEvaluatedCount);
  out.varint(state.stale);
  out.float(state.firstSeen);
  out.float(state.lastSeen);
  out.float(state.baseHour);
  for (let missing = WINDOW_HOURS - state.hours.length; missing > 0; missing--) out.varint(0);
  for (const count of state.hours) out.varint(count);

  state.points.write(out);
  state.refs.write(out);
  out.varint(state.failed);
  out.varint(
    (state.severalNames ? SEVERAL_NAMES_BIT : 0) + (state.knownNameless ? KNOWN_NAMELESS_BIT : 0) +
      (state.late ? LATE_BIT : 0),
  );
  out.float(state.nameSince);
  out.text(state.name ?? "");
  return out.bytes();
}

/** Throws a RangeError for bytes of an unknown version or length. */
export function decodeChannel(bytes: Uint8Array): ChannelState {
  const from = new ByteReader(bytes);
  const version = from.varint();
  if (version !== VERSION && version !== NAMELESS && version !== FIRST) {
    throw new RangeError(`channel state: expected version ${VERSION}, got ${version}`);
  }
  const count = from.varint();
  const lastEvaluatedCount = from.varint();
  const stale = from.varint();
  const firstSeen = from.float();
  const lastSeen = from.float();
  const baseHour = from.float();
  const hours: number[] = [];
  for (let hour = 0; hour < WINDOW_HOURS; hour++) {
    const connections = from.varint();
    if (connections > 0 || hours.length > 0) hours.push(connections);
  }

  const points = BeatList.read(from);
  const refs = version === FIRST ? readFirstRefs(from, lastSeen) : RefList.read(from);
  const [failed, bits, nameSince, name] = version === VERSION
    ? [from.varint(), from.varint(), from.float(), from.text() || null]
    : [0, 0, 0, null];
  from.end();
  return {
    firstSeen,
    lastSeen,
    count,
    lastEvaluatedCount,
    failed,
    name,
    severalNames: (bits & SEVERAL_NAMES_BIT) > 0,
    knownNameless: (bits & KNOWN_NAMELESS_BIT) > 0,
    nameSince,
    late: (bits & LATE_BIT) > 0,
    stale,
    points,
    refs,
    hours,
    baseHour,
  };
}

/** References as version 1 wrote them. */
function readFirstRefs(from: ByteReader, lastSeen: number): RefList {
  const refs = new RefList();
  const count = from.varint();
  for (let index = 0; index < count; index++) {
    const observedAt = lastSeen - from.varint();
    refs.add({ evidenceId: from.uuid(), observedAt, flowId: from.uuid() }, MAX_REFS);
  }
  return refs;
}
