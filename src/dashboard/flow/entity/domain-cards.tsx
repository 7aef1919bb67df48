import { useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { GroupField } from "../../../contract/filter/aggregate.ts";
import { useSignedIn } from "../../base/session.ts";
import { to } from "../../base/links.ts";
import { pageWithRows } from "../../base/queries.ts";
import { type Range, rangeKey, windowOf } from "../../base/time/range.ts";
import { currentZone } from "../../base/time/zone.ts";
import { aggregate } from "../../search/search-queries.ts";
import { EntityChip } from "../../entity/entity-chip.tsx";
import { domainCondition, textOfCondition } from "../../entity/entity-kinds.ts";
import { usePivotWindow } from "../../entity/entity-scope.ts";
import { ABSENT, formatExact } from "../../ui/format.ts";
import { Card } from "../../ui/page.tsx";
import { ShortTable } from "../../ui/short-table.tsx";
import { ErrorState, SkeletonRows } from "../../ui/states.tsx";
import { useRange } from "../../ui/time/range-control.tsx";
import { Time } from "../../ui/time/time.tsx";
import { SmallBars } from "../../ui/small-bars/small-bars.tsx";
import { factsOf } from "../flow-facts.ts";
import { firstSeen } from "./entity-queries.ts";
import { NAME_FIELDS, namesOf, spanOf } from "./domain-names.ts";
import "./domain-cards.css";

/** The most that an aggregate returns. */
const MOST_NAMES = 100;
const MOST_CLIENTS = 20;
/** First lookups that are read exactly; the others are known to the length of a bucket. */
const EXACT_CLIENTS = 8;
const CERTIFICATE_FLOWS = 100;

/** The flows that name a domain, or a name below it, in a field. */
function named(domain: string, field: (typeof NAME_FIELDS)[number]): string {
  return textOfCondition(domainCondition(domain, [field]));
}

interface DomainProps {
  domain: string;
}

function useCounted(text: string, by: GroupField, limit: number) {
  const { tenant, session } = useSignedIn();
  const [range] = useRange();
  return useQuery(
    aggregate(
      tenant,
      { kind: "flows", text, range, groupBy: [by], bucket: "auto", limit },
      session.csrf_token,
    ),
  );
}

/** The domain's names: looked up, and connected to. */
export function DomainNames({ domain }: DomainProps) {
  const scope = usePivotWindow();
  const parts = [
    useCounted(named(domain, "dns.query"), "dns.query", MOST_NAMES),
    useCounted(named(domain, "server_name"), "server_name", MOST_NAMES),
  ];
  const failed = parts.find(({ error, data }) => error !== null && data === undefined);
  const found = Object.fromEntries(NAME_FIELDS.map((field, at) => [field, parts[at]!.data]));
  const names = namesOf(domain, found);
  const cell = (field: (typeof NAME_FIELDS)[number], name: string, flows: number) => (
    <td className="number">
      {flows === 0
        ? <span className="muted">{ABSENT}</span>
        : (
          <Link {...to.explore({ filter: `${field}=${JSON.stringify(name)}`, scope })} className="link">
            {formatExact(flows)}
          </Link>
        )}
    </td>
  );
  return (
    <Card title="Names" note="flows with the domain or a name below it" className="span-2 domain-names" flush>
      {failed
        ? (
          <ErrorState
            what="The names"
            error={failed.error}
            retry={() => void failed.refetch()}
          />
        )
        : parts.some(({ isPending }) =>
            isPending
          )
        ? <SkeletonRows rows={5} />
        : names.length === 0
        ? <p className="card-text muted">No name in this period.</p>
        : (
          <ShortTable
            label="Names"
            head={
              <>
                <th scope="col">Name</th>
                <th scope="col" className="number">Lookups</th>
                <th scope="col" className="number">TLS and HTTP</th>
                <th scope="col" className="wide-only">First seen after</th>
              </>
            }
            all={names}
            row={({ name, flows, first }) => (
              <tr key={name}>
                <td className="cell-main domain-name">
                  <EntityChip kind="domain" value={name} />
                </td>
                {cell("dns.query", name, flows["dns.query"])}
                {cell("server_name", name, flows.server_name)}
                <td className="wide-only">{first === null ? ABSENT : <Time at={first} short />}</td>
              </tr>
            )}
          />
        )}
    </Card>
  );
}

/** Who looked the domain up, in the order of their first lookups. */
export function DomainClients({ domain }: DomainProps) {
  const { tenant } = useSignedIn();
  const scope = usePivotWindow();
  const text = named(domain, "dns.query");
  const { data, error, isPending, refetch } = useCounted(text, "src.ip", MOST_CLIENTS);
  const groups = data?.groups.flatMap((group) => {
    const [ip = null] = group.key;
    const span = data && spanOf(data, group);
    return ip === null || span === null ? [] : [{ ip, span, group }];
  }).toSorted((a, b) => a.span.from < b.span.from ? -1 : a.span.from > b.span.from ? 1 : 0) ?? [];
  const firsts = useQueries({
    queries: groups.slice(0, EXACT_CLIENTS).map(({ ip, span }) =>
      firstSeen(tenant, `src.ip:${ip} (${text})`, span)
    ),
  });
  const clients = groups.map((client, at) => ({
    ...client,
    first: firsts[at]?.data ?? { at: client.span.from, exact: false },
  })).toSorted((a, b) => a.first.at < b.first.at ? -1 : a.first.at > b.first.at ? 1 : 0);
  return (
    <Card
      title="Who asked"
      note="DNS lookups, the first client first"
      className="span-2 domain-clients"
      flush
      action={
        <Link {...to.explore({ filter: text, view: "dns", scope })} className="link small">All lookups</Link>
      }
    >
      {error && !data
        ? <ErrorState what="The lookups" error={error} retry={() => void refetch()} />
        : isPending
        ? <SkeletonRows rows={5} />
        : clients.length === 0
        ? <p className="card-text muted">No lookup in this period.</p>
        : (
          <ShortTable
            label="Who asked"
            head={
              <>
                <th scope="col">Client</th>
                <th scope="col">First lookup</th>
                <th scope="col" className="wide-only">Over time</th>
                <th scope="col" className="number">Lookups</th>
              </>
            }
            all={clients}
            row={({ ip, first, group }) => (
              <tr key={ip}>
                <td className="cell-main">
                  <EntityChip kind="address" value={ip} field="src.ip" />
                </td>
                <td>
                  <Time at={first.at} />
                  {!first.exact && <span className="muted small">or later</span>}
                </td>
                <td className="wide-only">
                  <SmallBars values={group.values.map(Number)} />
                </td>
                <td className="number">{formatExact(Number(group.total))}</td>
              </tr>
            )}
          />
        )}
    </Card>
  );
}

const certificatesOf = (tenant: string, text: string, range: Range) => ({
  queryKey: [tenant, "certificates", text, rangeKey(range)],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const query = {
      filter: `(${text}) certificate.subject:*`,
      zone: currentZone(),
      limit: CERTIFICATE_FLOWS,
      facts: "tls" as const,
      ...windowOf(range, Date.now()),
    };
    const { data } = await pageWithRows("listFlows", { query, signal });
    const seen = data.flatMap(({ facts, start }) =>
      (factsOf(facts, "tls") ?? []).flatMap(({ subject, issuer, fingerprint }) =>
        subject === null ? [] : [{ key: `${fingerprint} ${subject}`, subject, issuer, fingerprint, start }]
      )
    );
    // The newest of each.
    return [...new Map(seen.toReversed().map((one) => [one.key, one])).values()].toReversed();
  },
});

/** Certificates of servers in the newest flows of the domain. */
export function DomainCertificates({ domain }: DomainProps) {
  const { tenant } = useSignedIn();
  const [range] = useRange();
  const { data, error, isPending, refetch } = useQuery(
    certificatesOf(tenant, named(domain, "server_name"), range),
  );
  return (
    <Card
      title="Certificates"
      note={`of the newest ${CERTIFICATE_FLOWS} flows with one`}
      className="span-2 domain-certificates"
      flush
    >
      {error && !data
        ? <ErrorState what="The certificates" error={error} retry={() => void refetch()} />
        : isPending
        ? <SkeletonRows rows={3} />
        : data.length === 0
        ? <p className="card-text muted">No certificate was seen in this period.</p>
        : (
          <ShortTable
            label="Certificates"
            head={
              <>
                <th scope="col">Subject</th>
                <th scope="col" className="wide-only">Issuer</th>
                <th scope="col" className="wide-only">Fingerprint</th>
                <th scope="col">Last seen</th>
              </>
            }
            all={data}
            row={({ key, subject, issuer, fingerprint, start }) => (
              <tr key={key}>
                <td className="cell-main">
                  <EntityChip kind="value" value={subject} field="certificate.subject" />
                </td>
                <td className="wide-only">
                  {issuer === null
                    ? ABSENT
                    : <EntityChip kind="value" value={issuer} field="certificate.issuer" />}
                </td>
                <td className="wide-only">
                  {fingerprint === null
                    ? ABSENT
                    : <EntityChip kind="fingerprint" value={fingerprint} field="certificate" />}
                </td>
                <td>
                  <Time at={start} />
                </td>
              </tr>
            )}
          />
        )}
    </Card>
  );
}
