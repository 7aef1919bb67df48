// Other programs that setup needs. The program may start none: the launcher of the package does, if it started setup.

/** The launcher's list (debian/bin/ndr). */
export type ProgramRequest =
  | "check syslog-ng"
  | "check unbound"
  | `reload-or-restart ${"ndr-core" | "ndr-web"}`
  | `restart ${"ndr.target" | "syslog-ng" | "unbound" | "nfacctd" | "softflowd@ndr"}`;

/** Runs a program to its end. */
export type Programs = (request: ProgramRequest) => Promise<{ isDone: boolean; output: string }>;

/** Asks the launcher that waits at the pipes in this folder. */
export function launcherPrograms(folder: string): Programs {
  return async (request) => {
    await Deno.writeTextFile(`${folder}/ask`, `${request}\n`, { create: false });
    const [status, ...output] = (await Deno.readTextFile(`${folder}/answer`)).split("\n");
    return { isDone: status === "0", output: output.join("\n").trim() };
  };
}

/** The command for a person. */
export function commandOf(request: ProgramRequest): string {
  if (request === "check syslog-ng") return "syslog-ng --syntax-only";
  if (request === "check unbound") return "unbound-checkconf";
  const enabled = request === "restart softflowd@ndr" ? "systemctl enable softflowd@ndr && " : "";
  return `${enabled}systemctl ${request}`;
}

/**
 * What makes changed files take effect: checks first, then restarts.
 *
 * @param needsStart The services use the changes of their configuration from their next start only.
 */
export function requestsFor(
  paths: readonly string[],
  configDir: string,
  needsStart: boolean,
): ProgramRequest[] {
  const touches = (...starts: string[]) =>
    paths.some((path) => starts.some((start) => path.startsWith(start)));
  const reloads = (service: "ndr-core" | "ndr-web", ...names: string[]) =>
    !needsStart && touches(...names.map((name) => `${configDir}/${name}`)) &&
    `reload-or-restart ${service}` as const;
  const requests: (ProgramRequest | false)[] = [
    touches("/etc/syslog-ng/") && "check syslog-ng",
    touches("/etc/unbound/") && "check unbound",
    needsStart && touches(`${configDir}/`) && "restart ndr.target",
    reloads("ndr-core", "ndr.env", "sources.yaml", "sites.yaml"),
    reloads("ndr-web", "access.yaml", "sites.yaml"),
    touches("/etc/syslog-ng/") && "restart syslog-ng",
    touches("/etc/unbound/") && "restart unbound",
    touches("/etc/pmacct/", "/etc/default/nfacctd") && "restart nfacctd",
    touches("/etc/softflowd/") && "restart softflowd@ndr",
  ];
  return requests.filter((request) => request !== false);
}
