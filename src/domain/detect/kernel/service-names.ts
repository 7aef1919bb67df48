// Names of services by their port.

const NAMES: ReadonlyMap<number, string> = new Map([
  [21, "FTP"],
  [22, "SSH"],
  [23, "Telnet"],
  [25, "SMTP"],
  [53, "DNS"],
  [80, "HTTP"],
  [88, "Kerberos"],
  [110, "POP3"],
  [111, "RPC"],
  [135, "Windows RPC"],
  [139, "NetBIOS"],
  [143, "IMAP"],
  [161, "SNMP"],
  [389, "LDAP"],
  [443, "HTTPS"],
  [445, "SMB"],
  [465, "SMTP"],
  [502, "Modbus"],
  [587, "SMTP"],
  [623, "IPMI"],
  [1433, "SQL Server"],
  [1521, "Oracle"],
  [2049, "NFS"],
  [2323, "Telnet"],
  [2375, "Docker"],
  [3306, "MySQL"],
  [3389, "RDP"],
  [5060, "SIP"],
  [5432, "PostgreSQL"],
  [5555, "ADB"],
  [5900, "VNC"],
  [5985, "WinRM"],
  [5986, "WinRM"],
  [6379, "Redis"],
  [9100, "printing"],
  [9200, "Elasticsearch"],
  [11211, "memcached"],
  [27017, "MongoDB"],
]);

/** The usual name of the service at a port; null if it has no well-known name. */
function serviceName(port: number): string | null {
  return NAMES.get(port) ?? null;
}

/** `port 22 (SSH)`, `port 4711`. */
export function portLabel(port: number): string {
  const name = serviceName(port);
  return name === null ? `port ${port}` : `port ${port} (${name})`;
}
