import { useMemo, useState } from "react";
import { sankey, sankeyLinkHorizontal, type SankeyNode as Placed } from "d3-sankey";
import { categoryColour, colourClass } from "./colour.ts";
import type { SankeyLink, SankeyNode, SankeyProps } from "./sankey-props.ts";
import { formatAmount } from "./unit.ts";
import { useWidth } from "./use-width.ts";

const NODE_WIDTH = 10;
/** Room for a line of text per node. */
const GAP = 14;
/** Room for labels beside the outer columns, as a share of the width and in pixels. */
const LABEL_SHARE = 0.26;
const LABEL_MOST = 190;
const CHARACTER = 6.4;
/** Links below this share of the largest are drawn, but cannot be made out by their height alone. */
const THINNEST = 1;

type PlacedNode = Placed<SankeyNode, SankeyLink>;

/** The drawing of a sankey diagram by d3-sankey. */
export default function SankeyPlot({ label, nodes, links, unit, height }: SankeyProps & { height: number }) {
  const [box, width] = useWidth<HTMLDivElement>();
  const [pointed, setPointed] = useState<string | null>(null);
  const room = Math.min(LABEL_MOST, width * LABEL_SHARE);
  const placed = useMemo(() => {
    if (width === 0) return null;
    const used = new Set(links.flatMap(({ source, target }) => [source, target]));
    return sankey<SankeyNode, SankeyLink>()
      .nodeId(({ id }) => id)
      .nodeWidth(NODE_WIDTH)
      .nodePadding(GAP)
      .extent([[room, 6], [Math.max(room + 40, width - room), height - 6]])({
        nodes: nodes.filter(({ id }) => used.has(id)).map((node) => ({ ...node })),
        links: links.filter(({ value }) => value > 0).map((link) => ({ ...link })),
      });
  }, [nodes, links, width, height, room]);
  const path = sankeyLinkHorizontal<SankeyNode, SankeyLink>();
  const last = Math.max(0, ...placed?.nodes.map(({ depth }) => depth ?? 0) ?? []);
  const order = new Map(nodes.map(({ id }, at) => [id, at]));
  const colourOf = ({ id, colour }: SankeyNode) =>
    colourClass(colour ?? categoryColour((order.get(id) ?? 0) % 6));
  const fits = Math.max(4, Math.floor((room - 8) / CHARACTER));
  return (
    <div ref={box} className="chart-canvas">
      {placed !== null && (
        <svg width={width} height={height} role="group" aria-label={label}>
          <g>
            {placed.links.map((link) => {
              const source = link.source as PlacedNode;
              const target = link.target as PlacedNode;
              const isPointed = pointed === null || pointed === source.id || pointed === target.id;
              return (
                <path
                  key={`${source.id} ${target.id}`}
                  className={`sankey-link ${colourOf(source)}${isPointed ? "" : " sankey-faint"}`}
                  d={path(link) ?? ""}
                  strokeWidth={Math.max(THINNEST, link.width ?? 0)}
                >
                  <title>{`${source.text} to ${target.text}: ${formatAmount(unit, link.value)}`}</title>
                </path>
              );
            })}
          </g>
          {placed.nodes.map((node) => {
            const { x0 = 0, x1 = 0, y0 = 0, y1 = 0, depth = 0, value = 0 } = node;
            const isRight = depth === last && last > 0;
            const short = node.text.length > fits ? `${node.text.slice(0, fits - 1)}…` : node.text;
            const words = (
              <text
                className="chart-text"
                x={isRight ? x1 + 6 : x0 - 6}
                y={(y0 + y1) / 2}
                dy="0.35em"
                textAnchor={isRight ? "start" : "end"}
              >
                {short}
                <title>{`${node.text}: ${formatAmount(unit, value)}`}</title>
              </text>
            );
            return (
              <g
                key={node.id}
                onPointerEnter={() => setPointed(node.id)}
                onPointerLeave={() => setPointed(null)}
              >
                <rect
                  className={`chart-fill ${colourOf(node)}`}
                  x={x0}
                  y={y0}
                  width={x1 - x0}
                  height={Math.max(1, y1 - y0)}
                  rx="1.5"
                >
                  <title>{`${node.text}: ${formatAmount(unit, value)}`}</title>
                </rect>
                {node.link?.(words) ?? words}
              </g>
            );
          })}
        </svg>
      )}
    </div>
  );
}
