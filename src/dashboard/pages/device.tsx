import { type ReactNode, useCallback, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { DeviceDetail } from "../../contract/device.ts";
import { ScoreLine } from "../components/charts.tsx";
import { DeviceFacts } from "../components/device_facts.tsx";
import { DeviceForm } from "../components/device_form.tsx";
import { DeviceIncidents } from "../components/device_incidents.tsx";
import { Counted, Identities, Peers, Services } from "../components/device_tables.tsx";
import { Dialog } from "../components/dialog.tsx";
import { History } from "../components/history.tsx";
import { Icon } from "../components/icons.tsx";
import { Foreign } from "../components/names.tsx";
import { Card, useTitle } from "../components/page.tsx";
import { PatternGrid } from "../components/pattern_grid.tsx";
import { RangeControl, rangePhrase, useRange } from "../components/range_control.tsx";
import { ErrorState, SkeletonBlock, StaleNotice } from "../components/states.tsx";
import { severityOfScore } from "../components/tags.tsx";
import { Time } from "../components/time.tsx";
import { formatScore, formatWord } from "../format.ts";
import { deviceDetail } from "../queries.ts";
import type { Range } from "../range.ts";
import { useSignedIn } from "../session.tsx";
import { isMissing, Missing } from "./failure.tsx";

const route = getRouteApi("/devices/$deviceId");

function Head({ device, edit }: { device: DeviceDetail; edit: () => void }) {
  const { roles } = useSignedIn();
  const allowed = roles.includes("analyst");
  return (
    <div className="incident-head">
      <div className="incident-title">
        <div className="crumbs">
          <Link to="/devices" className="link">Devices</Link>
          <span className="muted mono clip">{device.device_id}</span>
        </div>
        <h1>
          <Foreign text={device.display_name} />
        </h1>
        <div className="meta">
          <span>{formatWord(device.device_type)}</span>
          <span className="mono soft">{device.addresses.slice(0, 3).join(", ")}</span>
          <button
            type="button"
            className="button button-small"
            onClick={edit}
            disabled={!allowed}
            title={allowed ? undefined : `Editing needs the analyst role; you are ${roles.join(", ")}.`}
          >
            <Icon name={allowed ? "edit" : "lock"} />
            {allowed ? "Edit" : "Edit (analysts only)"}
          </button>
        </div>
      </div>
      <div className="incident-score">
        <div>
          <p className="big-number">{formatScore(device.score)}</p>
          <p className="muted small">highest open score</p>
        </div>
        <ScoreLine points={device.score_history} severity={severityOfScore(device.score)} />
      </div>
    </div>
  );
}

function Projections({ device }: { device: DeviceDetail }) {
  const lists = [
    { title: "Domains", rows: device.domains.map(({ domain, count }) => ({ value: domain, count })) },
    {
      title: "Fingerprints",
      rows: device.fingerprints.map(({ kind, value, count }) => ({ value, note: kind, count })),
    },
    { title: "User agents", rows: device.user_agents },
  ];
  return lists.filter(({ rows }) => rows.length > 0).map(({ title, rows }) => (
    <Card key={title} title={title} flush>
      <Counted rows={rows} />
    </Card>
  ));
}

function Side({ device }: { device: DeviceDetail }) {
  return (
    <div className="column-side">
      <Card title="Device">
        <DeviceFacts device={device} />
      </Card>
      <Card title="Services" flush>
        <Services services={device.services} />
      </Card>
      <Projections device={device} />
      <Card title="History">
        <History entries={device.workflow_history} empty="Nobody has changed this device." />
      </Card>
      {device.merge_events.length > 0 && (
        <Card title="Merges">
          <ol className="history">
            {device.merge_events.map(({ at, from_device_id, into_device_id, reason }) => (
              <li key={`${at} ${from_device_id}`}>
                <p className="wrap">
                  <code>{from_device_id}</code> into <code>{into_device_id}</code>
                </p>
                <p className="soft wrap">{reason}</p>
                <p className="muted small">
                  <Time at={at} />
                </p>
              </li>
            ))}
          </ol>
        </Card>
      )}
    </div>
  );
}

function Detail({ device, range }: { device: DeviceDetail; range: Range }) {
  useTitle(device.display_name);
  const [editing, setEditing] = useState(false);
  const close = useCallback(() => setEditing(false), []);
  return (
    <>
      <Head device={device} edit={() => setEditing(true)} />
      <div className="section-tools">
        <p className="soft">
          Activity, {rangePhrase(range)}
          {device.telemetry_truncated && (
            <span className="muted">. There were more flows than are counted here.</span>
          )}
        </p>
        <div className="page-tools">
          <Link to="/flows" search={{ device_id: device.device_id }} className="button">
            <Icon name="flows" />Flows
          </Link>
          <RangeControl />
        </div>
      </div>
      <div className="columns">
        <div className="column-main">
          <Card title="Incidents" flush>
            <DeviceIncidents device={device.device_id} range={range} />
          </Card>
          <Card title="When it is active" note="flows by hour and weekday, UTC">
            <PatternGrid cells={device.pattern_grid} />
          </Card>
          <Card title="Top peers" note="by flows" flush>
            <Peers peers={device.top_peers} device={device.device_id} label="Top peers" />
          </Card>
          <Card title="Top destinations" note="outside, by bytes sent" flush>
            <Peers peers={device.top_destinations} device={device.device_id} label="Top destinations" />
          </Card>
          {device.identities.length > 0 && (
            <Card title="Identities" flush>
              <Identities identities={device.identities} />
            </Card>
          )}
        </div>
        <Side device={device} />
      </div>
      <Dialog title="Edit device" open={editing} close={close}>
        <DeviceForm device={device} done={close} />
      </Dialog>
    </>
  );
}

export function DevicePage(): ReactNode {
  const { tenant } = useSignedIn();
  const { deviceId } = route.useParams();
  const [range] = useRange();
  const { data, error, isPending, refetch } = useQuery(deviceDetail(tenant, deviceId, range));
  if (isMissing(error)) return <Missing what="device" to="/devices" />;
  return (
    <div className="page">
      {data
        ? (
          <>
            <StaleNotice error={error} retry={() => void refetch()} />
            <Detail key={data.device_id} device={data} range={range} />
          </>
        )
        : (
          <>
            <h1 className="hidden">Device</h1>
            {isPending
              ? <SkeletonBlock tall />
              : <ErrorState what="The device" error={error} retry={() => void refetch()} />}
          </>
        )}
    </div>
  );
}
