// Certificates for test receivers, valid and invalid, generated with openssl for one run.

import { createHash, X509Certificate } from "node:crypto";

/** Certificate and private key of a TLS server, PEM. */
export interface Credentials {
  cert: string;
  key: string;
  /** SHA-256 of the leaf certificate, lowercase hex: the value an instance may pin. */
  fingerprint: string;
}

export interface Authority {
  /** The CA certificate, PEM; clients must trust it to accept the certificates it issued. */
  cert: string;
  /**
   * Issues a leaf for one name: `localhost` or `IP:127.0.0.1`. `days`: validity from now; a negative value
   * means already expired.
   */
  issue(name: string, days?: number): Promise<Credentials>;
}

/** Tests that need certificates are skipped by name when openssl is missing. */
export const HAS_OPENSSL = await new Deno.Command("openssl", {
  args: ["version"],
  stdout: "null",
  stderr: "null",
})
  .output().then(({ success }) => success, () => false);

const KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];

/** A self-signed leaf; `name` as in `Authority.issue`. */
export function selfSigned(name: string): Promise<Credentials> {
  return inFolder(async (folder) => {
    await openssl(folder, [
      ...["req", "-x509", ...KEY, "-keyout", "leaf.key", "-out", "leaf.crt", "-days", "30"],
      ...["-subj", "/CN=receiver", "-addext", `subjectAltName=${alternativeName(name)}`],
    ]);
    return await credentials(folder);
  });
}

/** A certificate authority that no trust store contains by default. */
export function makeAuthority(): Promise<Authority> {
  return inFolder(async (folder) => {
    await openssl(folder, [
      ...["req", "-x509", ...KEY, "-keyout", "ca.key", "-out", "ca.crt", "-days", "30"],
      ...["-subj", "/CN=authority of a test", "-addext", "basicConstraints=critical,CA:TRUE"],
    ]);
    const [cert, key] = [
      await Deno.readTextFile(`${folder}/ca.crt`),
      await Deno.readTextFile(`${folder}/ca.key`),
    ];
    return { cert, issue: (name, days = 30) => issue({ cert, key }, name, days) };
  });
}

function issue(authority: { cert: string; key: string }, name: string, days: number): Promise<Credentials> {
  return inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/ca.crt`, authority.cert);
    await Deno.writeTextFile(`${folder}/ca.key`, authority.key);
    await Deno.writeTextFile(`${folder}/extensions`, `subjectAltName=${alternativeName(name)}\n`);
    await openssl(folder, [
      ...["req", ...KEY, "-keyout", "leaf.key", "-out", "leaf.csr", "-subj", "/CN=receiver"],
    ]);
    await openssl(folder, [
      ...["x509", "-req", "-in", "leaf.csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial"],
      ...["-out", "leaf.crt", "-days", String(days), "-extfile", "extensions"],
    ]);
    return await credentials(folder);
  });
}

function alternativeName(name: string): string {
  return name.startsWith("IP:") ? name : `DNS:${name}`;
}

async function credentials(folder: string): Promise<Credentials> {
  const [cert, key] = [
    await Deno.readTextFile(`${folder}/leaf.crt`),
    await Deno.readTextFile(`${folder}/leaf.key`),
  ];
  const fingerprint = createHash("sha256").update(new X509Certificate(cert).raw).digest("hex");
  return { cert, key, fingerprint };
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await Deno.makeTempDir({ prefix: "ndr-certificates-" });
  try {
    return await work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function openssl(cwd: string, args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command("openssl", { args, cwd, stderr: "piped" }).output();
  if (!success) throw new Error(`openssl ${args[0]}: ${new TextDecoder().decode(stderr)}`);
}
