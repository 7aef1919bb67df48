import { lazy, Suspense } from "react";
import { ChartFrame } from "./chart-frame.tsx";
import type { SankeyProps } from "./sankey-props.ts";
import { formatCell, unitName } from "./unit.ts";

const SankeyPlot = lazy(() => import("./sankey-plot.tsx"));

const HEIGHT = 260;

/** Amounts that flow from left to right, such as from clients to services. */
export function Sankey(props: SankeyProps) {
  const { label, nodes, links, unit, height = HEIGHT } = props;
  const names = new Map(nodes.map((node) => [node.id, node]));
  const named = (id: string) => {
    const node = names.get(id);
    return node === undefined ? id : node.link?.(node.text) ?? node.text;
  };
  const sorted = [...links].sort((a, b) => b.value - a.value);
  return (
    <ChartFrame
      label={label}
      height={height}
      table={{
        head: ["From", "To", unitName(unit)],
        rows: sorted.map(({ source, target, value }) => ({
          key: `${source} ${target}`,
          cells: [named(source), named(target), formatCell(unit, value)],
        })),
      }}
    >
      {links.length === 0
        ? <p className="chart-empty muted">Nothing in this period.</p>
        : (
          <Suspense fallback={<div className="chart-wait" aria-busy="true" />}>
            <SankeyPlot {...props} height={height} />
          </Suspense>
        )}
    </ChartFrame>
  );
}
