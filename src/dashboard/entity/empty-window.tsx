import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { formatDay } from "../ui/format.ts";
import { dayAround } from "../base/time/range.ts";
import { deviceDirectory } from "../base/devices.ts";
import { useSignedIn } from "../base/session.ts";
import { rangePhrase, useRange } from "../ui/time/range-control.tsx";
import type { IconName } from "../ui/icons.tsx";
import { Empty } from "../ui/states.tsx";
import { to } from "../base/links.ts";
import { InView } from "../search/in-view/in-view.tsx";
import { useScope } from "./entity-scope.ts";

/** A tenant without any record. */
function NothingYet() {
  return (
    <Empty icon="flows" title="No records yet">
      <p className="soft">
        Flows, devices and incidents appear here once a sensor delivers records. <code>ndr replay</code>{" "}
        sends recorded files.
      </p>
      <Link {...to.health()} className="button">Check the sensors</Link>
    </Empty>
  );
}

interface EmptyWindowProps {
  what: string;
  filtered: boolean;
  /** Whether the filter sets the time, so that another range of the page would change nothing. */
  ownTime?: boolean;
  clear?: () => void;
}

/**
 * An empty time range. Recordings can be years old, so it offers the day of the newest record, known from the
 * device list, which has no window.
 */
export function EmptyWindow({ what, filtered, ownTime = false, clear }: EmptyWindowProps) {
  const { tenant } = useSignedIn();
  const [range, setRange] = useRange();
  const { filter } = useScope();
  const { data } = useQuery(deviceDirectory(tenant));
  const newest = [...data?.devices.values() ?? []].reduce(
    (latest, { last_seen }) => last_seen > latest ? last_seen : latest,
    "",
  );
  if (data?.devices.size === 0 && !filtered) return <NothingYet />;
  const month = "preset" in range && range.preset === "30d";
  return (
    <Empty icon={filtered ? "search" : "clock"} title={`No ${what} here`}>
      <p className="soft">
        {filtered ? "Nothing matches these filters in this period: " : "No data in this period: "}
        {ownTime ? "the time of the filter" : rangePhrase(range)}.
      </p>
      <div className="empty-actions">
        {filtered && clear && <button type="button" className="button" onClick={clear}>Clear filters</button>}
        {!ownTime && !month && (
          <button
            type="button"
            className="button"
            onClick={() => setRange({ preset: "30d" })}
          >
            Show 30 days
          </button>
        )}
        {!ownTime && newest !== "" && (
          <button
            type="button"
            className="button"
            onClick={() => setRange(dayAround(newest))}
          >
            Go to the newest records, {formatDay(newest)}
          </button>
        )}
      </div>
      {filtered && filter && <InView kind="flows" text={filter.text} use={filter.change} />}
    </Empty>
  );
}

interface EmptyPeriodProps {
  title: string;
  /** What it means that there is nothing, up to the period. */
  quiet: string;
  icon: IconName;
  filtered: boolean;
  clear: () => void;
}

/** An empty period of a list that has no newest records to go to. */
export function EmptyPeriod({ title, quiet, icon, filtered, clear }: EmptyPeriodProps) {
  const [range, setRange] = useRange();
  return (
    <Empty icon={filtered ? "search" : icon} title={title}>
      <p className="soft">
        {filtered ? "Nothing matches these filters in this period" : quiet}: {rangePhrase(range)}.
      </p>
      <div className="empty-actions">
        {filtered && <button type="button" className="button" onClick={clear}>Clear filters</button>}
        <button type="button" className="button" onClick={() => setRange({ preset: "30d" })}>
          Show 30 days
        </button>
      </div>
    </Empty>
  );
}
