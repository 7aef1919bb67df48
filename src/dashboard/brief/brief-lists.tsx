import type { ReactNode } from "react";
import { Link } from "@tanstack/react-router";
import type { BriefIncident, DailyBrief } from "../../contract/brief/brief.ts";
import { type Target, to } from "../base/links.ts";
import { zoneName } from "../base/time/zone.ts";
import { dollars } from "../entity/analyst/money.ts";
import { typeName } from "../entity/device/device-type.tsx";
import { DeviceChips } from "../entity/incident/incident-chips.tsx";
import { StatusTag } from "../entity/incident/status-tag.tsx";
import { LinkedText } from "../entity/linked-text.tsx";
import { Foreign } from "../ui/foreign.tsx";
import { formatBytes, formatLabel, formatTime } from "../ui/format.ts";
import { Card } from "../ui/page.tsx";
import { TableBox } from "../ui/table.tsx";
import { Score, SeverityTag } from "../ui/tags.tsx";

interface SectionProps {
  title: string;
  sentences: readonly string[];
  all: Target;
  action: string;
  children?: ReactNode;
}

function Section({ title, sentences, all, action, children }: SectionProps) {
  return (
    <Card title={title} action={<Link {...all} className="link small">{action}</Link>}>
      <p>
        <LinkedText text={sentences.join(" ")} />
      </p>
      {children}
    </Card>
  );
}

function More({ more, of }: { more: number; of: string }) {
  return more === 0 ? null : <p className="muted small">and {more.toLocaleString("en")} more {of}</p>;
}

/** The title of an incident, and its device below it. */
function Incident({ id, title, device: primary }: BriefIncident) {
  return (
    <td className="cell-main">
      <Link {...to.incident(id)} className="link">
        <Foreign text={title} />
      </Link>
      <span className="below">{device(primary)}</span>
    </td>
  );
}

function device(one: { device_id: string; name: string } | null): ReactNode {
  return one === null
    ? <span className="muted">–</span>
    : <DeviceChips ids={[one.device_id]} names={{ [one.device_id]: one.name }} />;
}

/** Times in the zone of the site, whose day this is; it need not be the zone of the top bar. */
function at(time: string, { time_zone }: DailyBrief): string {
  return `${formatTime(time, 0, true, time_zone)} ${zoneName(time_zone, Date.parse(time))}`;
}

export function IncidentSection({ brief }: { brief: DailyBrief }) {
  const { sentences, opened, closed } = brief.incident_changes;
  return (
    <Section title="Incidents" sentences={sentences} all={to.triage()} action="Triage">
      {opened.items.length > 0 && (
        <TableBox
          label="Incidents opened"
          head={
            <>
              <th>Severity</th>
              <th>Opened incident</th>
              <th>Status</th>
              <th className="number">Score</th>
            </>
          }
        >
          {opened.items.map((one) => (
            <tr key={one.id}>
              <td>
                <SeverityTag severity={one.severity} />
              </td>
              <Incident {...one} />
              <td>
                <StatusTag status={one.status} />
              </td>
              <td className="number">
                <Score score={one.score} severity={one.severity} />
              </td>
            </tr>
          ))}
        </TableBox>
      )}
      <More more={opened.more} of="opened" />
      {closed.items.length > 0 && (
        <TableBox
          label="Incidents closed"
          head={
            <>
              <th>Closed</th>
              <th>Incident</th>
              <th>Status</th>
            </>
          }
        >
          {closed.items.map((one) => (
            <tr key={one.id}>
              <td>{at(one.closed_at, brief)}</td>
              <Incident {...one} />
              <td>
                <StatusTag status={one.status} />
              </td>
            </tr>
          ))}
        </TableBox>
      )}
      <More more={closed.more} of="closed" />
    </Section>
  );
}

export function DecisionSection({ brief }: { brief: DailyBrief }) {
  const { sentences, actions, proposals } = brief.decisions;
  return (
    <Section title="Waiting for a decision" sentences={sentences} all={to.review()} action="Review">
      <ul className="brief-list">
        {actions.items.map((one) => (
          <li key={one.action_id}>
            <Link {...to.responseAction(one.action_id)} className="link">{formatLabel(one.kind)}</Link>{" "}
            <LinkedText text={one.target} />{" "}
            <span className="muted">{one.severity}, {at(one.proposed_at, brief)}</span>
          </li>
        ))}
        {proposals.items.map((one) => (
          <li key={one.proposal_id}>
            <Link {...to.proposals({ proposal: one.proposal_id })} className="link">
              {formatLabel(one.kind)} proposal
            </Link>{" "}
            <LinkedText text={one.reason} /> <span className="muted">{at(one.created_at, brief)}</span>
          </li>
        ))}
      </ul>
      <More more={actions.more} of="actions" />
      <More more={proposals.more} of="proposals" />
    </Section>
  );
}

export function DeviceSection({ brief }: { brief: DailyBrief }) {
  const { sentences, appeared } = brief.devices;
  return (
    <Section
      title="Devices seen for the first time"
      sentences={sentences}
      all={to.devices()}
      action="Devices"
    >
      <ul className="brief-list">
        {appeared.items.map((one) => (
          <li key={one.device_id}>
            {device(one)}{" "}
            <span className="muted brief-when">{typeName(one.device_type)}, {at(one.first_seen, brief)}</span>
          </li>
        ))}
      </ul>
      <More more={appeared.more} of="devices" />
    </Section>
  );
}

export function TrafficSection({ brief }: { brief: DailyBrief }) {
  const { sentences, movers } = brief.traffic;
  return (
    <Section title="Traffic" sentences={sentences} all={to.explore()} action="Explore">
      {movers.items.length > 0 && (
        <TableBox
          label="Traffic by device"
          head={
            <>
              <th>Device</th>
              <th className="number">Day</th>
              <th className="number">Day before</th>
            </>
          }
        >
          {movers.items.map((one) => (
            <tr key={one.device_id}>
              <td>{device(one)}</td>
              <td className="number">{formatBytes(one.bytes)}</td>
              <td className="number">
                {one.previous_bytes === null ? "unknown" : formatBytes(one.previous_bytes)}
              </td>
            </tr>
          ))}
        </TableBox>
      )}
      <More more={movers.more} of="devices" />
    </Section>
  );
}

export function DetectorSection({ brief }: { brief: DailyBrief }) {
  const { sentences, noisy, expiring } = brief.detectors;
  return (
    <Section
      title="Detectors and suppressions"
      sentences={sentences}
      all={to.suppressions()}
      action="Suppressions"
    >
      <ul className="brief-list">
        {noisy.items.map((one) => (
          <li key={one.model_id}>
            {one.title}: {one.opened} opened
            {one.false_positives > 0 && `, ${one.false_positives} false`}
          </li>
        ))}
        {expiring.items.map((one) => (
          <li key={one.suppression_id}>
            <LinkedText text={one.reason} />{" "}
            <span className="muted">expires {at(one.expires_at, brief)}</span>
          </li>
        ))}
      </ul>
      <More more={noisy.more} of="detectors" />
      <More more={expiring.more} of="suppressions" />
    </Section>
  );
}

const STATES = new Map<boolean | null, string>([[true, "received"], [false, "silent"], [null, "unknown"]]);

export function SensorSection({ brief }: { brief: DailyBrief }) {
  const { sentences, hours, coverage, transitions } = brief.sensors;
  return (
    <Section title="Sensors and health" sentences={sentences} all={to.health()} action="Health">
      <ul className="brief-list">
        {coverage.items.map(({ sensor_id, received }) => (
          <li key={sensor_id} className="brief-sensor">
            <Foreign text={sensor_id} />
            <svg
              viewBox={`0 0 ${hours.length * 10} 12`}
              preserveAspectRatio="none"
              role="img"
              aria-label={`${sensor_id}: ${
                [...STATES].map(([state, name]) =>
                  `${received.filter((one) => one === state).length} h ${name}`
                )
                  .join(", ")
              }`}
            >
              {received.map((state, hour) => (
                <rect
                  key={hour}
                  className={`brief-hour-${STATES.get(state)}`}
                  x={hour * 10}
                  y={state === false ? 7 : 0}
                  width={8.5}
                  height={state === false ? 5 : 12}
                >
                  <title>{`${at(hours[hour]!, brief)}: ${STATES.get(state)}`}</title>
                </rect>
              ))}
            </svg>
          </li>
        ))}
        {transitions.items.map((one) => (
          <li key={one.transition_id}>
            <Foreign text={one.component_id} /> changed from {one.from} to {one.to}{" "}
            <span className="muted">{at(one.at, brief)}</span>
          </li>
        ))}
      </ul>
      <More more={coverage.more} of="sensors" />
      <More more={transitions.more} of="changes" />
    </Section>
  );
}

/** What models cost on the day; nothing without a provider. */
export function BudgetSection({ brief: { analyst_budget: budget } }: { brief: DailyBrief }) {
  if (budget === null) return null;
  const limit = budget.limit_microusd === null
    ? "without a limit today"
    : `of a limit of ${dollars(budget.limit_microusd)}`;
  return (
    <Section
      title="Analyst budget"
      sentences={[
        `Models cost ${dollars(budget.spent_microusd)} ${limit}; ${
          dollars(budget.reserved_microusd)
        } are reserved.`,
      ]}
      all={to.help("analyst")}
      action="How it works"
    />
  );
}
