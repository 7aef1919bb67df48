// The licence's files: the administrator's, which is only read, and two of the service's own in its state
// folder.

import { z } from "zod";
import { LICENSE_FILE, MAX_LICENSE_LENGTH } from "../contract/telemetry/license.ts";
import type { LicenseReadings } from "../domain/telemetry/license/choice.ts";
import type { LicenseReading } from "../domain/telemetry/license/license.ts";
import type { KnownTime } from "../domain/telemetry/license/time.ts";
import { messageOf } from "../kit/errors.ts";
import type { LicenseKeys } from "./license-keys.ts";
import { readLicense } from "./license-token.ts";

export interface LicensePlaces {
  configDir: string;
  stateDir: string;
}

/** The last answer of the registration server. */
export const RENEWED_FILE = "license-renewed.jwt";
/** The latest time that is known to have passed. */
export const TIME_FILE = "license-time.json";

export function licensePath({ configDir }: LicensePlaces): string {
  return `${configDir}/${LICENSE_FILE}`;
}

function renewedPath({ stateDir }: LicensePlaces): string {
  return `${stateDir}/${RENEWED_FILE}`;
}

function timePath({ stateDir }: LicensePlaces): string {
  return `${stateDir}/${TIME_FILE}`;
}

export async function readLicenses(places: LicensePlaces, keys: LicenseKeys): Promise<LicenseReadings> {
  return {
    file: await readLicenseFile(licensePath(places), keys),
    renewed: await readLicenseFile(renewedPath(places), keys),
  };
}

/** Null if there is no such file. Links are followed; pipes and folders are not opened. */
async function readLicenseFile(path: string, keys: LicenseKeys): Promise<LicenseReading | null> {
  const fault = (text: string): LicenseReading => ({ license: null, fault: text });
  try {
    const { isFile, size } = await Deno.stat(path);
    if (!isFile) return fault("is not a regular file");
    // Room for what an editor appends to the token.
    if (size > MAX_LICENSE_LENGTH + 2) return fault(`is longer than ${MAX_LICENSE_LENGTH} characters`);
    return await readLicense((await Deno.readTextFile(path)).trim(), keys);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    return fault(`cannot be read: ${messageOf(error)}`);
  }
}

/** @throws if the folder cannot be written */
export async function writeRenewed(places: LicensePlaces, token: string): Promise<void> {
  await replaceFile(places.stateDir, RENEWED_FILE, `${token}\n`);
}

/** Whole, up to the year 2255. */
const Micros = z.int().min(0);
const TimeFile = z.strictObject({
  issued_at: Micros,
  known_at: Micros,
  leap: z.strictObject({ at: Micros, lived: Micros }).nullable(),
});

/** Null if there is no usable file: the database has the same. */
export async function readTimeFile(places: LicensePlaces): Promise<KnownTime | null> {
  try {
    const { issued_at, known_at, leap } = TimeFile.parse(
      JSON.parse(await Deno.readTextFile(timePath(places))),
    );
    return { issuedAt: issued_at, knownAt: known_at, leap };
  } catch {
    return null;
  }
}

/** @throws if the folder cannot be written */
export async function writeTimeFile(
  places: LicensePlaces,
  { issuedAt, knownAt, leap }: KnownTime,
): Promise<void> {
  const whole: z.infer<typeof TimeFile> = {
    issued_at: Math.round(issuedAt),
    known_at: Math.round(knownAt),
    leap: leap === null ? null : { at: Math.round(leap.at), lived: Math.round(leap.lived) },
  };
  await replaceFile(places.stateDir, TIME_FILE, `${JSON.stringify(whole)}\n`);
}

/** Atomically, for the service only, and durable. */
async function replaceFile(directory: string, name: string, text: string): Promise<void> {
  const draft = `${directory}/.${name}.new`;
  // A leftover draft may have another mode.
  await Deno.remove(draft).catch(() => {});
  await Deno.writeTextFile(draft, text, { createNew: true, mode: 0o600 });
  await sync(draft);
  await Deno.rename(draft, `${directory}/${name}`);
  await sync(directory);
}

async function sync(path: string): Promise<void> {
  using file = await Deno.open(path);
  await file.sync();
}
