import type { Effect } from "../effect.ts";
import { is, phrases } from "./phrase.ts";

/** Devices, their types and what is known of them. */
export const DEVICES: readonly [string, Effect][] = [
  ...phrases(
    { kind: "devices" },
    `
      device, machine, host, computer, client, endpoint, system, box, asset, who, whom, anyone, anybody,
      somebody, someone, node`,
  ),
  ...phrases(
    { kind: "devices", role: "either" },
    "last seen, hostname of, host name of, ip address of, ip of, address of, owner of, owns, who owns, name of, the name of",
  ),
  ...phrases(
    { ...is("device.score", 40, ">="), note: "Suspicious: of a score of 40 or more." },
    "suspicious, risky, riskiest",
  ),
  ...phrases({ type: "printer" }, "printer"),
  ...phrases({ type: "camera" }, "camera"),
  ...phrases({ type: "phone" }, "phone, smartphone, mobile"),
  ...phrases({ type: "voip_phone" }, "voip phone, desk phone"),
  ...phrases({ type: "workstation" }, "workstation, laptop, desktop, pc, pcs, notebook"),
  ...phrases({ type: "router" }, "router, gateway"),
  ...phrases({ type: "server" }, "server"),
  ...phrases({ type: "domain_controller" }, "domain controller"),
  ...phrases({ type: "dns_server" }, "dns server"),
  ...phrases({ type: "dhcp_server" }, "dhcp server"),
  ...phrases({ type: "web_server" }, "web server"),
  ...phrases({ type: "mail_server" }, "mail server"),
  ...phrases({ type: "file_server" }, "file server, nas"),
  ...phrases({ type: "database_server" }, "database server, database"),
  ...phrases({ type: "iot" }, "iot, iot device, smart device"),
  ...phrases({ type: "unknown" }, "unknown, unidentified, unclassified"),

  ...phrases(
    { topic: "new" },
    `
      new, newly seen, first seen, appeared, joined, newly, new to the network, new on the network, showed up,
      seen for the first time, first time seen, for the first time`,
  ),
];
