import { type ReactNode, useCallback, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { DeviceDetail } from "../../contract/device/device.ts";
import { ScoreLine } from "../ui/charts.tsx";
import { DeviceActivity } from "./device-activity.tsx";
import { DeviceForm } from "./device-form.tsx";
import { DeviceGlance, NAME_SOURCES } from "./device-glance.tsx";
import { DeviceIdentity } from "./device-identity.tsx";
import { DeviceTraits, traitCount } from "./device-traits.tsx";
import { DeviceTypeIcon, typeName } from "../entity/device/device-type.tsx";
import { usePart } from "../entity/parts.tsx";
import { showToast } from "../ui/toast/toast.ts";
import { Dialog } from "../ui/dialog.tsx";
import { usePivotWindow } from "../entity/entity-scope.ts";
import { Icon } from "../ui/icons.tsx";
import { listedCount } from "../entity/intel/intel.tsx";
import { Foreign } from "../ui/foreign.tsx";
import { useTitle } from "../ui/page.tsx";
import { RangeControl, rangePhrase, useRange } from "../ui/time/range-control.tsx";
import { ErrorState, SkeletonBlock, StaleNotice } from "../ui/states.tsx";
import { DEVICE_VIEWS } from "./device-search.ts";
import { formatExact, formatScore, plural } from "../ui/format.ts";
import { deviceDetail } from "./device-queries.ts";
import type { Range } from "../base/time/range.ts";
import { useSignedIn } from "../base/session.ts";
import { useZone } from "../base/time/zone.ts";
import { severityOfScore } from "../ui/severity.ts";
import { isMissing, Missing } from "../ui/missing.tsx";
import { to } from "../base/links.ts";

const route = getRouteApi("/t/$tenant/devices/$deviceId");

function Head({ device, edit }: { device: DeviceDetail; edit: () => void }) {
  const { roles } = useSignedIn();
  const threats = listedCount(device);
  return (
    <div className="incident-head">
      <div className="incident-title">
        <div className="crumbs">
          <Link {...to.devices()} className="link">Devices</Link>
          <span className="muted mono clip">{device.device_id}</span>
        </div>
        <h1 className="device-title">
          <DeviceTypeIcon type={device.device_type} />
          <Foreign text={device.display_name} />
        </h1>
        <div className="meta">
          <span className="soft">{NAME_SOURCES[device.display_name_source]}</span>
          {threats > 0 && <span className="chip chip-bad">seen {plural(threats, "known threat")}</span>}
          {roles.includes("analyst") && (
            <button type="button" className="button button-small" onClick={edit}>
              <Icon name="edit" />Edit
            </button>
          )}
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

const VIEWS = { activity: "Activity", traits: "Behaviour", identity: "Identity" };

/** The sections of the page; each has its own address. */
function Sections({ device }: { device: DeviceDetail }) {
  const counts = { activity: null, traits: traitCount(device), identity: null };
  return (
    <nav className="tabs" aria-label="Sections of this device">
      {DEVICE_VIEWS.map((one) => (
        <Link
          key={one}
          from={route.id}
          search={(old) => ({ ...old, view: one === DEVICE_VIEWS[0] ? undefined : one })}
          replace
          className="tab"
          activeOptions={{ exact: true }}
        >
          {VIEWS[one]}
          {counts[one] !== null && <span className="muted small">{formatExact(counts[one])}</span>}
        </Link>
      ))}
    </nav>
  );
}

function Detail({ device, range }: { device: DeviceDetail; range: Range }) {
  useTitle(device.display_name);
  const FlowsCard = usePart("FlowsCard");
  const [editing, setEditing] = useState(false);
  const { view = DEVICE_VIEWS[0], ...search } = route.useSearch();
  const scope = usePivotWindow();
  const about = `device.id:${device.device_id}`;
  const close = useCallback(() => setEditing(false), []);
  return (
    <>
      <Head device={device} edit={() => setEditing(true)} />
      <DeviceGlance device={device} />
      <div className="section-tools tab-bar">
        <Sections device={device} />
        <div className="page-tools">
          <Link {...to.map({ focus: device.device_id, scope: search.scope })} className="button">
            <Icon name="map" />Map
          </Link>
          <Link {...to.explore({ filter: about, scope })} className="button">
            <Icon name="flows" />Flows
          </Link>
        </div>
      </div>
      {view === "activity" && device.telemetry_truncated && (
        <p className="muted small">More flows {rangePhrase(range)} than were counted here.</p>
      )}
      {view === "activity" && <DeviceActivity device={device} />}
      {view === "activity" && <FlowsCard text={about} storageKey="device.flows" />}
      {view === "traits" && <DeviceTraits device={device} />}
      {view === "identity" && <DeviceIdentity device={device} />}
      <Dialog title="Edit device" open={editing} close={close}>
        <DeviceForm
          device={device}
          cancel={close}
          done={({ device_type }) => {
            showToast({ text: `Saved. The type ${typeName(device_type)} is confirmed.` });
            close();
          }}
        />
      </Dialog>
    </>
  );
}

export function DevicePage(): ReactNode {
  const { tenant } = useSignedIn();
  const { deviceId } = route.useParams();
  const { view = DEVICE_VIEWS[0] } = route.useSearch();
  const [range] = useRange();
  const { data, error, isPending, refetch } = useQuery(deviceDetail(tenant, deviceId, range, useZone()));
  if (isMissing(error)) return <Missing what="device" list={to.devices()} />;
  return (
    <div className="page">
      {/* Before the device is there, so that the top bar has its final height. */}
      {view === DEVICE_VIEWS[0] && <RangeControl />}
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
