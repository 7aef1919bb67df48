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
import { usePivotWindow } from "../../entity/entity-scope.ts";
import { DomainCertificates, DomainClients, DomainNames } from "./domain-cards.tsx";
import { registeredDomain } from "./registered-domain.ts";
import { EntityIncidents } from "../../entity/incident/entity-incidents.tsx";
import { EntityIntel } from "./entity-intel.tsx";
import { EntityStats } from "./entity-stats.tsx";
import { EntityValues } from "./entity-values.tsx";

interface EntityPageProps {
  kind: EntityKind;
  value: string;
}

/** What is known of a value: who touched it, since when, how widely, and its flows and incidents. */
function EntityPage({ kind, value }: EntityPageProps) {
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
            {kind === "domain" && <Registered name={value} />}
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
          />
        )}
    </div>
  );
}

/** The domain that a name below it belongs to. */
function Registered({ name }: { name: string }) {
  const scope = usePivotWindow();
  const domain = registeredDomain(name);
  if (domain === null || domain === name.toLowerCase()) return null;
  return (
    <span className="soft">
      of the registered domain{" "}
      <Link {...to.domain(domain, scope)} className="link">
        <Foreign text={domain} />
      </Link>
    </span>
  );
}

function Known({ entity, text }: { entity: Entity; text: string }) {
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
      {entity.kind === "domain"
        ? (
          <>
            <div className="grid domain-grid">
              <DomainNames domain={String(entity.value)} />
              <DomainClients domain={String(entity.value)} />
              <DomainCertificates domain={String(entity.value)} />
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

export function DomainPage(): ReactNode {
  const { name = "" }: { name?: string } = useParams({ strict: false });
  return <EntityPage kind="domain" value={name} />;
}

export function FingerprintPage(): ReactNode {
  const { value = "" }: { value?: string } = useParams({ strict: false });
  return <EntityPage kind="fingerprint" value={value} />;
}

export function SignaturePage(): ReactNode {
  const { signature = "" }: { signature?: string } = useParams({ strict: false });
  return <EntityPage kind="signature" value={signature} />;
}
