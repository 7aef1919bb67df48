import type { ChannelDeps } from "../../../src/core/graph/channel.ts";
import { Graphs } from "../../../src/core/graph/graphs.ts";
import { GraphStreams } from "../../../src/core/graph/graph-streams.ts";

export type LiveDeps = Omit<ChannelDeps, "graphs">;

/** The graphs of a core, and streams that nothing wakes: they poll. */
export function liveGraphs(deps: LiveDeps) {
  const graphs = new Graphs(deps);
  return { graphs, streams: new GraphStreams({ ...deps, graphs }) };
}
