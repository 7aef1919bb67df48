import { chooseLicense } from "../domain/telemetry/license/choice.ts";
import { type LicenseStanding, licenseStanding } from "../domain/telemetry/license/standing.ts";
import { advance, firstKnown, withLicense } from "../domain/telemetry/license/time.ts";
import { readInstallId } from "./install-id.ts";
import { licensePath, type LicensePlaces, readLicenses, readTimeFile } from "./license-files.ts";
import type { LicenseKeys } from "./license-keys.ts";

/**
 * The licence state of this machine from its files: as the service sees it, except for what only the database
 * remembers. Opens no connection and writes nothing.
 *
 * @param clock microseconds
 */
export async function installedLicense(
  { places, keys, renews }: { places: LicensePlaces; keys: LicenseKeys; renews: boolean },
  clock: number,
): Promise<LicenseStanding> {
  // The service checks the owner: this may be another user.
  const { id } = await readInstallId({ directory: places.configDir, owner: null });
  const choice = chooseLicense(await readLicenses(places, keys), id);
  const { license } = choice;
  let known = null;
  if (license !== null) {
    known = await readTimeFile(places) ?? firstKnown(license.issuedAt, null);
    known = advance(withLicense(known, license.issuedAt, clock), clock, 0);
  }
  return licenseStanding({ choice, known, clock, path: licensePath(places), renews });
}
