// What intruders do with the devices that they control: look around, move on, guess, send away, disturb.

import { DOMAIN_CONTROLLER, FILE_SERVER, HOUR, STORAGE } from "../office/roster.ts";
import { LISTED } from "../office/machines.ts";
import { alertOf } from "../office/alerts.ts";
import { named } from "../traffic.ts";
import type { Attack, AttackContext } from "./attack.ts";
import { DISTURBANCE } from "./disturbance.ts";

const EXFILTRATION: readonly Attack[] = [
  {
    id: "slow-upload",
    text: "900 MB to a bare address in pieces of 20 MB, one about every ten minutes, for eight hours.",
    technique: "T1048",
    detectors: ["exfiltration"],
    peers: ["192.0.2.80"],
    write: ({ traffic, random, ip, midnight }) => {
      for (let i = 0; i < 45; i++) {
        const at = midnight + 9 * HOUR + i * 600 + random.between(0, 200);
        const bytes = random.logNormal(20e6, 0.2);
        traffic.exchange(ip, { ip: "192.0.2.80" }, {
          at,
          seconds: 60,
          out: bytes,
          in: 60_000,
          program: "rclone",
        });
      }
    },
  },
  {
    id: "archive-put",
    text: "A 7z archive of 60 MB put on a bare address over HTTP.",
    technique: "T1048.003",
    detectors: ["exfiltration", "tls-rarity", "unexpected-protocol"],
    peers: ["192.0.2.81"],
    write: ({ traffic, ip, midnight }) => {
      const http = [{
        method: "PUT",
        uri: "/in/archive.7z",
        agent: "curl/8.4.0",
        out: 60e6,
        in: 0,
        status: 201,
      }];
      const session = { at: midnight + 13 * HOUR, seconds: 40, out: 60e6, in: 9000 };
      traffic.exchange(ip, { ip: "192.0.2.81" }, { ...session, http });
    },
  },
];

const UNKNOWN_PROTOCOL: Attack = {
  id: "raw-upload",
  text: "40 MB to a bare address over a protocol that no sensor knows, in five minutes; 3 kB come back.",
  technique: "T1048",
  detectors: ["exfiltration"],
  peers: ["192.0.2.82"],
  write: ({ traffic, ip, midnight }) => {
    const flow = { at: midnight + 16 * HOUR, seconds: 300, src: ip, dst: "192.0.2.82", dport: 4455 };
    traffic.conn({ ...flow, out: 40e6, in: 3000, packets: [28_600, 70] });
  },
};

const REACH: readonly Attack[] = [
  {
    id: "sweep",
    text: "Port 445 of 254 addresses in two minutes, of which 20 answer.",
    technique: "T1046",
    detectors: ["scan"],
    write: ({ traffic, random, ip, midnight }) => {
      for (let i = 1; i < 255; i++) {
        attempt(traffic, ip, `10.20.1.${i}`, 445, midnight + 11 * HOUR + i * 0.5, random.chance(0.2));
      }
    },
  },
  {
    id: "slow-sweep",
    text: "Ports 22 and 3389 of 120 addresses, one about every two minutes, for eight hours.",
    technique: "T1046",
    detectors: ["scan"],
    write: ({ traffic, random, ip, midnight }) => {
      for (let i = 0; i < 240; i++) {
        const at = midnight + 9 * HOUR + i * 120 + random.between(0, 60);
        attempt(traffic, ip, `10.20.8.${1 + i % 120}`, i < 120 ? 22 : 3389, at, false);
      }
    },
  },
  {
    id: "port-scan",
    text: "44 ports of the file server in a minute, refused.",
    technique: "T1046",
    detectors: ["scan"],
    write: ({ traffic, ip, midnight }) => {
      for (let i = 0; i < 44; i++) {
        attempt(traffic, ip, FILE_SERVER, 1 + i * 97, midnight + 12 * HOUR + i, true);
      }
    },
  },
  {
    id: "refused-calls",
    text: "719 connections to port 4444 of a bare address, one every 0.5 s, all refused.",
    technique: "T1571",
    detectors: ["beacon", "scan"],
    peers: ["192.0.2.83"],
    write: ({ traffic, random, ip, midnight }) => {
      for (let i = 0; i < 719; i++) {
        attempt(
          traffic,
          ip,
          "192.0.2.83",
          4444,
          midnight + 15 * HOUR + i * 0.5 + random.between(0, 0.02),
          true,
        );
      }
    },
  },
  {
    id: "password-spray",
    text: "One password for 40 accounts of the file server over SMB, one every 30 s.",
    technique: "T1110.003",
    detectors: ["brute-force"],
    write: ({ traffic, ip, midnight }) => {
      for (let i = 0; i < 40; i++) {
        const flow = {
          at: midnight + 10 * HOUR + i * 30,
          src: ip,
          sport: traffic.port(),
          dst: FILE_SERVER,
          dport: 445,
        };
        traffic.conn({ ...flow, out: 1500, in: 1400, service: "gssapi,ntlm,smb" });
        traffic.eve("smb", flow, {
          dialect: "3.11",
          command: "SMB2_COMMAND_SESSION_SETUP",
          status: "STATUS_LOGON_FAILURE",
          ntlmssp: { user: `account${i}`, domain: "OFFICE" },
        });
      }
    },
  },
  {
    id: "kerberos-spray",
    text: "90 initial tickets refused within an hour, for as many accounts.",
    technique: "T1110.003",
    detectors: ["brute-force"],
    write: ({ traffic, ip, midnight }) => {
      for (let i = 0; i < 90; i++) {
        const at = midnight + 10 * HOUR + i * 38;
        kerberos(traffic, ip, at, {
          msg_type: "KRB_ERROR",
          error_code: i % 3 === 0 ? "KDC_ERR_C_PRINCIPAL_UNKNOWN" : "KDC_ERR_PREAUTH_FAILED",
          sname: "krbtgt/OFFICE.EXAMPLE",
        });
      }
    },
  },
  {
    id: "kerberoasting",
    text: "Tickets with RC4 for 25 services within ten minutes.",
    technique: "T1558.003",
    detectors: ["brute-force"],
    write: ({ traffic, ip, midnight }) => {
      for (let i = 0; i < 25; i++) {
        kerberos(traffic, ip, midnight + 11 * HOUR + i * 22, {
          msg_type: "KRB_TGS_REP",
          cname: "user99",
          sname: `MSSQLSvc/db${i}.office.example:1433`,
          encryption: "aes256-cts-hmac-sha1-96",
          weak_encryption: false,
          ticket_encryption: "rc4-hmac",
          ticket_weak_encryption: true,
        });
      }
    },
  },
  {
    id: "ssh-guessing",
    text: "80 passwords for the storage server over SSH in 40 minutes.",
    technique: "T1110.001",
    detectors: ["brute-force"],
    write: ({ traffic, ip, midnight }) => {
      for (let i = 0; i < 80; i++) {
        const flow = { at: midnight + 14 * HOUR + i * 30, seconds: 3, src: ip, dst: STORAGE, dport: 22 };
        traffic.ssh({ ...flow, out: 2400, in: 2900 }, { success: false });
      }
    },
  },
];

const MOVEMENT: readonly Attack[] = [
  {
    id: "psexec",
    text: "PsExec on a colleague's computer: its service program written over SMB, started, its pipes used.",
    technique: "T1021.002",
    detectors: ["lateral-movement"],
    write: ({ traffic, ip, midnight, roster }) => {
      const dst = roster.people.at(-1)!.ip;
      const flow = { at: midnight + 15 * HOUR, src: ip, sport: traffic.port(), dst, dport: 445 };
      traffic.conn({ ...flow, seconds: 300, out: 640_000, in: 90_000, service: "gssapi,smb" });
      traffic.conn({
        ...flow,
        at: flow.at + 3,
        sport: traffic.port(),
        dport: 135,
        out: 2200,
        in: 1900,
        service: "dce_rpc",
      });
      const create = (after: number, content: object) =>
        traffic.eve("smb", { ...flow, at: flow.at + after }, {
          dialect: "3.11",
          status: "STATUS_SUCCESS",
          ...content,
        });
      create(1, { command: "SMB2_COMMAND_TREE_CONNECT", share: `\\\\${dst}\\ADMIN$` });
      create(2, { command: "SMB2_COMMAND_CREATE", filename: "PSEXESVC.exe" });
      create(4, { command: "SMB2_COMMAND_CREATE", filename: "svcctl" });
      create(8, { command: "SMB2_COMMAND_CREATE", filename: "PSEXESVC-WORK-4711-stdin" });
    },
  },
  {
    id: "winrm-and-files",
    text: "Files, procedure calls and remote control of a colleague's computer within ten minutes.",
    technique: "T1021.006",
    detectors: ["lateral-movement"],
    write: ({ traffic, ip, midnight, roster }) => {
      const flow = { src: ip, dst: roster.people.at(-2)!.ip, at: midnight + 15 * HOUR };
      traffic.conn({ ...flow, dport: 445, seconds: 60, out: 5e6, in: 60_000, service: "gssapi,smb" });
      traffic.conn({ ...flow, at: flow.at + 80, dport: 135, out: 4000, in: 3000, service: "dce_rpc" });
      for (let i = 0; i < 4; i++) {
        traffic.conn({
          ...flow,
          at: flow.at + 120 + i * 60,
          dport: 5985,
          seconds: 40,
          out: 90_000,
          in: 40_000,
          service: "http",
        });
      }
    },
  },
];

const DIRECTORY: Attack = {
  id: "winrm-domain-controller",
  text: "A workstation controls the domain controller by WinRM: 13 connections, 1.2 MB out.",
  technique: "T1021.006",
  detectors: ["lateral-movement"],
  peers: [DOMAIN_CONTROLLER],
  write: ({ traffic, random, ip, midnight }) => {
    for (let i = 0; i < 13; i++) {
      const at = midnight + 14 * HOUR + i * 40 + random.between(0, 10);
      const flow = { at, seconds: 30, src: ip, dst: DOMAIN_CONTROLLER, dport: 5985, service: "http" };
      traffic.conn({ ...flow, out: 92_000, in: 30_000 });
    }
  },
};

const SIGNATURES: readonly Attack[] = [
  {
    id: "signature-control",
    text: "Twelve alerts about the command and control of a known family.",
    technique: "T1071.001",
    detectors: ["signature-alert"],
    peers: ["192.0.2.100"],
    write: ({ traffic, ip, midnight }) => {
      const rule = {
        sid: 2_035_000,
        text: "ET MALWARE AsyncRAT CnC Checkin",
        category: "Malware Command and Control Activity Detected",
        severity: 1,
      };
      for (let i = 0; i < 12; i++) {
        traffic.eve(
          "alert",
          { at: midnight + 10 * HOUR + i * 400, src: ip, dst: "192.0.2.100", dport: 6606 },
          alertOf(rule),
        );
      }
    },
  },
  {
    id: "signature-exploit",
    text: "Alerts about exploits that the device sends to three servers of the site.",
    technique: "T1210",
    detectors: ["signature-alert"],
    write: ({ traffic, ip, midnight }) => {
      const rule = {
        sid: 2_024_217,
        text: "ET EXPLOIT Possible ETERNALBLUE MS17-010 Heap Spray",
        category: "Attempted Administrator Privilege Gain",
        severity: 1,
      };
      for (const [index, dst] of [DOMAIN_CONTROLLER, FILE_SERVER, STORAGE].entries()) {
        for (let i = 0; i < 3; i++) {
          traffic.eve(
            "alert",
            { at: midnight + 12 * HOUR + index * 60 + i, src: ip, dst, dport: 445 },
            alertOf(rule),
          );
        }
      }
    },
  },
  {
    id: "heartbleed",
    text: "The device's web server returns more in a TLS heartbeat than was sent.",
    technique: "T1190",
    detectors: ["sensor-anomaly"],
    write: (context) => leak(context, "192.0.2.110", 5),
  },
  {
    id: "heartbleed-repeated",
    text: "The device's web server leaks memory in 200 TLS heartbeats.",
    technique: "T1190",
    detectors: ["sensor-anomaly"],
    write: (context) => leak(context, "192.0.2.111", 200),
  },
  {
    id: "listed-address",
    text: "Twenty TLS sessions to an address of the threat intelligence list, 2 MB sent.",
    technique: "T1071.001",
    detectors: ["threat-intel"],
    peers: ["192.0.2.120"],
    write: ({ traffic, random, ip, midnight }) => {
      for (let i = 0; i < 20; i++) {
        const at = midnight + 10 * HOUR + random.between(0, 6 * HOUR);
        traffic.exchange(ip, { ip: "192.0.2.120" }, { at, out: 100_000, in: 4000 });
      }
    },
  },
  {
    id: "listed-name",
    text: "A name of the threat intelligence list is looked up and contacted.",
    technique: "T1071.001",
    detectors: ["threat-intel"],
    peers: ["drop.listed-name.example"],
    write: ({ traffic, ip, midnight }) => {
      const host = named("drop.listed-name.example");
      for (let i = 0; i < 4; i++) {
        traffic.exchange(ip, host, { at: midnight + 10 * HOUR + i * 900, out: 3000, in: 2000 });
      }
    },
  },
];

/** The threat intelligence list of every generated capture. */
export const INDICATORS = `${LISTED.ip}\n${LISTED.name}\n`;

const DEVICES: readonly Attack[] = [
  {
    id: "camera-administers",
    text: "A camera logs on to three servers over SSH.",
    technique: "T1021.004",
    detectors: ["type-contradiction", "lateral-movement"],
    device: ({ cameras }) => cameras[0]!,
    write: ({ traffic, ip, midnight }) => {
      for (const [index, dst] of [STORAGE, FILE_SERVER, DOMAIN_CONTROLLER].entries()) {
        const flow = { at: midnight + (10 + index) * HOUR, seconds: 200, src: ip, dst, dport: 22 };
        traffic.ssh({ ...flow, out: 30_000, in: 60_000 }, { success: true });
      }
    },
  },
  {
    id: "printer-roams",
    text: "A printer contacts 150 hosts outside.",
    technique: "T1090",
    detectors: ["type-contradiction"],
    device: ({ printers }) => printers[0]!,
    write: ({ traffic, ip, midnight }) => {
      for (let i = 0; i < 150; i++) {
        const flow = { at: midnight + 10 * HOUR + i * 90, src: ip, dst: `198.19.30.${1 + i}`, dport: 443 };
        traffic.conn({ ...flow, out: 2000, in: 6000, service: "ssl" });
      }
    },
  },
];

/** Attacks that no baseline is needed for. */
export const ACTIONS: readonly Attack[] = [
  ...EXFILTRATION,
  UNKNOWN_PROTOCOL,
  ...REACH,
  ...MOVEMENT,
  DIRECTORY,
  ...DISTURBANCE,
  ...SIGNATURES,
  ...DEVICES,
];

function attempt(
  traffic: AttackContext["traffic"],
  src: string,
  dst: string,
  dport: number,
  at: number,
  refused: boolean,
): void {
  const [state, seconds] = refused ? ["REJ", 0.001] : ["S0", 3];
  traffic.conn({ at, seconds, src, dst, dport, out: 0, in: 0, state, packets: refused ? [1, 1] : [2, 0] });
}

function kerberos(traffic: AttackContext["traffic"], src: string, at: number, krb5: object): void {
  const flow = { at, src, sport: traffic.port(), dst: DOMAIN_CONTROLLER, dport: 88 };
  traffic.conn({ ...flow, out: 1500, in: 1600, service: "krb_tcp" });
  traffic.eve("krb5", flow, { realm: "OFFICE.EXAMPLE", ...krb5 });
}

function leak({ traffic, ip, midnight }: AttackContext, src: string, count: number): void {
  for (let i = 0; i < count; i++) {
    const at = midnight + 10 * HOUR + i * 7;
    traffic.eve("anomaly", { at, src, dst: ip, dport: 443 }, {
      type: "applayer",
      event: "DATALEAK_HEARTBEAT_MISMATCH",
      layer: "proto_parser",
      app_proto: "tls",
    });
  }
}
