// Whether the services can read the configuration, and no other account its secrets. The check uses owner and mode, so
// its result does not depend on the caller.

import type { ConfigInput } from "../../config/yaml/input.ts";
import type { Check } from "./finding.ts";

/** A user of a service. */
export interface ServiceUser {
  name: string;
  uid: number;
  gid: number;
}

export interface Installed {
  input: ConfigInput;
  configDir: string;
  /** Of ndr core. */
  user: ServiceUser;
  /** Whether ndr-web has a user of its own, whose only right is the group of `user`. */
  ownWebUser: boolean;
}

interface Readable {
  path: string;
  isSecret: boolean;
  byWeb: boolean;
}

/** Variables whose files only the core reads; systemd gives ndr-web the service key. */
const CORE_SECRETS = ["NDR_SERVICE_KEY_FILE", "NDR_DATABASE_URL_FILE"];
const WEB_SECRETS = ["NDR_OIDC_CLIENT_SECRET_FILE", "NDR_METRICS_TOKEN_FILE"];
const FILES = [
  "sources.yaml",
  "inventory.yaml",
  "response.yaml",
  "connectors.yaml",
  "analyst.yaml",
  "license.jwt",
];
const WEB_FILES = ["access.yaml", "sites.yaml"];

/** `secrets`: further files that only the core reads, such as tokens and keys. */
export function checkPermissions(check: Check, installed: Installed, secrets: readonly string[]): void {
  const { input, configDir, user, ownWebUser } = installed;
  const named = (names: readonly string[]) => names.flatMap((name) => input.env(name) || []);
  const files: Readable[] = [
    { path: `${configDir}/ndr.env`, isSecret: true, byWeb: false },
    ...[...named(CORE_SECRETS), ...secrets].map((path) => ({ path, isSecret: true, byWeb: false })),
    ...named(WEB_SECRETS).map((path) => ({ path, isSecret: true, byWeb: ownWebUser })),
    ...FILES.map((name) => ({ path: `${configDir}/${name}`, isSecret: false, byWeb: false })),
    ...WEB_FILES.map((name) => ({ path: `${configDir}/${name}`, isSecret: false, byWeb: ownWebUser })),
  ];
  const before = check.findings.length;
  let count = 0;
  for (const file of new Map(files.map((one) => [one.path, one])).values()) {
    const info = infoOf(file.path);
    // The check of the configuration reports a missing file that is needed.
    if (info === "missing") continue;
    if (info === "hidden") {
      check.skip(`${file.path} cannot be looked at: run this as root or as ${user.name}`);
    } else {
      count++;
      checkMode(check, file, info.mode ?? 0);
      checkReaders(check, file, user);
    }
  }
  if (check.findings.length === before) {
    check.pass(`${count} files: the services can read them, and no other account the secrets`);
  }
}

function checkMode(check: Check, { path, isSecret }: Readable, mode: number): void {
  if (isSecret && (mode & 0o007) !== 0) {
    check.fail(`${path} is a secret that every user of this machine may use`, `chmod o= ${path}`);
  } else if ((mode & 0o002) !== 0) {
    check.fail(`${path} may be changed by every user of this machine`, `chmod o-w ${path}`);
  }
}

function checkReaders(check: Check, { path, isSecret, byWeb }: Readable, user: ServiceUser): void {
  if (!mayRead(path, user)) {
    check.fail(
      `${path} cannot be read by ${user.name}, the user of ndr-core`,
      isSecret && !byWeb
        ? `chown ${user.name}: ${path} && chmod 600 ${path}`
        : `chgrp ${user.gid} ${path} && chmod g+r ${path}`,
    );
  }
  if (byWeb && !mayRead(path, { uid: -1, gid: user.gid })) {
    check.fail(
      `${path} cannot be read by ndr-web, which has only the group of ${user.name}: the file or a folder above forbids it`,
      `install -g ${user.gid} -m 640 ${path} /etc/ndr/ # then name the copy in ndr.env`,
    );
  }
}

/** Whether a user may read a file: by its mode and owner, and those of the folders above. */
export function mayRead(path: string, user: Pick<ServiceUser, "uid" | "gid">): boolean {
  if (user.uid === 0) return true;
  const real = realPathOf(path);
  if (!allows(infoOf(real), user, 0o4)) return false;
  for (let folder = parentOf(real); folder !== ""; folder = parentOf(folder)) {
    if (!allows(infoOf(folder), user, 0o1)) return false;
  }
  return true;
}

/** The first class that applies decides, as in the kernel. */
function allows(
  info: ReturnType<typeof infoOf>,
  user: Pick<ServiceUser, "uid" | "gid">,
  right: number,
): boolean {
  if (typeof info === "string") return false;
  const shift = info.uid === user.uid ? 6 : info.gid === user.gid ? 3 : 0;
  return ((info.mode ?? 0) >> shift & right) !== 0;
}

function infoOf(path: string): Deno.FileInfo | "missing" | "hidden" {
  try {
    return Deno.statSync(path);
  } catch (error) {
    return error instanceof Deno.errors.NotFound ? "missing" : "hidden";
  }
}

function realPathOf(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    return path;
  }
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}
