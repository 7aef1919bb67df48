import { Link } from "@tanstack/react-router";
import type { Device } from "../../contract/device/device.ts";
import type { HealthComponent } from "../../contract/health/health.ts";
import type { Incident } from "../../contract/incident/incident.ts";
import { plural } from "../ui/format.ts";
import { shortName } from "../health/health-labels.ts";
import { typeName } from "../device/device-type.tsx";
import { Icon } from "../ui/icons.tsx";
import { DeviceNames, Foreign } from "../ui/names.tsx";
import { HealthTag, Score, SeverityIcon, SeverityTag, StatusTag } from "../ui/tags.tsx";
import { Ago } from "../ui/time/time.tsx";

export function TopIncidents({ incidents }: { incidents: Incident[] }) {
  return (
    <ul className="rows">
      {incidents.map((incident) => (
        <li key={incident.id} className="row">
          <SeverityTag severity={incident.severity} />
          <span className="row-main">
            <Link
              to="/incidents/$incidentId"
              params={{ incidentId: incident.id }}
              className="row-link"
              data-row
            >
              <Foreign text={incident.title} />
            </Link>
            <span className="row-note">
              <DeviceNames ids={incident.device_ids} /> <Ago at={incident.last_seen} />
            </span>
          </span>
          <Score score={incident.score} severity={incident.severity} />
        </li>
      ))}
    </ul>
  );
}

export function RiskyDevices({ devices }: { devices: Device[] }) {
  return (
    <ul className="rows">
      {devices.map((device) => (
        <li key={device.device_id} className="row">
          <span className="row-main">
            <Link
              to="/devices/$deviceId"
              params={{ deviceId: device.device_id }}
              className="row-link"
              data-row
            >
              <Foreign text={device.display_name} />
            </Link>
            <span className="row-note">
              <Foreign text={typeName(device.device_type)} />
              <span>{plural(device.incident_count, "incident")}</span>
            </span>
          </span>
          <Score score={device.score} />
        </li>
      ))}
    </ul>
  );
}

/** While the store is unavailable nothing is known about a sensor. */
function LastHeard(
  { sensor: { status, last_event_at: at }, skew }: { sensor: HealthComponent; skew: number },
) {
  if (at !== null) return <Ago at={at} skew={skew} />;
  return status === "unavailable" ? "unknown now" : "no record yet";
}

/** `skew` belongs to the report that the sensors come from. */
export function Sensors({ sensors, skew }: { sensors: HealthComponent[]; skew: number }) {
  return (
    <ul className="rows">
      {sensors.map((sensor) => (
        <li key={sensor.id} className="row">
          <span className="row-main">
            <Foreign text={shortName(sensor)} className="strong" />
            <span className="row-note">
              <LastHeard sensor={sensor} skew={skew} />
            </span>
          </span>
          <HealthTag status={sensor.status} />
        </li>
      ))}
    </ul>
  );
}

type Happening = { at: string; incident: Incident } | { at: string; device: Device };

/** Recently changed incidents and new devices, newest first. */
export function happenings(incidents: Incident[], devices: Device[], from: string): Happening[] {
  const events: Happening[] = [
    ...incidents.map((incident) => ({ at: incident.last_seen, incident })),
    ...devices.filter(({ first_seen }) => first_seen >= from).map((device) => ({
      at: device.first_seen,
      device,
    })),
  ];
  return events.sort((a, b) => a.at < b.at ? 1 : a.at > b.at ? -1 : 0);
}

export function Activity({ events }: { events: Happening[] }) {
  return (
    <ol className="rows">
      {events.map((event) =>
        "incident" in event
          ? (
            <li key={event.incident.id} className="row">
              <SeverityIcon severity={event.incident.severity} />
              <span className="row-main">
                <span>
                  <span className="soft">Evidence for</span>{" "}
                  <Link
                    to="/incidents/$incidentId"
                    params={{ incidentId: event.incident.id }}
                    className="strong"
                  >
                    <Foreign text={event.incident.title} />
                  </Link>
                </span>
                <span className="row-note">
                  <StatusTag status={event.incident.status} /> <Ago at={event.at} />
                </span>
              </span>
            </li>
          )
          : (
            <li key={event.device.device_id} className="row">
              <Icon name="devices" className="soft" />
              <span className="row-main">
                <span>
                  <span className="soft">New device</span>{" "}
                  <Link
                    to="/devices/$deviceId"
                    params={{ deviceId: event.device.device_id }}
                    className="strong"
                  >
                    <Foreign text={event.device.display_name} />
                  </Link>
                </span>
                <span className="row-note">
                  <Foreign text={typeName(event.device.device_type)} /> <Ago at={event.at} />
                </span>
              </span>
            </li>
          )
      )}
    </ol>
  );
}
