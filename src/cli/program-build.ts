import type { Build } from "../config/build.ts";
import type { LicenseKeys } from "../telemetry/license-keys.ts";

/** Identity of this build, with the accepted issuers of licences. */
export interface ProgramBuild extends Build {
  licenseKeys: LicenseKeys;
}
