// Ordinary activity of the office that resembles an attack, by what could be mistaken for it.

import type { Lookalike } from "../../labels.ts";
import {
  DHCP_SPARE,
  DOMAIN_CONTROLLER,
  GATEWAY,
  LARGE,
  MAIL_SERVER,
  MONITORING,
  placesOf,
  STORAGE,
} from "./roster.ts";

const at = placesOf(LARGE);
const CALLBACKS = ["beacon", "beacon-name"];
const EVERY_CALLBACK = [...CALLBACKS, "long-connection"];

export const OFFICE_LOOKALIKES: Lookalike[] = [
  // Callbacks.
  like(
    "sip-registration",
    "Desk phones register at their provider's address every 10 minutes.",
    ["beacon"],
    at.deskPhones,
    "198.19.5.60",
  ),
  like(
    "badge-reader",
    "A badge reader polls its maker by name every 2 minutes.",
    CALLBACKS,
    at.things[2],
    "door.badgecloud.example",
  ),
  like(
    "sensor-hub",
    "A sensor hub reports to its maker over HTTP every 15 minutes.",
    CALLBACKS,
    at.things[3],
    "up.sensorhub.example",
  ),
  like(
    "television",
    "A television reports to its maker every 5 minutes.",
    CALLBACKS,
    at.things[0],
    "log.tvmaker.example",
  ),
  like(
    "build-server",
    "A developer's tools poll a build server every 30 s.",
    CALLBACKS,
    at.people[1],
    "ci.buildhouse.example",
  ),
  like(
    "ticker",
    "A program polls quotes every minute.",
    CALLBACKS,
    at.people[2],
    "quotes.stockticker.example",
  ),
  like(
    "weather",
    "A widget polls the weather every 15 minutes.",
    CALLBACKS,
    at.people[0],
    "api.weather-widget.example",
  ),
  like(
    "virus-signatures",
    "Every computer asks for virus signatures once an hour.",
    CALLBACKS,
    [],
    "sig.guardsoft.example",
  ),
  // Connections that stay open.
  like(
    "camera-cloud",
    "Cameras keep a path to three addresses of their maker open.",
    EVERY_CALLBACK,
    at.cameras,
    ["198.19.6.10", "198.19.6.11", "198.19.6.12"],
  ),
  like(
    "partner-tunnel",
    "A computer keeps a WireGuard tunnel to a partner open all day.",
    EVERY_CALLBACK,
    at.people[4],
    "198.19.7.7",
  ),
  like(
    "thermostat",
    "A thermostat keeps a message queue open all day.",
    EVERY_CALLBACK,
    at.things[1],
    "mqtt.homeclimate.example",
  ),
  like(
    "push-messages",
    "Telephones keep a connection for messages open.",
    EVERY_CALLBACK,
    [],
    "push.phonemaker.example",
  ),
  // Names.
  like(
    "file-reputation",
    "Antivirus looks up hashes of files below one domain.",
    ["dns-tunnel", "dga"],
    [],
    "rep.guardsoft.example",
  ),
  like(
    "block-list",
    "The mail server asks a block list about senders.",
    ["dns-tunnel", "dga"],
    MAIL_SERVER,
    "zen.blocklist.example",
  ),
  like(
    "browser-probes",
    "Browsers look up random names below the site's own domain.",
    ["dga", "dns-tunnel"],
    at.people,
    "office.internal",
  ),
  like("mistyped-names", "People mistype a few names a day.", ["dga"], at.people),
  // Attempts.
  like("monitoring", "The monitoring server polls 13 machines.", [
    "scan",
    "flood",
    "brute-force",
    "lateral-movement",
  ], MONITORING),
  like(
    "update-peers",
    "Computers ask colleagues for updates, of which many are off.",
    ["scan", "beacon"],
    at.people,
    "7680",
  ),
  like(
    "mistyped-passwords",
    "People mistype their password in the morning.",
    ["brute-force"],
    at.people,
    DOMAIN_CONTROLLER,
  ),
  like(
    "ssh-check",
    "The monitoring server checks every 15 minutes that SSH answers.",
    ["brute-force", "lateral-movement"],
    MONITORING,
    STORAGE,
  ),
  like("help-desk", "The administrator's computer controls servers and colleagues' computers.", [
    "lateral-movement",
    "brute-force",
  ], at.people[9]),
  like(
    "file-shares",
    "People read and write files of the file server.",
    ["lateral-movement", "brute-force"],
    at.people,
    "10.20.0.11",
  ),
  like(
    "scans-to-share",
    "Printers write scans to the file server.",
    ["lateral-movement", "type-contradiction"],
    at.printers,
    "10.20.0.11",
  ),
  // Volume.
  like(
    "video-calls",
    "People make video calls over UDP.",
    ["flood", "exfiltration", "beacon"],
    at.people,
    "3478",
  ),
  like(
    "camera-streams",
    "Cameras stream to the recorder and get no answer.",
    ["flood", "exfiltration"],
    at.cameras,
    "10.20.0.15",
  ),
  like(
    "cloud-backup",
    "The storage copies 7 GB a night to the cloud.",
    ["exfiltration", ...CALLBACKS],
    STORAGE,
    "s3.vaultcloud.example",
  ),
  like(
    "file-sync",
    "People synchronise files with the common cloud, at times hundreds of megabytes.",
    ["exfiltration"],
    at.people,
    "files.worksuite.example",
  ),
  like(
    "night-backup",
    "The file server writes 9 GB a night to the storage.",
    ["exfiltration", "lateral-movement"],
    "10.20.0.11",
    STORAGE,
  ),
  // Mail.
  like("mail-delivery", "The mail server delivers to 60 servers.", ["mass-mail", ...CALLBACKS], MAIL_SERVER),
  like(
    "mail-reading",
    "Everybody reads mail in the browser or the mail program.",
    ["mass-mail", "long-connection"],
    at.people,
    "outlook.worksuite.example",
  ),
  like("mail-receipt", "Other mail servers deliver here.", ["mass-mail", "scan"], MAIL_SERVER),
  // TLS and protocols.
  like(
    "own-printer-client",
    "Printers have a TLS client of their own.",
    ["tls-rarity", "certificate"],
    at.printers,
    "connect.printmaker.example",
  ),
  like(
    "new-browser",
    "On patch day all browsers get a new version with another fingerprint.",
    ["tls-rarity"],
    at.people,
    "popular-0.com.example",
  ),
  like(
    "os-updates",
    "Updates come in clear from the vendor's servers.",
    ["tls-rarity", "unexpected-protocol"],
    at.people,
    "dl.delivery.os-vendor.example",
  ),
  like(
    "self-signed-mail",
    "A small mail server has a self-signed certificate.",
    ["certificate", "tls-rarity", ...CALLBACKS],
    MAIL_SERVER,
    "mx.small-shop.example",
  ),
  like(
    "source-host",
    "A developer pushes sources over SSH to an outside host.",
    ["unexpected-protocol", "exfiltration", "lateral-movement"],
    at.people[3],
    "git.codehost.example",
  ),
  like(
    "queue-port",
    "A thermostat uses port 8883 over TLS.",
    ["unexpected-protocol", "certificate", "type-contradiction"],
    at.things[1],
    "mqtt.homeclimate.example",
  ),
  // Services of the site.
  like("dhcp-spare", "A second DHCP server answers a tenth of the clients.", ["rogue-dhcp"], DHCP_SPARE),
  like("dhcp-gateway", "The gateway serves DHCP.", ["rogue-dhcp", "new-device"], GATEWAY),
  like("dhcp-new-lease", "A new employee's computer gets its first lease.", ["rogue-dhcp"], at.people[17]),
  like(
    "site-resolver",
    "The domain controller resolves names for everybody.",
    ["rogue-dns", "beacon"],
    DOMAIN_CONTROLLER,
  ),
  like(
    "public-resolver",
    "A developer has always used a public resolver.",
    ["rogue-dns", "beacon"],
    at.people[3],
    "198.19.1.1",
  ),
  like("mail-lookups", "The mail server looks up more names than anybody.", ["rogue-dns"], MAIL_SERVER),
  // Devices.
  like("visitors", "Visitors' telephones appear for an afternoon.", ["new-device"], visitors()),
  like(
    "new-employee",
    "A new employee's computer appears in the second week.",
    ["new-device"],
    at.people[17],
  ),
  like("television-hosts", "A television contacts its maker all day.", ["type-contradiction"], at.things[0]),
  like(
    "camera-recorder",
    "Cameras contact the recorder and their maker only.",
    ["type-contradiction"],
    at.cameras,
  ),
  // Alerts.
  like("policy-alerts", "Alerts about policy and information.", ["signature-alert"], at.people),
  like(
    "stream-alerts",
    "Remarks of the sensor about its own capture.",
    ["signature-alert", "sensor-anomaly"],
    at.people,
  ),
  like("probes-from-outside", "Alerts about probes of the mail server from outside.", [
    "signature-alert",
    "scan",
  ], MAIL_SERVER),
  like("one-sided", "Anomalies of captures that miss one direction.", ["sensor-anomaly"], at.people),
  like("odd-headers", "Anomalies of harmless requests.", ["sensor-anomaly"], at.people),
  like(
    "ordinary-browsing",
    "People open pages that no list contains.",
    ["threat-intel", "certificate"],
    at.people,
  ),
  like(
    "listed-visitor",
    "A listed address tries the mail server and is refused.",
    ["threat-intel"],
    MAIL_SERVER,
    "192.0.2.120",
  ),
  like(
    "listed-lookup",
    "A mail filter looks up a listed name that came in a message, and does not contact it.",
    ["threat-intel"],
    MAIL_SERVER,
    "drop.listed-name.example",
  ),
];

/** All addresses that visitors get. */
function visitors(): string[] {
  return Array.from({ length: 60 }, (_, index) => `10.20.7.${20 + index}`);
}

function like(
  id: string,
  text: string,
  detectors: string[],
  device: string | readonly string[] = [],
  peer: string | readonly string[] = [],
): Lookalike {
  return { id, text, detectors, devices: [device].flat(), peers: [peer].flat() };
}
