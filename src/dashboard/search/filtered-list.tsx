import type { ReactNode } from "react";
import { RangeControl } from "../ui/time/range-control.tsx";
import { Card } from "../ui/page.tsx";
import { Empty } from "../ui/states.tsx";
import { Ranking } from "./ranking.tsx";
import { setsTime, withoutTime } from "../base/filter-text.ts";
import type { ListFilter } from "./use-filter.ts";

/** The time range of a list; a time in its filter takes the place of the range. */
export function ListRange({ filter }: { filter: ListFilter }): ReactNode {
  const { text, change } = filter;
  const other = setsTime(text)
    ? { label: "Time of the filter", clear: () => change(withoutTime(text)) }
    : null;
  return <RangeControl other={other} />;
}

/** In place of a list whose filter cannot be read. `label` names the list. */
export function InvalidFilter({ label, clear }: { label: string; clear: () => void }): ReactNode {
  return (
    <Card title={label} className="card-plain" flush>
      <Empty icon="warning" title="The filter of this address is not valid">
        <p className="soft">Nothing is shown, because the filter cannot be applied. Correct it above.</p>
        <button type="button" className="button" onClick={clear}>Clear the filter</button>
      </Empty>
    </Card>
  );
}

/** What a question asks to rank, above the list. */
export function ListRanking({ filter }: { filter: ListFilter }): ReactNode {
  return filter.top && <Ranking filter={filter} top={filter.top} />;
}
