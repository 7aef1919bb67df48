// Attacks that reach for other hosts or send data out.
import {
  type AttackScenario,
  attempts,
  from,
  HOUR,
  http,
  kerberos,
  MB,
  MINUTE,
  RESOLVER,
  SERVER,
  smb,
  ssh,
  VICTIM,
} from "./attack-records.ts";
import { type Seen, times } from "./play-fixtures.ts";

export function reach(): AttackScenario[] {
  const hosts = (net: string, port: string) => (index: number) =>
    `${net}.${Math.floor(index / 200)}.${index % 200 + 20}${port}`;
  return [
    // Two dozen hosts in each hour, of which 15 are remarkable.
    { name: "a slow scan for SMB", models: ["scan"], seen: attempts(60, 150, hosts("10.1", " 445")) },
    {
      name: "a fast scan for SSH outside",
      models: ["scan"],
      seen: attempts(400, 20, hosts("198.51", " 22")),
    },
    {
      name: "a scan of ports",
      models: ["scan"],
      seen: attempts(120, 60, (index) => `${SERVER} ${index + 1}`),
    },
    {
      name: "a scan from outside",
      models: ["scan"],
      seen: attempts(400, 20, (index) => `10.0.0.${index % 40 + 20} ${index % 90 + 1}`, {
        src: "198.51.100.77 40000",
      }),
    },
    {
      name: "guessed passwords, then a success",
      models: ["brute-force"],
      seen: [
        ...times(
          240,
          (index) => ({ at: index * 30, src: from(index), dst: `${SERVER} 22`, facts: ssh(false) }),
        ),
        { at: 2 * HOUR + 10 * MINUTE, src: from(999), dst: `${SERVER} 22`, facts: ssh(true) },
      ],
    },
    {
      name: "one password for many accounts",
      models: ["brute-force"],
      seen: times(50, (index) => ({
        at: index * 170,
        src: from(index),
        dst: `${RESOLVER} 88`,
        facts: kerberos(`user${index}`),
      })),
    },
    {
      name: "spam",
      models: ["mass-mail"],
      seen: times(60, (index) => ({
        at: index * 150,
        src: from(index),
        dst: `198.51.100.${index + 1} 25`,
        out: [900, 12],
        in: [700, 10],
      })),
    },
    {
      name: "a flood of UDP",
      models: ["flood"],
      seen: times(900, (index) => ({
        at: index * 8,
        seconds: 8,
        src: from(index),
        dst: `198.51.100.9 ${1000 + index}`,
        proto: "udp",
        out: [4_000_000, 8000],
        in: [0, 0],
      })),
    },
  ];
}

/** PsExec, DCOM and WinRM on one host, spread over 50 minutes. */
const TAKEOVER: readonly (readonly [minute: number, port: number, out: number, back: number])[] = [
  [0, 5985, 24_430, 13_628],
  [9, 5985, 16_130, 6585],
  [19, 445, 4_261_160, 3871],
  [28, 445, 527_368, 1617],
  [41, 135, 4960, 4520],
  [50, 445, 193_627, 30_239],
];

export function administration(): AttackScenario[] {
  const takeover = TAKEOVER.map(([minute, port, out, back], index): Seen => ({
    at: minute * MINUTE,
    seconds: 5,
    src: from(index),
    dst: `${SERVER} ${port}`,
    out: [out, 40],
    in: [back, 40],
  }));
  return [
    { name: "control of a host", models: ["lateral-movement"], seen: takeover },
    {
      // The first session began the hour before: no hour may begin with whichever record arrives first.
      name: "control of a host between other sessions there",
      models: ["lateral-movement"],
      seen: [
        { at: -55 * MINUTE, src: from(99), dst: `${SERVER} 445`, out: [9000, 40], in: [9000, 40] },
        ...takeover,
        ...times(6, (index) => ({
          at: (62 + index * 7) * MINUTE,
          src: from(90 + index),
          dst: `${SERVER} 445`,
          out: [9000, 40] as const,
          in: [9000, 40] as const,
        })),
      ],
    },
    {
      name: "sessions with many hosts",
      models: ["lateral-movement"],
      seen: times(45, (index) => ({
        at: index * 3 * MINUTE,
        seconds: 4,
        src: from(index),
        dst: `10.0.3.${index + 1} 3389`,
        out: [40_000, 60],
        in: [50_000, 60],
      })),
    },
    {
      name: "PsExec by its names",
      models: ["lateral-movement"],
      seen: [
        smb({ share: "\\\\10.0.0.9\\ADMIN$" }),
        smb({ filename: "PSEXESVC.exe" }),
        smb({ namedPipe: "svcctl", filename: "svcctl" }),
        smb({ filename: "PSEXESVC-ws-5-4711-stdin" }),
      ].map((facts, index) => ({ at: index * 14 * MINUTE, src: from(1), dst: `${SERVER} 445`, facts })),
    },
    {
      name: "directory replication by a client",
      models: ["lateral-movement"],
      seen: [
        { at: 0, src: from(1), dst: `${SERVER} 389`, out: [900, 9], in: [4000, 9] },
        ...times(4, (index) => ({
          at: index * 5 * MINUTE,
          src: from(2),
          dst: `${SERVER} 445`,
          facts: smb({ filename: "lsass", rpcInterface: "drsuapi", rpcOperation: 3 }),
        })),
      ],
    },
    {
      name: "a printer that administers hosts",
      models: ["type-contradiction"],
      setting: { types: { [VICTIM]: "printer" } },
      seen: times(30, (index) => ({
        at: index * 5 * MINUTE,
        seconds: 4,
        src: from(index),
        dst: `10.0.1.${index + 1} 22`,
        out: [900, 9],
        in: [4000, 8],
      })),
    },
  ];
}

export function transfers(long: boolean): AttackScenario[] {
  const file = long ? `${"quarterly-figures-".repeat(12)}.7z` : "figures.7z";
  return [
    {
      name: "an upload in parts",
      models: ["exfiltration"],
      seen: times(20, (index) => ({
        at: index * 7 * MINUTE,
        seconds: 60,
        src: from(index),
        dst: `203.0.113.9 443`,
        out: [30 * MB, 22_000],
        in: [300_000, 9000],
      })),
    },
    {
      name: "an archive written to an address",
      models: ["exfiltration"],
      seen: times(12, (index) => ({
        at: index * 10 * MINUTE,
        src: from(index),
        dst: "203.0.113.9 80",
        facts: http({
          method: "PUT",
          host: "203.0.113.9",
          uri: `/${file}`,
          requestBytes: 2 * MB,
          responseBytes: 0,
        }),
      })),
    },
    {
      // As a sensor shows it that sees one direction only.
      name: "a download of no type, then a session held with the same address",
      models: ["unexpected-protocol"],
      seen: [
        {
          src: from(0),
          dst: "203.0.113.9 80",
          facts: http({
            host: "203.0.113.9",
            uri: "/a/x7",
            status: null,
            contentType: null,
            responseBytes: null,
          }),
        },
        { at: 40, seconds: 25 * MINUTE, src: from(1), dst: "203.0.113.9 5678", out: [900, 60], in: [0, 0] },
      ],
    },
    {
      name: "an hour with far more sent than usual",
      models: ["exfiltration"],
      before: times(60, (hour) => ({
        at: (hour - 60) * HOUR,
        dst: "198.51.100.1 443",
        out: [200_000 * (1 + hour * 7 % 5), 900],
        in: [900_000, 900],
      })),
      // T0 is 26 minutes after a full hour.
      seen: times(120, (index) => ({
        at: 35 * MINUTE + index * 25,
        src: from(index),
        dst: `198.51.100.${index % 60 + 1} 443`,
        out: [MB, 900],
        in: [MB, 900],
      })),
    },
  ];
}
