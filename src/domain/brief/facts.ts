import type {
  BriefAction,
  BriefDevice,
  BriefFigure,
  BriefIncident,
  BriefMover,
  BriefProposal,
  BriefTransition,
  ClosedIncident,
  ExpiringSuppression,
  NoisyDetector,
} from "../../contract/brief/brief.ts";
import type { Severity } from "../../contract/record/kinds.ts";
import type { Micros } from "../record/observation.ts";

/** The first items of a list, and how many there are altogether. */
export interface Listed<T> {
  items: readonly T[];
  total: number;
}

/** Hours of a sensor: whether records were received in each; null is unknown. */
export interface SensorHours {
  sensorId: string;
  received: readonly (boolean | null)[];
}

/** What is recorded of a day. Amounts of the day and of the whole day before; null is unknown. */
export interface BriefFacts {
  date: string;
  siteName: string;
  zone: string;
  from: Micros;
  to: Micros;
  /** When the facts were read. */
  now: Micros;
  /** Receipt of the oldest record that is kept; null without records. */
  recordsSince: Micros | null;
  /** The day's traffic was added up in another time zone. */
  foldedElsewhere: boolean;
  opened: BriefFigure;
  closed: BriefFigure;
  newDevices: BriefFigure;
  flows: BriefFigure;
  bytes: BriefFigure;
  silentHours: BriefFigure;
  openedBySeverity: Readonly<Partial<Record<Severity, number>>>;
  openedIncidents: Listed<BriefIncident>;
  /** Of the day's incidents those that are still open. */
  stillOpen: number;
  closedIncidents: Listed<ClosedIncident>;
  /** Incidents that are open now, those of earlier days included. */
  openNow: number;
  unassignedNow: number;
  actions: Listed<BriefAction>;
  proposals: Listed<BriefProposal>;
  devices: Listed<BriefDevice>;
  movers: Listed<BriefMover>;
  noisy: Listed<NoisyDetector>;
  expiring: Listed<ExpiringSuppression>;
  hours: readonly Micros[];
  sensors: readonly SensorHours[];
  transitions: Listed<BriefTransition>;
}
