import { useMemo } from "react";
import type { HealthReport } from "../../contract/health/health.ts";
import { isOff } from "../health/health-words.ts";
import { JsonView } from "../ui/json-view.tsx";
import { Foreign } from "../ui/names.tsx";
import { Card } from "../ui/page.tsx";
import { ComponentTag } from "../ui/tags.tsx";
import { Ago } from "../ui/time/time.tsx";

interface HeartbeatProps {
  telemetry: HealthReport["telemetry"];
  /** Milliseconds by which the report's clock is ahead of this browser's. */
  skew: number;
}

/** What the appliance told about itself the last time, for everybody to read. */
export function Heartbeat({ telemetry, skew }: HeartbeatProps) {
  const { status, message, last_event_at: at, last_payload: payload } = telemetry;
  const json = useMemo(() => payload === null ? null : JSON.stringify(payload), [payload]);
  const off = isOff(telemetry);
  return (
    <Card
      title="What this appliance tells about itself"
      note={at === null ? undefined : (
        <>
          last received <Ago at={at} skew={skew} />
        </>
      )}
      action={<ComponentTag status={status} message={message} />}
    >
      <div className="heartbeat">
        <p className="soft">
          {off
            ? "The heartbeat is switched off, or has no registration server: nothing is sent to anybody."
            : "Once a day it sends its registration server (NDR_TELEMETRY_URL) a heartbeat, and nothing else: no address, no name, " +
              "no configuration, nothing that sensors saw."} <code>ndr telemetry show</code>{" "}
          prints the next one
          {off ? "." : (
            <>
              ; <code>NDR_TELEMETRY=off</code> ends it.
            </>
          )}
        </p>
        {!off && message !== null && (
          <p className="ink-high">
            <Foreign text={message} className="wrap" />
          </p>
        )}
        {json === null ? !off && <p className="muted">None was sent yet.</p> : (
          <>
            <h3>The last one, whole: sent, or built by a dry run</h3>
            <JsonView json={json} />
          </>
        )}
      </div>
    </Card>
  );
}
