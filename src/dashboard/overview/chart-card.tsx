import type { ReactNode } from "react";
import type { UseQueryResult } from "@tanstack/react-query";
import type { Summed } from "../search/aggregates.ts";
import { ChartSkeleton, ChartSlot } from "../ui/chart/chart-slot.tsx";
import { Card } from "../ui/page.tsx";
import { ErrorState } from "../ui/states.tsx";
import { Time } from "../ui/time/time.tsx";

interface ChartCardProps {
  title: string;
  note?: ReactNode;
  action?: ReactNode;
  className?: string;
  /** Pixels of the chart: the card is as high before the data is there. */
  height: number;
  /** Whether the chart has a legend. */
  legend?: boolean;
  query: UseQueryResult<Summed>;
  /** Why there is nothing to draw; null if there is something. */
  emptyText?: (data: Summed) => string | null;
  children: (data: Summed) => ReactNode;
}

/** A card without content: one line that says why. */
export function FoldedCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="card card-folded">
      <h2>{title}</h2>
      <p className="muted small">{children}</p>
    </section>
  );
}

/** A card with one chart of an aggregation. Without content it is a line at the end of the page. */
export function ChartCard(
  { title, note, action, className, height, legend, query, emptyText, children }: ChartCardProps,
) {
  const { data, error, isPending, refetch } = query;
  const reason = data && emptyText ? emptyText(data) : null;
  if (reason !== null) return <FoldedCard title={title}>{reason}</FoldedCard>;
  return (
    <Card title={title} note={note} action={action} className={className}>
      <ChartSlot height={height} legend={legend}>
        {data
          ? (
            <>
              {children(data)}
              {data.since !== null && (
                <p className="muted small">
                  Too many flows to count all of them: only those since <Time at={data.since} short />{" "}
                  are included.
                </p>
              )}
            </>
          )
          : isPending
          ? <ChartSkeleton />
          : <ErrorState what={title} error={error} retry={() => void refetch()} />}
      </ChartSlot>
    </Card>
  );
}
