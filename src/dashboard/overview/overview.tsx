import type { ReactNode } from "react";
import { useSignedIn } from "../base/session.ts";
import { PageHeader } from "../ui/page.tsx";
import { RangeControl } from "../ui/time/range-control.tsx";
import { Records, RiskiestDevices } from "./appliance.tsx";
import { Attack } from "./attack.tsx";
import { Waiting, WorstIncidents } from "./attention.tsx";
import { DeviceHeat } from "./device-heat.tsx";
import { IncidentTimeline } from "./incident-timeline.tsx";
import { Countries, Networks } from "./places.tsx";
import { SensorCoverage } from "./sensor-coverage.tsx";
import { Traffic } from "./traffic.tsx";
import { Trends } from "./trends.tsx";

/** What needs attention, and what the site did. Open work is shown whatever the time range. */
export function Overview(): ReactNode {
  const { tenantName } = useSignedIn();
  return (
    <div className="page">
      <PageHeader title="Overview" note={tenantName}>
        <RangeControl />
      </PageHeader>
      <div className="grid overview">
        <Trends />
        <WorstIncidents />
        <div className="overview-stack">
          <Waiting />
          <RiskiestDevices />
        </div>
        <IncidentTimeline />
        <Countries />
        <Traffic />
        <Networks />
        <Attack />
        <DeviceHeat />
        <Records />
        <SensorCoverage />
      </div>
    </div>
  );
}
