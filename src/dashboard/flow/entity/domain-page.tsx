import type { ReactNode } from "react";
import { Link, useParams } from "@tanstack/react-router";
import { to } from "../../base/links.ts";
import { usePivotWindow } from "../../entity/entity-scope.ts";
import { Foreign } from "../../ui/foreign.tsx";
import { DomainCertificates, DomainClients, DomainNames } from "./domain-cards.tsx";
import { EntityPage } from "./entity-page.tsx";
import { registeredDomain } from "./registered-domain.ts";

/** A domain with its names. It is a page of its own because the list of public suffixes is large. */
export function DomainPage(): ReactNode {
  const { name = "" }: { name?: string } = useParams({ strict: false });
  return (
    <EntityPage
      kind="domain"
      value={name}
      crumb={<Registered name={name} />}
      cards={
        <>
          <DomainNames domain={name} />
          <DomainClients domain={name} />
          <DomainCertificates domain={name} />
        </>
      }
    />
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
