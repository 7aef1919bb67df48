// Compact bytes of a channel: at most about 2.6 kB, typically under 200 bytes.
import type { ChannelState } from "./channel.ts";
import { BeatList } from "./beat-list.ts";
import { MAX_REFS, WINDOW_HOURS } from "./channel.ts";
import { RefList } from "../state/ref-list.ts";
import { ByteReader, ByteWriter } from "../state/bytes.ts";

const VERSION = 3;
/** Knew no names, nor what came of the connections. */
const NAMELESS = 2;
/** Wrote the references one by one, too. */
const FIRST = 1;

/** Bits. */
const SEVERAL = 1;
const TOLD_NAMELESS = 2;

/**
 * Layout: version, counts, first and last seen, hours, points (start as the distance to the one before),
 * references (the newest time, distances back from it, all evidence and flow ids), fruitless connections, bits of whether there are
 * several names or none, since when they are known, and the name. Counts are varints, times before any distance are float64, ids 16 bytes.
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
  out.varint(state.fruitless);
  out.varint((state.severalNames ? SEVERAL : 0) + (state.toldNameless ? TOLD_NAMELESS : 0));
  out.float(state.nameSince);
  out.text(state.name ?? "");
  return out.bytes();
}

/** Throws a RangeError for bytes of another version or length. */
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
  const refs = version === FIRST ? refsBefore(from, lastSeen) : RefList.read(from);
  const [fruitless, names, nameSince, name] = version === VERSION
    ? [from.varint(), from.varint(), from.float(), from.text() || null]
    : [0, 0, 0, null];
  from.end();
  return {
    firstSeen,
    lastSeen,
    count,
    lastEvaluatedCount,
    fruitless,
    name,
    severalNames: (names & SEVERAL) > 0,
    toldNameless: (names & TOLD_NAMELESS) > 0,
    nameSince,
    stale,
    points,
    refs,
    hours,
    baseHour,
  };
}

function refsBefore(from: ByteReader, lastSeen: number): RefList {
  const refs = new RefList();
  const count = from.varint();
  for (let index = 0; index < count; index++) {
    const observedAt = lastSeen - from.varint();
    refs.add({ evidenceId: from.uuid(), observedAt, flowId: from.uuid() }, MAX_REFS);
  }
  return refs;
}
