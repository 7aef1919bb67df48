import { useEffect, useRef, useState } from "react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { GraphScene, GraphSnapshot } from "../../../contract/graph/graph.ts";
import { addressOf, call, isStillReading } from "../../base/api.ts";
import { type Range, rangeKey, type Window } from "../../base/time/range.ts";
import { applyDelta, applyHeartbeat, type GraphState, stateOf } from "../graph-model.ts";
import { followGraph, readUntilDone, type StreamStatus } from "./graph-stream.ts";
import { askedWindow } from "../map-search.ts";

export interface GraphQuestion {
  scene: GraphScene;
  focus?: string;
  hops?: string;
  expand: string[];
  /** A condition in the search language; null for one that the map cannot answer. */
  filter: string | null | undefined;
  /** Its evidence is shown, whatever the window. */
  incident?: string;
}

/** `past`: the window has ended, nothing follows. */
export type MapStatus = StreamStatus | { state: "paused" } | { state: "past" };

async function readGraph(
  question: GraphQuestion,
  window: { from: string; to?: string },
  signal: AbortSignal,
): Promise<GraphSnapshot> {
  const { scene, focus, hops, expand, filter, incident } = question;
  const query = {
    ...incident === undefined ? { ...window, filter } : { incident_id: incident },
    scene,
    focus_device_id: focus,
    hops: focus === undefined ? undefined : hops,
    expand,
  };
  return await call("getGraph", { query, signal });
}

/** A snapshot of another window, to compare with. */
export function useEarlierGraph(
  tenant: string,
  question: GraphQuestion,
  window: Window | null,
): { state: GraphState | null; error: unknown } {
  const { data, error } = useQuery({
    queryKey: [tenant, "graph-earlier", question, window],
    queryFn: ({ signal }) => readGraph({ ...question, incident: undefined }, window!, signal),
    enabled: window !== null && question.filter !== null,
    staleTime: Infinity,
  });
  const [state, setState] = useState<GraphState | null>(null);
  useEffect(() => setState(data === undefined ? null : stateOf(data)), [data]);
  return { state: window === null ? null : state, error };
}

interface LiveGraph {
  state: GraphState | null;
  status: MapStatus;
  error: unknown;
  isPending: boolean;
  /** The first read goes on for longer than a request. */
  isStillReading: boolean;
  /** Another question was asked; the former map is still shown. */
  isLoading: boolean;
  refetch: () => void;
}

/** The map of a window; while the window ends now, the delta stream keeps it current. */
export function useGraph(tenant: string, question: GraphQuestion, range: Range, paused: boolean): LiveGraph {
  const query = useQuery({
    queryKey: [tenant, "graph", question, rangeKey(range)],
    queryFn: async ({ signal }) =>
      stateOf(
        await readGraph(question, askedWindow(range, Date.now()), signal),
        `${rangeKey(range)} ${question.filter ?? ""}`,
        question.expand.join(),
      ),
    placeholderData: keepPreviousData,
    enabled: question.filter !== null,
    staleTime: Infinity,
    // A map opened again later starts from a new snapshot.
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const { data, refetch, isPlaceholderData } = query;
  const [state, setState] = useState<GraphState | null>(null);
  const [stream, setStream] = useState<StreamStatus>({ state: "connecting" });
  const current = useRef<GraphState | null>(null);
  const change = (next: GraphState) => {
    current.current = next;
    setState(next);
  };

  useEffect(() => {
    if (data !== undefined) change(data);
  }, [data]);

  const follows = data !== undefined && data.cursor !== null && !isPlaceholderData && !paused;
  useEffect(() => {
    if (!follows) return;
    // After a pause the stream continues from where the map stopped.
    const cursor = current.current?.cursor ?? data.cursor;
    if (cursor === null) return;
    const stop = new AbortController();
    void followGraph((since) => addressOf("streamGraph", { query: { since } }), cursor, {
      onStatus: setStream,
      onDelta: (delta) => current.current !== null && change(applyDelta(current.current, delta)),
      onHeartbeat: (beat) => current.current !== null && change(applyHeartbeat(current.current, beat)),
      onResync: () => {
        setStream({ state: "reconnecting", since: Date.now() });
        // Its data starts the next stream.
        void readUntilDone(async () => (await refetch()).isSuccess, stop.signal);
      },
    }, stop.signal);
    return () => stop.abort();
  }, [follows, data, refetch]);

  const status: MapStatus = data?.cursor === null ? { state: "past" } : paused ? { state: "paused" } : stream;
  return {
    state: state !== null && state.scene === question.scene ? state : null,
    status,
    error: query.error,
    isPending: query.isPending,
    isStillReading: isStillReading(query.failureReason),
    isLoading: query.isFetching,
    refetch: () => void refetch(),
  };
}
