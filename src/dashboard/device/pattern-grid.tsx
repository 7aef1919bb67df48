import { formatExact, plural } from "../ui/format.ts";
import { useZone } from "../base/time/zone.ts";

interface PatternCell {
  weekday: number;
  hour: number;
  flow_count: number;
}

const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const CELL = 16;
const LEFT = 30;
const TOP = 16;
const LEVELS = 5;

/** 0 for none, then five steps on a logarithmic scale, so that a busy hour does not hide quiet ones. */
function levelOf(count: number, most: number): number {
  if (count === 0) return 0;
  return Math.max(1, Math.ceil(Math.log1p(count) / Math.log1p(most) * LEVELS));
}

/** `14:00`. */
const hourText = (hour: number) => `${String(hour).padStart(2, "0")}:00`;

/** Flows by hour of the day and day of the week, both in the zone that times are shown in. */
export function PatternGrid({ cells }: { cells: PatternCell[] }) {
  const zone = useZone();
  const counts = new Map(cells.map(({ weekday, hour, flow_count }) => [`${weekday}/${hour}`, flow_count]));
  const busiest = cells.reduce<PatternCell | null>(
    (most, cell) => most === null || cell.flow_count > most.flow_count ? cell : most,
    null,
  );
  const most = busiest?.flow_count ?? 0;
  const label = busiest === null || most === 0
    ? "No flows"
    : `Busiest hour: ${DAYS[busiest.weekday - 1]} ${hourText(busiest.hour)} with ${plural(most, "flow")}`;
  return (
    <figure>
      <svg
        className="pattern"
        viewBox={`0 0 ${LEFT + 24 * CELL} ${TOP + 7 * CELL}`}
        role="img"
        aria-label={`Flows by weekday and hour in ${zone}. ${label}`}
      >
        {[0, 6, 12, 18].map((hour) => (
          <text key={hour} x={LEFT + hour * CELL} y="10">{String(hour).padStart(2, "0")}</text>
        ))}
        {DAYS.map((day, row) => <text key={day} x="0" y={TOP + row * CELL + 11}>{day}</text>)}
        {DAYS.flatMap((day, row) =>
          Array.from({ length: 24 }, (_, hour) => {
            const count = counts.get(`${row + 1}/${hour}`) ?? 0;
            return (
              <rect
                key={`${day}${hour}`}
                className={`heat-${levelOf(count, most)}`}
                x={LEFT + hour * CELL}
                y={TOP + row * CELL}
                width={CELL - 2}
                height={CELL - 2}
                rx="2.5"
              >
                <title>{`${day} ${hourText(hour)}: ${formatExact(count)} flows`}</title>
              </rect>
            );
          })
        )}
      </svg>
      <figcaption className="muted small">{label}</figcaption>
    </figure>
  );
}
