import type { ReactNode } from "react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { to } from "../../base/links.ts";
import { flowList, useFlowTotal } from "../flow-queries.ts";
import { useSignedIn } from "../../base/session.ts";
import { FlowHistogram } from "../flow-histogram.tsx";
import { FlowsCard } from "../flows-card.tsx";
import {
  type Entity,
  type EntityKind,
  KINDS,
  textOfCondition,
  wholeCondition,
} from "../../entity/entity-kinds.ts";
import { useList } from "../../ui/grid/list-state.ts";
import { Foreign } from "../../ui/foreign.tsx";
import { Card, useTitle } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { searchOf } from "../../base/time/range.ts";
import { RangeControl, useRange } from "../../ui/time/range-control.tsx";
import { EntityIncidents } from "../../entity/incident/entity-incidents.tsx";
import { EntityIntel } from "./entity-intel.tsx";
import { EntityStats } from "./entity-stats.tsx";
import { EntityValues } from "./entity-values.tsx";

interface EntityPageProps {
  kind: EntityKind;
  value: string;
  /** What the value belongs to. */
  crumb?: ReactNode;
  /** What only this kind has; it comes before the flows, with the cards of all kinds. */
  cards?: ReactNode;
}

/** What is known of a value: who touched it, since when, how widely, and its flows and incidents. */
export function EntityPage({ kind, value, crumb, cards }: EntityPageProps) {
  useTitle(value);
  const entity: Entity = { kind, value };
  const condition = wholeCondition(entity);
  const { name } = KINDS[kind];
  return (
    <div className="page">
      <div className="page-header">
        <div className="incident-title">
          <div className="crumbs">
            <Link {...to.explore()} className="link">Explore</Link>
            <span className="muted">{name}</span>
            {crumb}
          </div>
          <h1>
            <Foreign text={value} className={kind === "address" || kind === "fingerprint" ? "mono" : ""} />
          </h1>
        </div>
        <div className="page-tools">
          <RangeControl />
        </div>
      </div>
      {condition === null
        ? (
          <Empty icon="warning" title={`This is not ${kind === "address" ? "an address" : `a ${kind}`}`}>
            <p className="soft">Check the spelling in the address bar.</p>
          </Empty>
        )
        : (
          <Known
            key={`${kind} ${value}`}
            entity={entity}
            text={textOfCondition(condition)}
            own={cards}
          />
        )}
    </div>
  );
}

function Known({ entity, text, own }: { entity: Entity; text: string; own: ReactNode }) {
  const { tenant } = useSignedIn();
  const [range] = useRange();
  const navigate = useNavigate();
  const { rows } = useList(useInfiniteQuery(flowList(tenant, { filter: text }, range)));
  const total = useFlowTotal(text, range);
  const flows = <FlowsCard text={text} storageKey="entity.flows" total={total} />;
  const cards = (
    <>
      <EntityValues entity={entity} text={text} />
      <EntityIntel text={text} />
      <EntityIncidents text={text} />
    </>
  );
  return (
    <>
      <EntityStats entity={entity} text={text} newest={rows[0]} />
      <Card title="Flows over time" className="card-plain">
        <FlowHistogram
          label="Flows over time"
          text={text}
          range={range}
          onBrush={(window) => void navigate({ to: ".", search: (old) => ({ ...old, ...searchOf(window) }) })}
        />
      </Card>
      {own
        ? (
          <>
            <div className="grid domain-grid">
              {own}
              {cards}
            </div>
            {flows}
          </>
        )
        : (
          <>
            {flows}
            <div className="grid">{cards}</div>
          </>
        )}
    </>
  );
}

export function AddressPage(): ReactNode {
  const { ip = "" }: { ip?: string } = useParams({ strict: false });
  return <EntityPage kind="address" value={ip} />;
}

export function FingerprintPage(): ReactNode {
  const { value = "" }: { value?: string } = useParams({ strict: false });
  return <EntityPage kind="fingerprint" value={value} />;
}

export function SignaturePage(): ReactNode {
  const { signature = "" }: { signature?: string } = useParams({ strict: false });
  return <EntityPage kind="signature" value={signature} />;
}
