import { Sha256 } from "../../kit/hash.ts";
import type { Graph } from "../../domain/graph/graph.ts";
import { stringifyJson } from "../../kit/json/json.ts";
import { graphView } from "./graph-view.ts";

const PARTS = ["nodes", "links", "arcs"] as const;
type Part = (typeof PARTS)[number];

/** What clients see of a graph: the JSON text of each element by its id. */
export interface GraphContent {
  parts: Readonly<Record<Part, ReadonlyMap<string, string>>>;
  omitted: Graph["omitted"];
  /** Equal for equal contents only. */
  digest: string;
}

/** The content before a client's first delta. */
export const NO_CONTENT: Pick<GraphContent, "parts"> = {
  parts: { nodes: new Map(), links: new Map(), arcs: new Map() },
};

/** Half of SHA-256, base64url. */
const DIGEST_LENGTH = 22;

export function contentOf(graph: Graph): GraphContent {
  const { nodes, links, arcs } = graphView(graph);
  const parts = {
    nodes: new Map(nodes.map((node) => [node.node_id, stringifyJson(node)])),
    links: new Map(links.map((link) => [link.link_id, stringifyJson(link)])),
    arcs: new Map(arcs.map((arc) => [arc.arc_id, stringifyJson(arc)])),
  };
  const { omitted } = graph;
  const hash = new Sha256().update(JSON.stringify(omitted));
  for (const part of PARTS) {
    for (const text of parts[part].values()) hash.update(text).update("\n");
    hash.update("\n");
  }
  return { parts, omitted, digest: hash.base64url().slice(0, DIGEST_LENGTH) };
}

/**
 * The JSON members of a delta that turns `before` into `after`.
 *
 * @param complete Names everything, because the client may have something else than `before`.
 */
export function changesText(
  before: Pick<GraphContent, "parts">,
  after: GraphContent,
  complete: boolean,
): string {
  const { nodes, links, arcs } = after.omitted;
  const parts = PARTS.map((part) => {
    const [old, current] = [before.parts[part], after.parts[part]];
    const upserted: string[] = [];
    for (const [id, text] of current) if (complete || old.get(id) !== text) upserted.push(text);
    const removed = [...old.keys()].filter((id) => !current.has(id));
    return `"${part}":{"upserted":[${upserted.join(",")}],"removed":${JSON.stringify(removed)}}`;
  });
  return `"complete":${complete},${parts.join(",")},"truncated":${nodes + links + arcs > 0},"omitted":${
    JSON.stringify(after.omitted)
  }`;
}
