import type { ReactNode } from "react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { HealthReport } from "../../contract/health/health.ts";
import type { SiteReport } from "../../contract/site.ts";
import { to } from "../base/links.ts";
import { healthReport } from "../entity/health/health-query.ts";
import { siteQuery } from "../base/site.ts";
import { useSignedIn } from "../base/session.ts";
import { plural } from "../ui/format.ts";
import { EntityChip } from "../entity/entity-chip.tsx";
import { Foreign } from "../ui/foreign.tsx";
import { Card } from "../ui/page.tsx";
import { ErrorState, SkeletonBlock } from "../ui/states.tsx";
import { TableBox } from "../ui/table.tsx";
import { ComponentTag } from "../entity/health/health-tags.tsx";
import { isOff, shortName } from "../entity/health/health-labels.ts";

/** What the files of the appliance set, as far as the API shows it. */
export function Configured(): ReactNode {
  const { tenant } = useSignedIn();
  const site = useQuery(siteQuery(tenant));
  const health = useQuery(healthReport(tenant));
  return (
    <>
      <div className="wide-cards">
        <Card title="Site" note="sites.yaml">
          {site.data
            ? <SiteFacts site={site.data} />
            : site.error
            ? <ErrorState what="The site" error={site.error} retry={() => void site.refetch()} />
            : <SkeletonBlock />}
        </Card>
        <Card title="Appliance">
          {health.data
            ? <ApplianceFacts report={health.data} />
            : health.error
            ? <ErrorState what="The appliance" error={health.error} retry={() => void health.refetch()} />
            : <SkeletonBlock />}
        </Card>
      </div>
      {site.data && <Vlans vlans={site.data.vlans} />}
    </>
  );
}

const PHASES = {
  learning: "learning: findings that need the baseline stay informational",
  complete: "complete",
  unknown: "begins with the first records",
} as const;

function SiteFacts({ site }: { site: SiteReport }) {
  const { display_name, site_id, home_coordinates: place, time_zone, learning, require_second_person } = site;
  return (
    <>
      <dl className="facts">
        <div>
          <dt>Name</dt>
          <dd>
            <Foreign text={display_name} className="strong" />{" "}
            <Foreign text={site_id} className="muted mono" />
          </dd>
        </div>
        <div>
          <dt>Place</dt>
          <dd>
            {place === null
              ? <span className="muted">not set: the globe has no arcs from here</span>
              : `${place.latitude.toFixed(2)}°, ${place.longitude.toFixed(2)}°`}
          </dd>
        </div>
        <div>
          <dt>Time zone</dt>
          <dd>{time_zone}</dd>
        </div>
        <div>
          <dt>Baseline</dt>
          <dd>
            {PHASES[learning.phase]}, {learning.days} of {plural(learning.needed_days, "day")}
          </dd>
        </div>
        <div>
          <dt>Responses</dt>
          <dd>
            {require_second_person
              ? "a second person must approve (require_second_person)"
              : "the proposer may approve, which is marked"}
          </dd>
        </div>
      </dl>
      <p className="soft">
        An administrator changes this in the files of <code>/etc/ndr</code>.{" "}
        <Link {...to.help("configuration")} className="link">Configuration</Link>
      </p>
    </>
  );
}

function ApplianceFacts({ report }: { report: HealthReport }) {
  const version = report.telemetry.last_payload?.product_version;
  const license = report.components.find(({ kind }) => kind === "license");
  const parts = (kind: string) => report.components.filter((one) => one.kind === kind);
  const sensors = parts("sensor");
  const lists = parts("intelligence");
  return (
    <dl className="facts">
      <div>
        <dt>Version</dt>
        <dd>
          {typeof version === "string"
            ? <Foreign text={version} className="mono" />
            : <span className="soft">not known until the first heartbeat is built</span>}
          {report.update.release !== null && (
            <>
              , <Link {...to.telemetry()} className="link">a newer one is available</Link>
            </>
          )}
        </dd>
      </div>
      <div>
        <dt>Licence</dt>
        <dd>
          {license === undefined ? <span className="muted">not known</span> : (
            <>
              <ComponentTag status={license.status} message={license.message} />{" "}
              {license.message !== null && !isOff(license) && (
                <Foreign text={license.message} className="soft" />
              )}
            </>
          )}
        </dd>
      </div>
      <div>
        <dt>Sensors</dt>
        <dd className="device-names">
          {sensors.length === 0
            ? <span className="muted">none configured</span>
            : sensors.map((one) => <EntityChip key={one.id} kind="sensor" value={shortName(one)} />)}
        </dd>
      </div>
      <div>
        <dt>Indicator lists</dt>
        <dd className="wrap">
          {lists.length === 0
            ? <span className="muted">none configured</span>
            : <Foreign text={lists.map(shortName).join(", ")} />}
        </dd>
      </div>
      <div>
        <dt>Connectors</dt>
        <dd className="wrap">
          {parts("connector").length === 0
            ? <span className="muted">none configured</span>
            : <Foreign text={parts("connector").map(shortName).join(", ")} />}
        </dd>
      </div>
      <div>
        <dt>API</dt>
        <dd>
          <a href="/api/docs" className="link">Reference with a form to try each route</a>
        </dd>
      </div>
    </dl>
  );
}

function Vlans({ vlans }: Pick<SiteReport, "vlans">) {
  return (
    <Card title="VLANs" note={plural(vlans.length, "VLAN")} flush={vlans.length > 0}>
      {vlans.length === 0
        ? (
          <p className="soft">
            None configured. Devices are then grouped by network only.{" "}
            <Link {...to.help("configuration")} className="link">Configuration</Link>
          </p>
        )
        : (
          <TableBox
            label="VLANs"
            head={
              <>
                <th scope="col">VLAN</th>
                <th scope="col">Name</th>
                <th scope="col">Networks</th>
              </>
            }
          >
            {vlans.map(({ vlan_id, name, cidrs }) => (
              <tr key={vlan_id}>
                <td>
                  <EntityChip kind="vlan" value={vlan_id} />
                </td>
                <td>
                  <Foreign text={name} />
                </td>
                <td className="mono wrap">{cidrs.join(", ") || "–"}</td>
              </tr>
            ))}
          </TableBox>
        )}
    </Card>
  );
}
