// What commands on the appliance know about their installation.

import { installedInput } from "../config/installed-input.ts";
import { Faults } from "../config/yaml/faults.ts";
import { type ConfigInput, systemInput } from "../config/yaml/input.ts";
import { Variables } from "../config/variables.ts";

/** Whether `NDR_DATABASE_URL` is set, in the environment or in ndr.env. */
export function hasDatabaseUrl(input: ConfigInput = installedInput()): boolean {
  return new Variables(input, new Faults(), "ndr.env").hasSecret("NDR_DATABASE_URL");
}

/** `NDR_DATABASE_URL`. Throws if it is not set. */
export function databaseUrl(input: ConfigInput = systemInput): string {
  const faults = new Faults();
  // A value in the environment, in either form, takes precedence.
  const here = new Variables(input, faults, "ndr.env");
  const variables = here.hasSecret("NDR_DATABASE_URL")
    ? here
    : new Variables(installedInput(input), faults, "ndr.env");
  const url = variables.secret("NDR_DATABASE_URL");
  if (url === null && faults.list.length === 0) {
    variables.fault(
      "NDR_DATABASE_URL",
      "expected to be set in the environment or in ndr.env; run this as the service's user, for example with sudo -u ndr",
    );
  }
  faults.throwIfAny();
  return url!.reveal();
}
