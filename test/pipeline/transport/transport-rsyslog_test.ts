// The shipped rsyslog transport, with the real programs, into the real ingest.

import { transportTest } from "../../support/transport/transport-programs.ts";
import { installRsyslog } from "../../support/transport/transports.ts";
import { deliversFiles, losesNothingWhileRefused, withDelivery } from "./transport-delivery.ts";

const NEEDS = { programs: ["rsyslogd", "perl"] };

await transportTest(
  "rsyslog delivers Suricata's and Zeek's files byte for byte, each record once",
  NEEDS,
  () => withDelivery(installRsyslog, deliversFiles),
);

await transportTest(
  "rsyslog loses nothing while the core refuses it, its queue is full and it is restarted",
  NEEDS,
  () =>
    withDelivery(installRsyslog, (delivery) => losesNothingWhileRefused(delivery, "stop"), {
      smallBuffer: true,
    }),
);
