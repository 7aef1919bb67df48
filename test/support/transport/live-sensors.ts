// The sensors of live traffic with the shipped configurations, with every path moved into the test's folder.

import { programPath, runProgram } from "./transport-programs.ts";
import { replaceAll, SHIPPED } from "./transports.ts";

interface Resolver {
  dir: string;
  /** Listen address. */
  address: string;
  /** Allowed clients, such as `10.77.0.0/24`. */
  clients: string;
  /** Lines for its `server:` section, and further sections. */
  zones: string;
}

/** Unbound's configuration; it writes `unbound.log` in the folder. */
export async function unboundConfig({ dir, address, clients, zones }: Resolver): Promise<string> {
  const shipped = await Deno.readTextFile(`${SHIPPED}unbound/ndr-log.conf`);
  return `${replaceAll(shipped, { "/var/lib/unbound/ndr.log": `${dir}/unbound.log` })}
    interface: ${address}
    access-control: ${clients} allow
    chroot: ""
    username: ""
    directory: "${dir}"
    pidfile: "${dir}/unbound.pid"
${zones}
remote-control:
    control-enable: no
`;
}

/** nfacctd's configuration; it writes `flows.json` in the folder. */
export async function nfacctdConfig(dir: string): Promise<string> {
  return replaceAll(await Deno.readTextFile(`${SHIPPED}pmacct/nfacctd.conf`), {
    "daemonize: true": "daemonize: false",
    "syslog: daemon": `logfile: ${dir}/nfacctd.log`,
    "/run/nfacctd.pid": `${dir}/nfacctd.pid`,
    "/var/spool/ndr/netflow/flows.json": `${dir}/flows.json`,
    "print_refresh_time[ndr]: 5": "print_refresh_time[ndr]: 1",
  });
}

/** softflowd's arguments; it exports to nfacctd on the same host. */
export async function softflowdArguments(dir: string, device: string): Promise<string[]> {
  const options = /^options="(.*)"$/m.exec(await Deno.readTextFile(`${SHIPPED}softflowd/ndr.conf`));
  if (options === null) throw new Error("the shipped softflowd configuration has no options");
  const files = ["-i", device, "-d", "-p", `${dir}/softflowd.pid`, "-c", `${dir}/softflowd.ctl`];
  return [...files, ...options[1]!.split(" ")];
}

/** Makes softflowd export all active flows. */
export async function expireFlows(dir: string): Promise<void> {
  await runProgram(await programPath("softflowctl"), ["-c", `${dir}/softflowd.ctl`, "expire-all"]);
}
