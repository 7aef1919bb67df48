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
  children: (data: Summed) => ReactNode;
}

/** A card with one chart of an aggregation. */
export function ChartCard(
  { title, note, action, className, height, legend, query, children }: ChartCardProps,
) {
  const { data, error, isPending, refetch } = query;
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
