// Determines the Zeek log of a file from its name: plain Zeek JSON has no tag.

// The logs of a standard Zeek installation and its common packages. Only a few are supported kinds; the
// others are listed so that `ndr replay *.log` can report "not a supported kind" instead of "unknown".
const LOGS = [
  "analyzer",
  "broker",
  "capture_loss",
  "cluster",
  "config",
  "conn",
  "conn_long",
  "dce_rpc",
  "dhcp",
  "dnp3",
  "dns",
  "dpd",
  "files",
  "ftp",
  "http",
  "intel",
  "irc",
  "kerberos",
  "known_certs",
  "known_hosts",
  "known_modbus",
  "known_services",
  "ldap",
  "ldap_search",
  "loaded_scripts",
  "modbus",
  "mqtt_connect",
  "mqtt_publish",
  "mqtt_subscribe",
  "mysql",
  "notice",
  "ntlm",
  "ntp",
  "ocsp",
  "packet_filter",
  "pe",
  "quic",
  "radius",
  "rdp",
  "reporter",
  "rfb",
  "sip",
  "smb_files",
  "smb_mapping",
  "smtp",
  "snmp",
  "socks",
  "software",
  "ssh",
  "ssl",
  "stats",
  "syslog",
  "telemetry",
  "traceroute",
  "tunnel",
  "weird",
  "websocket",
  "x509",
].sort((a, b) => b.length - a.length);

/**
 * `conn` for `conn.log`, `conn.ndjson.gz`, `zeek-conn.log`, `NASHUA_conn.log`, `conn_20200101.log` and
 * `conn.00:00:00-01:00:00.log.gz`; `null` if the name matches none or several.
 */
export function zeekLogOfFile(file: string): string | null {
  let name = file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1).toLowerCase();
  const found: string[] = [];
  // Longest first and removed once found: `smb_files` must not count as `files` too.
  for (const log of LOGS) {
    const at = new RegExp(`(?<![a-z0-9])${log}(?![a-z0-9])`);
    if (!at.test(name)) continue;
    found.push(log);
    name = name.replace(at, " ");
  }
  return found.length === 1 ? found[0]! : null;
}
