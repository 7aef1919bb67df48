import type { ReactNode } from "react";
import type { HealthComponent } from "../../contract/health/health.ts";
import { ABSENT, formatExact, formatSpan } from "../ui/format.ts";
import {
  CONNECTORS,
  CORE,
  FILES,
  type Group,
  isOff,
  membersOf,
  SENSORS,
  SERVICES,
  shortName,
  troubles,
} from "../entity/health/health-labels.ts";
import { KINDS } from "./health-advice.ts";
import { Foreign } from "../ui/foreign.tsx";
import { Card } from "../ui/page.tsx";
import { Silence } from "./silence.tsx";
import { TableBox } from "../ui/table.tsx";
import { ComponentTag } from "../entity/health/health-tags.tsx";
import { Ago, Time } from "../ui/time/time.tsx";

interface Shown {
  /** Ids of components whose message is already shown above. */
  alreadyShown: ReadonlySet<string>;
  /** Milliseconds by which the report's clock is ahead of this browser's. */
  skew: number;
  admin: boolean;
}

interface Column {
  name: string;
  className?: string;
  cell: (component: HealthComponent, shown: Shown) => ReactNode;
}

/** All components by group. */
export function HealthGroups(
  { components, ...rest }: Omit<Shown, "alreadyShown"> & { components: HealthComponent[] },
) {
  const shown = { ...rest, alreadyShown: new Set(troubles(components).map(({ id }) => id)) };
  return (
    <>
      {TABLES.map(({ group, columns }) => {
        const members = membersOf(group, components);
        if (members.length === 0) return null;
        return (
          <Card key={group.title} title={group.title} note={group.note} flush>
            <TableBox label={group.title} head={columns.map(head)}>
              {members.map((component) => (
                <tr key={component.id}>
                  {columns.map(({ name, className, cell }) => (
                    <td key={name} className={className}>{cell(component, shown)}</td>
                  ))}
                </tr>
              ))}
            </TableBox>
          </Card>
        );
      })}
    </>
  );
}

function head({ name, className }: Column): ReactNode {
  return <th key={name} scope="col" className={className}>{name}</th>;
}

const STATUS: Column = {
  name: "Status",
  className: "health-status",
  cell: ({ status, message }) => <ComponentTag status={status} message={message} />,
};

const NAME: Column = {
  name: "Name",
  className: "health-name",
  cell: (component, shown) => (
    <>
      <Foreign text={shortName(component)} className="strong wrap" />
      <span className="muted small component-kind">
        {KINDS[component.kind] ?? <Sort component={component} />}
      </span>
      <span className="sub-line">
        <Message component={component} {...shown} />
      </span>
    </>
  ),
};

/** The connector's type and state. */
function Sort({ component: { connector } }: { component: HealthComponent }) {
  if (connector === null) return null;
  const { connector: sort, state, failure_class: failure } = connector;
  return <>{[sort, state, failure].filter((one) => one !== null).join(" · ")}</>;
}

const SINCE: Column = {
  name: "Since",
  className: "health-time soft wide-only",
  cell: ({ since }, { skew }) => since === null ? ABSENT : <Ago at={since} skew={skew} />,
};

const LAST_DELIVERY: Column = {
  name: "Last delivery",
  className: "health-time soft wide-only",
  cell: ({ last_event_at: at, connector }, { skew }) =>
    at !== null ? <Ago at={at} skew={skew} /> : connector === null ? ABSENT : "none yet",
};

const LAST_RECORD: Column = {
  name: "Last record",
  className: "health-time soft wide-only",
  cell: ({ last_event_at: at, status }) =>
    at !== null ? <Time at={at} /> : status === "unavailable" ? ABSENT : "never",
};

const OFF_BECAUSE: Record<string, string> = {
  unlicensed: "not in the licence",
  off: "not needed on the free plan",
};

/** The reason, for administrators; other people see that it is withheld. */
function Message({ component, admin, alreadyShown }: Shown & { component: HealthComponent }) {
  const { id, kind, status, message, lag_seconds: lag } = component;
  if (alreadyShown.has(id)) return <span className="muted">see above</span>;
  if (isOff(component)) return <span className="muted">{OFF_BECAUSE[message ?? ""] ?? "switched off"}</span>;
  if (message !== null) return <Foreign text={message} className="wrap" />;
  if (kind === "pipeline" && lag > 0) return <>records waiting {formatSpan(lag * 1000)}</>;
  return status === "ok" || admin ? null : <span className="muted">withheld</span>;
}

const MESSAGE: Column = {
  name: "Message",
  className: "soft health-message wide-only",
  cell: (component, shown) => <Message component={component} {...shown} />,
};

const RHYTHM: Column = {
  name: "Silent for",
  className: "health-rhythm",
  cell: (component) => <Silence component={component} />,
};

const RECENT: Column = {
  name: "Last 5 min",
  className: "number soft wide-only",
  cell: ({ events_last_5m: events }) => formatExact(events),
};

type Counter = keyof NonNullable<HealthComponent["connector"]>["counters"];

function counter(name: string, of: Counter, bad: boolean, className = "number wide-only"): Column {
  return {
    name,
    className,
    cell: ({ connector }) => {
      const value = connector?.counters[of] ?? null;
      return (
        <span className={bad && value !== null && value > 0 ? "ink-medium strong" : "soft"}>
          {formatExact(value)}
        </span>
      );
    },
  };
}

const TABLES: readonly { group: Group; columns: readonly Column[] }[] = [
  { group: SENSORS, columns: [STATUS, NAME, RHYTHM, RECENT, LAST_RECORD, MESSAGE] },
  {
    group: CONNECTORS,
    columns: [
      STATUS,
      NAME,
      LAST_DELIVERY,
      counter("Pending", "pending", false, "number"),
      counter("Delivered", "delivered", false),
      counter("Failed", "failed", false),
      counter("Rejected", "rejected", true),
      counter("Dropped", "dropped", true),
    ],
  },
  { group: CORE, columns: [STATUS, NAME, SINCE, MESSAGE] },
  { group: FILES, columns: [STATUS, NAME, SINCE, MESSAGE] },
  { group: SERVICES, columns: [STATUS, NAME, SINCE, MESSAGE] },
];
