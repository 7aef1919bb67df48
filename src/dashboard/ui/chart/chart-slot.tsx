import type { CSSProperties, ReactNode } from "react";

interface ChartSlotProps {
  height: number;
  /** Whether the chart has a legend above it. */
  legend?: boolean;
  children: ReactNode;
}

/** Room for a chart of this height with its legend, whether it is loaded or not. */
export function ChartSlot({ height, legend = true, children }: ChartSlotProps) {
  return (
    <div
      className={legend ? "chart-slot" : "chart-slot chart-slot-bare"}
      style={{ "--chart-height": `${height}px` } as CSSProperties}
    >
      {children}
    </div>
  );
}

export function ChartSkeleton() {
  return (
    <div className="skeleton chart-skeleton" role="status">
      <span className="hidden">Loading</span>
    </div>
  );
}
