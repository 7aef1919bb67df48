import { useMemo, useState } from "react";
import { Link } from "@tanstack/react-router";
import type { IncidentDetail } from "../../../contract/incident/incident.ts";
import { mapOfIncident } from "../../entity/incident/incident-map.ts";
import { currentZone } from "../../base/time/zone.ts";
import { type LaneEvent, SwimLane } from "../../ui/chart/swim-lane.tsx";
import { spanLabel } from "../../ui/chart/time-axis.ts";
import { plural } from "../../ui/format.ts";
import { Card } from "../../ui/page.tsx";
import { severityOfScore } from "../../ui/severity.ts";
import { EARLIER, evidenceLanes, type LaneBy, type LanedRecord } from "./evidence-lanes.ts";
import type { EvidenceSelection } from "./evidence-selection.ts";
import { TalkPicture } from "./talk-picture.tsx";

interface PicturesProps {
  incident: IncidentDetail;
  selection: EvidenceSelection;
  select: (selection: EvidenceSelection) => void;
}

/** Who talked to whom, and when: both select the evidence below. */
export function Pictures(props: PicturesProps) {
  const { incident, selection, select } = props;
  return (
    <>
      <Card
        title="Who talked to whom"
        note={plural(incident.talks.length, "pair")}
        action={<Link {...mapOfIncident(incident)} className="link small">On the map</Link>}
      >
        <TalkPicture
          incident={incident}
          selected={selection.group?.key ?? null}
          select={(link, label) =>
            select({
              ...selection,
              group: link === null ? null : { key: link.key, label, ids: new Set(link.evidenceIds) },
            })}
        />
      </Card>
      <TimelineCard {...props} />
    </>
  );
}

/** The records of one mark of the timeline. */
function groupOf(opened: readonly LaneEvent[], records: readonly LanedRecord[]) {
  const marked = new Set(opened.map(({ id }) => id));
  const ids = records.filter(({ id }) => marked.has(id)).map(({ evidenceId }) => evidenceId);
  const [from, to] = [Date.parse(opened[0]!.at), Date.parse(opened.at(-1)!.at)];
  const label = `${plural(ids.length, "record")}, ${spanLabel(from, to, currentZone())}`;
  return { key: `mark ${opened[0]!.id}`, label, ids: new Set(ids) };
}

const LANES: readonly (readonly [LaneBy, string])[] = [["detector", "By detector"], ["device", "By device"]];

function TimelineCard({ incident, selection, select }: PicturesProps) {
  const [by, setBy] = useState<LaneBy>("detector");
  const { lanes, events, window } = useMemo(() => evidenceLanes(incident, by, severityOfScore), [
    incident,
    by,
  ]);
  return (
    <Card
      title="Timeline of evidence"
      action={
        <span className="segments" role="group" aria-label="Lanes">
          {LANES.map(([one, label]) => (
            <button
              key={one}
              type="button"
              className="segment"
              aria-pressed={by === one}
              onClick={() => setBy(one)}
            >
              {label}
            </button>
          ))}
        </span>
      }
    >
      {events.length === 0 ? <p className="muted">No evidence is retained.</p> : (
        <SwimLane
          label={`Evidence over time, ${by === "detector" ? "by detector" : "by device"}`}
          lanes={lanes}
          events={events}
          window={window}
          selected={selection.window}
          onBrush={(brushed) => select({ ...selection, window: brushed })}
          onOpen={(opened) => select({ window: null, group: groupOf(opened, events) })}
        />
      )}
      {lanes.some(({ id }) => id === EARLIER) && (
        <p className="muted small">
          Former scorings: records that only an earlier scoring of these results linked. A new scoring links a
          bounded selection of its own.
        </p>
      )}
    </Card>
  );
}
