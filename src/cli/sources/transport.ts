// How a sensor's records reach the core: the parts of debian/transport that a kind of sensor needs.

import type { SensorKind } from "./kinds.ts";

/** Where the package installs debian/transport. */
export const TRANSPORT_FOLDER = "/usr/share/doc/ndr/examples/transport";
const SYSLOG_NG = "/etc/syslog-ng";

interface TransportFile {
  /** Below debian/transport. */
  from: string;
  to: string;
  mode: number;
}

export interface Transport {
  /** Definition of the token in the file `tokens`. */
  define: string;
  tokens: string;
  /** In the order of installation. What every sensor shares, such as the file `tokens`, may be there already. */
  files: readonly TransportFile[];
  /** Checks the result, then applies it. */
  check: readonly string[];
  /** What the sensor itself needs, for people. */
  sensor: string;
}

const SHARED: readonly TransportFile[] = [
  { from: "syslog-ng/ndr.conf", to: `${SYSLOG_NG}/conf.d/ndr.conf`, mode: 0o644 },
  { from: "syslog-ng/settings.conf", to: `${SYSLOG_NG}/ndr/settings.conf`, mode: 0o644 },
  { from: "syslog-ng/tokens.conf", to: `${SYSLOG_NG}/ndr/tokens.conf`, mode: 0o600 },
];

const KINDS: Readonly<Record<SensorKind, { part: string; more: readonly TransportFile[]; sensor: string }>> =
  {
    suricata: {
      part: "eve.conf",
      more: [],
      sensor:
        "Suricata writes EVE to /var/log/suricata/eve.json; ndr-eve-file in settings.conf names another file",
    },
    zeek: {
      part: "zeek.conf",
      more: [],
      sensor: "Zeek writes JSON (@load policy/tuning/json-logs) to /opt/zeek/logs/current; ndr-zeek-dir in " +
        "settings.conf names another folder",
    },
    netflow: {
      part: "netflow.conf",
      more: [{ from: "pmacct/nfacctd.conf", to: "/etc/pmacct/nfacctd.conf", mode: 0o644 }],
      sensor: "nfacctd (apt-get install pmacct) receives NetFlow and IPFIX at UDP port 2055: see " +
        `${TRANSPORT_FOLDER}/README.md`,
    },
    unbound: {
      part: "unbound.conf",
      more: [{
        from: "unbound/ndr-log.conf",
        to: "/etc/unbound/unbound.conf.d/ndr-log.conf",
        mode: 0o644,
      }],
      sensor: "Unbound then logs its replies to /var/lib/unbound/ndr.log: systemctl restart unbound",
    },
  };

/** The transport of a sensor on this machine with syslog-ng. */
export function transportOf(kind: SensorKind): Transport {
  const { part, more, sensor } = KINDS[kind];
  const own = { from: `syslog-ng/ndr.d/${part}`, to: `${SYSLOG_NG}/ndr/enabled/${part}`, mode: 0o644 };
  return {
    define: `ndr-token-${kind}`,
    tokens: `${SYSLOG_NG}/ndr/tokens.conf`,
    files: [...SHARED, own, ...more],
    check: ["syslog-ng --syntax-only", "systemctl restart syslog-ng"],
    sensor,
  };
}

/** The text of tokens.conf with this sensor's token. */
export function withToken(text: string, { define }: Pick<Transport, "define">, token: string): string {
  const line = `@define ${define} "${token}"`;
  const pattern = new RegExp(`^@define ${define} .*$`, "m");
  return pattern.test(text) ? text.replace(pattern, () => line) : `${text.replace(/\n?$/, "\n")}${line}\n`;
}

/** Commands for a shell of root that install the transport and give it the token. They never show the token. */
export function transportCommands(kind: SensorKind, tokenFile: string): string[] {
  const { define, tokens, files, check } = transportOf(kind);
  const install = files.map(({ from, to, mode }) =>
    `[ -e ${to} ] || install -D -m ${mode.toString(8)} ${TRANSPORT_FOLDER}/${from} ${to}`
  );
  return [
    "apt-get install syslog-ng-core syslog-ng-mod-http",
    ...install,
    tokenCommand(define, tokens, tokenFile),
    check.join(" && "),
  ];
}

function tokenCommand(define: string, tokens: string, tokenFile: string): string {
  return `sed -i "s|^@define ${define} .*|@define ${define} \\"$(cat ${tokenFile})\\"|" ${tokens}`;
}

/** Commands that give the transport a token that was replaced. */
export function rotationCommands(kind: SensorKind, tokenFile: string): string[] {
  const { define, tokens } = transportOf(kind);
  return [tokenCommand(define, tokens, tokenFile), "systemctl reload syslog-ng"];
}
