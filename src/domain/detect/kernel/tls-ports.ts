// Ports on which TLS is expected.

/** Services over TLS from the first byte. 8443 and similar ports are usual for a second web server. */
const TLS = [
  261,
  443,
  465,
  563,
  636,
  853,
  989,
  990,
  992,
  993,
  994,
  995,
  2083,
  2087,
  2096,
  3269,
  4433,
  4443,
  5061,
];
const TLS_HIGH = [
  5223,
  5228,
  5229,
  5230,
  5349,
  5671,
  5986,
  6514,
  6697,
  7443,
  8243,
  8443,
  8531,
  8883,
  9443,
  10443,
];
/** Services that upgrade to TLS: mail, directory, chat, databases, remote desktop. */
const STARTTLS = [21, 25, 26, 110, 119, 143, 389, 587, 1433, 2525, 3268, 3306, 3389, 4190, 5222, 5269, 5432];

export const TLS_PORTS: ReadonlySet<number> = new Set([...TLS, ...TLS_HIGH, ...STARTTLS]);

/** Ports of mail servers, which commonly have untrusted certificates. */
export const MAIL_PORTS: ReadonlySet<number> = new Set([25, 26, 110, 143, 465, 587, 993, 995, 2525, 4190]);
