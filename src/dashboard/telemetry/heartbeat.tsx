import { useMemo } from "react";
import type { HealthReport } from "../../contract/health/health.ts";
import { isOff } from "../entity/health/health-labels.ts";
import { RecordViewer } from "../entity/record/record-viewer.tsx";
import { Foreign } from "../ui/foreign.tsx";
import { Card } from "../ui/page.tsx";
import { ComponentTag } from "../entity/health/health-tags.tsx";
import { Ago } from "../ui/time/time.tsx";

interface HeartbeatProps {
  telemetry: HealthReport["telemetry"];
  /** Milliseconds by which the report's clock is ahead of this browser's. */
  skew: number;
}

/** The last heartbeat, visible to every role. */
export function Heartbeat({ telemetry, skew }: HeartbeatProps) {
  const { status, message, last_event_at: at, last_payload: payload } = telemetry;
  const json = useMemo(() => payload === null ? null : JSON.stringify(payload), [payload]);
  const off = isOff(telemetry);
  return (
    <Card
      title="Heartbeat"
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
            ? "The heartbeat is switched off or has no registration server: nothing is sent."
            : "Once a day the appliance sends this heartbeat to its registration server (NDR_TELEMETRY_URL), and nothing else: no address, no name, " +
              "no configuration, nothing that sensors observed."} <code>ndr telemetry show</code>{" "}
          prints the next one
          {off ? "." : (
            <>
              ; <code>NDR_TELEMETRY=off</code> switches it off.
            </>
          )}
        </p>
        {!off && message !== null && (
          <p className="ink-high">
            <Foreign text={message} className="wrap" />
          </p>
        )}
        {json === null ? !off && <p className="muted">No heartbeat sent yet.</p> : (
          <>
            <h3>The last payload, in full: sent, or built by a dry run</h3>
            <RecordViewer json={json} />
          </>
        )}
      </div>
    </Card>
  );
}
