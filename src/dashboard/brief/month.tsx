/// <reference lib="dom" />
import { type KeyboardEvent, useRef, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import type { BriefCalendar } from "../../contract/brief/brief.ts";
import { useSignedIn } from "../base/session.ts";
import { Icon } from "../ui/icons.tsx";
import { Card } from "../ui/page.tsx";
import { ErrorState } from "../ui/states.tsx";
import { briefCalendar } from "./brief-queries.ts";
import { dateInWords, monthInWords, shiftDate, shiftMonth, weeksOf } from "./dates.ts";

type Day = BriefCalendar["calendar"][number];

/** Days that an arrow key moves by. */
const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

interface MonthProps {
  /** The day that is shown. */
  date: string;
  choose: (date: string) => void;
}

/** A calendar of briefs: days with incidents of medium severity or higher have a mark. */
export function Month({ date, choose }: MonthProps) {
  const { tenant } = useSignedIn();
  const [month, setMonth] = useState(date.slice(0, 7));
  const [shownFor, setShownFor] = useState(date);
  // Another day, by a link or a button, brings its month.
  if (shownFor !== date) {
    setShownFor(date);
    setMonth(date.slice(0, 7));
  }
  const { data, error, refetch } = useQuery(briefCalendar(tenant, month));
  const days = new Map(data?.calendar.map((day) => [day.date, day]));
  const today = data?.today ?? date;
  const table = useRef<HTMLTableElement>(null);
  const focused = useRef<string | null>(null);

  const move = (event: KeyboardEvent, from: string) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const target = shiftDate(from, step);
    if (target > today) return;
    if (target.startsWith(month)) focusOn(table.current, target);
    else {
      focused.current = target;
      setMonth(target.slice(0, 7));
    }
  };
  // The day that can be reached with Tab.
  const anchor = date.startsWith(month) ? date : month === today.slice(0, 7) ? today : `${month}-01`;

  return (
    <Card
      title={monthInWords(month)}
      action={
        <span className="brief-steps">
          <button
            type="button"
            className="button button-small"
            aria-label="Previous month"
            onClick={() => setMonth(shiftMonth(month, -1))}
          >
            <Icon name="back" />
          </button>
          <button
            type="button"
            className="button button-small"
            aria-label="Next month"
            disabled={month >= today.slice(0, 7)}
            onClick={() => setMonth(shiftMonth(month, 1))}
          >
            <Icon name="chevron" />
          </button>
        </span>
      }
    >
      {error && <ErrorState what="The calendar" error={error} retry={() => void refetch()} />}
      <table className="brief-month" aria-label={`Briefs of ${monthInWords(month)}`} ref={table}>
        <thead>
          <tr>
            {["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"].map((name) => <th key={name} scope="col">{name}</th>)}
          </tr>
        </thead>
        <tbody>
          {weeksOf(month).map((week, row) => (
            <tr key={row}>
              {week.map((one, at) => (
                <td key={one ?? at}>
                  {one !== null && (
                    <button
                      type="button"
                      className="brief-day"
                      data-date={one}
                      tabIndex={one === anchor ? 0 : -1}
                      disabled={one > today}
                      aria-current={one === date ? "date" : undefined}
                      aria-label={labelOf(one, days.get(one))}
                      title={labelOf(one, days.get(one))}
                      onClick={() => choose(one)}
                      onKeyDown={(event) => move(event, one)}
                      ref={(element) => {
                        if (element === null || focused.current !== one) return;
                        focused.current = null;
                        element.focus();
                      }}
                    >
                      {Number(one.slice(8))}
                      <Mark day={days.get(one)} />
                    </button>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="muted small">
        A mark: incidents of medium severity or higher were opened. Days are those of the site
        {data && ` (${data.time_zone})`}.
      </p>
    </Card>
  );
}

function focusOn(table: HTMLTableElement | null, date: string): void {
  table?.querySelector<HTMLButtonElement>(`[data-date="${date}"]`)?.focus();
}

function Mark({ day }: { day: Day | undefined }) {
  if (day === undefined || day.highest === null) return <span className="brief-mark" aria-hidden="true" />;
  return <span className={`brief-mark brief-mark-${day.highest}`} aria-hidden="true" />;
}

function labelOf(date: string, day: Day | undefined): string {
  const words = dateInWords(date);
  if (day === undefined) return words;
  return day.opened === 0
    ? `${words}: no incident of medium severity or higher`
    : `${words}: ${day.opened} opened, highest ${day.highest}`;
}
