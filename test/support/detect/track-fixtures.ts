// States of tracks, for the tests of the detectors that keep them.
import fc from "fast-check";
import { Distinct } from "../../../src/domain/detect/kernel/state/distinct.ts";
import type { Track, TrackKind, TrackSlot, TrackState } from "../../../src/domain/detect/kernel/tracks.ts";
import {
  anyCount,
  anyDistinct,
  anyHash,
  anyList,
  anyRecord,
  anyRef,
  anyScore,
  anyTime,
  sampleRef,
} from "./stored-state.ts";

const anyTrack = anyRecord<Track>({
  kind: fc.constantFrom<TrackKind>("port", "target", "any", "source"),
  key: anyHash,
  since: anyTime,
  first: anyTime,
  last: anyTime,
  day: anyDistinct(48),
  slots: anyList(
    anyRecord<TrackSlot>({ slot: fc.integer({ min: -1_000_000, max: 3_000_000 }), values: anyDistinct(24) }),
    9,
  ),
  hourPeak: anyCount,
  low: anyCount,
  high: anyCount,
  reportedScore: anyScore,
  refs: anyList(anyRef, 4),
});

export const anyTracks = anyRecord<TrackState>({ tracks: anyList(anyTrack, 8) });

export const SAMPLE_TRACKS: TrackState = {
  tracks: [
    {
      kind: "target",
      key: 0xfedcba98,
      since: 1_600_000_000_000_000,
      first: 1_600_000_000_000_000,
      last: 1_600_000_100_000_000,
      day: new Distinct(48, [7, 300, 70_000, 4_000_000_000]),
      slots: [{ slot: 1_333_333, values: new Distinct(24, [300, 70_000]) }],
      hourPeak: 33,
      low: 1,
      high: 1024,
      reportedScore: 42.5,
      refs: [sampleRef(1), sampleRef(2)],
    },
    {
      kind: "source",
      key: 5,
      since: -1,
      first: -1,
      last: 0,
      day: new Distinct(48),
      slots: [],
      hourPeak: 0,
      low: 0,
      high: 0,
      reportedScore: 0,
      refs: [],
    },
  ],
};
