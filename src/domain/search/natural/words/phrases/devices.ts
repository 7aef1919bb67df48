import type { Effect } from "../effect.ts";
import { is, phrases } from "./phrase.ts";

const INVENTORY = "Only the inventory or a person assigns this type of device.";

/** Devices, their types and what is known of them. */
export const DEVICES: readonly [string, Effect][] = [
  ...phrases(
    { kind: "devices" },
    `
      who's, who's been, who is it that, different device, distinct device, unique device, different host, distinct host, unique host, different machine,
      device, machine, host, computer, client, endpoint, system, box, asset, who, whom, anyone, anybody,
      somebody, someone, node`,
  ),
  ...phrases(
    { kind: "devices", role: "either" },
    "last seen, hostname of, host name of, ip address of, ip of, address of, owner of, owns, who owns, name of, the name of",
  ),
  ...phrases(
    { ...is("device.score", 40, ">="), note: "Suspicious: of a score of 40 or more." },
    "suspicious, risky, high risk, high-risk",
  ),
  ...phrases(
    {
      ...is("device.score", 40, ">="),
      note: "Risky: of a score of 40 or more. Sort the list by risk for the highest.",
    },
    "riskiest, the riskiest, highest risk, the highest risk, highest risk score, the highest risk score",
  ),
  ...phrases(
    { kind: "devices" },
    "what kind of device is, what type of device is, which kind of device is, which type of device is, what kind of machine is",
  ),
  ...phrases({ type: "printer" }, "printer"),
  ...phrases(
    { type: "camera" },
    "camera, ip camera, ip cam, webcam, cctv camera, security camera, surveillance camera",
  ),
  ...phrases({ type: "phone" }, "phone, smartphone, mobile"),
  ...phrases({ type: "voip_phone" }, "voip phone, desk phone"),
  ...phrases({ type: "workstation" }, "workstation, laptop, desktop, desktop computer, pc, pcs, notebook"),
  ...phrases({ type: "router" }, "router, gateway"),
  ...phrases({ type: "server" }, "server"),
  ...phrases({ type: "domain_controller" }, "domain controller"),
  ...phrases({ type: "dns_server" }, "dns server"),
  ...phrases({ type: "dhcp_server" }, "dhcp server"),
  ...phrases({ type: "web_server" }, "web server"),
  ...phrases({ type: "mail_server" }, "mail server"),
  ...phrases({ type: "file_server" }, "file server, nas"),
  ...phrases({ type: "database_server" }, "database server, database"),
  // The service assigns no such types, but an inventory may.
  ...phrases({ type: "plc", note: INVENTORY }, "plc, programmable logic controller"),
  ...phrases({ type: "hmi", note: INVENTORY }, "hmi"),
  ...phrases({ type: "tablet", note: INVENTORY }, "tablet, ipad"),
  ...phrases({ type: "switch", note: INVENTORY }, "network switch, switch"),
  ...phrases({ type: "iot" }, "iot, iot device, smart device"),
  ...phrases({ type: "unknown" }, "unknown, unidentified, unclassified"),

  ...phrases(
    { topic: "new" },
    `
      new, newly seen, first seen, appeared, joined, newly, plugged in, new to the network, new on the network, showed up,
      seen for the first time, first time seen, for the first time`,
  ),
];
