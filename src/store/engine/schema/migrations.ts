import compressedRejections from "../../../../migrations/0017-compressed-rejections.sql" with {
  type: "text",
};
import brief from "../../../../migrations/0021-brief.sql" with { type: "text" };
import openingByReceipt from "../../../../migrations/0016-opening-by-receipt.sql" with { type: "text" };
import incidentPair from "../../../../migrations/0018-incident-pair.sql" with { type: "text" };
import access from "../../../../migrations/0015-access.sql" with { type: "text" };
import analyst from "../../../../migrations/0020-analyst.sql" with { type: "text" };
import connector from "../../../../migrations/0010-connector.sql" with { type: "text" };
import detector from "../../../../migrations/0007-detector.sql" with { type: "text" };
import device from "../../../../migrations/0005-device.sql" with { type: "text" };
import engine from "../../../../migrations/0001-engine.sql" with { type: "text" };
import flow from "../../../../migrations/0004-flow.sql" with { type: "text" };
import graph from "../../../../migrations/0014-graph.sql" with { type: "text" };
import health from "../../../../migrations/0011-health.sql" with { type: "text" };
import incident from "../../../../migrations/0006-incident.sql" with { type: "text" };
import intel from "../../../../migrations/0008-intel.sql" with { type: "text" };
import record from "../../../../migrations/0003-record.sql" with { type: "text" };
import review from "../../../../migrations/0009-review.sql" with { type: "text" };
import search from "../../../../migrations/0013-search.sql" with { type: "text" };
import sessionProvider from "../../../../migrations/0019-session-provider.sql" with { type: "text" };
import session from "../../../../migrations/0002-session.sql" with { type: "text" };
import telemetry from "../../../../migrations/0012-telemetry.sql" with { type: "text" };

export interface Migration {
  version: number;
  name: string;
  text: string;
}

/** In order, without gaps. A released file is never edited, because its checksum would no longer match. */
export const MIGRATIONS: readonly Migration[] = [
  { version: 1, name: "engine", text: engine },
  { version: 2, name: "session", text: session },
  { version: 3, name: "record", text: record },
  { version: 4, name: "flow", text: flow },
  { version: 5, name: "device", text: device },
  { version: 6, name: "incident", text: incident },
  { version: 7, name: "detector", text: detector },
  { version: 8, name: "intel", text: intel },
  { version: 9, name: "review", text: review },
  { version: 10, name: "connector", text: connector },
  { version: 11, name: "health", text: health },
  { version: 12, name: "telemetry", text: telemetry },
  { version: 13, name: "search", text: search },
  { version: 14, name: "graph", text: graph },
  { version: 15, name: "access", text: access },
  { version: 16, name: "opening-by-receipt", text: openingByReceipt },
  { version: 17, name: "compressed-rejections", text: compressedRejections },
  { version: 18, name: "incident-pair", text: incidentPair },
  { version: 19, name: "session-provider", text: sessionProvider },
  { version: 20, name: "analyst", text: analyst },
  { version: 21, name: "brief", text: brief },
];
