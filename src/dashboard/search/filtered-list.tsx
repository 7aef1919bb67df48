import type { ReactNode } from "react";
import { RangeControl } from "../ui/time/range-control.tsx";
import { Card } from "../ui/page.tsx";
import { Empty } from "../ui/states.tsx";
import { Ranking } from "./ranking.tsx";
import { isFilter, setsTime, withoutTime } from "../base/filter-text.ts";
import type { ListFilter } from "./use-filter.ts";

/** The time range of a list; a time in its filter takes the place of the range. */
export function ListRange({ filter }: { filter: ListFilter }): ReactNode {
  const { text, change } = filter;
  const other = setsTime(text)
    ? { label: "Time of the filter", clear: () => change(withoutTime(text)) }
    : null;
  return <RangeControl other={other} />;
}

/** Whether a list can follow its filter; what it showed before would look like the answer to a refused text. */
export function canFollow({ text, refused }: ListFilter): boolean {
  return isFilter(text) && !refused;
}

/** In place of a list that cannot follow its filter. `label` names the list. */
export function UnappliedFilter(
  { filter: { refused, refuse }, label, clear }: { filter: ListFilter; label: string; clear: () => void },
): ReactNode {
  return (
    <Card title={label} className="card-plain" flush>
      <Empty
        icon="warning"
        title={refused ? "The text above cannot be applied" : "The filter of this address is not valid"}
      >
        <p className="soft">
          Nothing is shown, because it would not be what was asked for. Correct it above.
        </p>
        {refused
          ? (
            <button type="button" className="button" onClick={() => refuse(false)}>
              Show the list as it was
            </button>
          )
          : <button type="button" className="button" onClick={clear}>Clear the filter</button>}
      </Empty>
    </Card>
  );
}

/** What a question asks to rank, above the list. */
export function ListRanking({ filter }: { filter: ListFilter }): ReactNode {
  return filter.top && <Ranking filter={filter} top={filter.top} />;
}
