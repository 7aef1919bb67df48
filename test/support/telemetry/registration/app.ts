import { type Context, Hono } from "hono";
import { Heartbeat } from "../../../../src/contract/telemetry/heartbeat.ts";
import {
  HEARTBEATS_PATH,
  type LicenseAnswer,
  Registration,
  REGISTRATIONS_PATH,
  type Release,
  UPDATES_PATH,
} from "../../../../src/contract/telemetry/registration.ts";
import { checkHeartbeat, violationText } from "../../../../src/domain/telemetry/heartbeat/check.ts";
import type { Violation } from "../../../../src/domain/telemetry/heartbeat/violation.ts";
import { checkRegistration } from "./checks.ts";
import type { ActiveLicense } from "./licenses.ts";
import type { Clock } from "../../../../src/kit/clock.ts";
import { readBody } from "../../../../src/kit/net/read-body.ts";
import { TokenBucket } from "../../../../src/kit/net/token-bucket.ts";
import { clientAddress } from "../../../../src/web/client-address.ts";
import {
  DOCUMENT_PATH,
  INSTALLATION_PATH,
  MAX_BODY_BYTES,
  type Refusal,
  REFUSALS,
  registrationDocument,
  ROUTES,
} from "./protocol.ts";
import type { RegistrationStore } from "./store.ts";

interface RegistrationParts {
  store: RegistrationStore;
  clock: Clock;
  /** ISO 3166-1 alpha-2 country of an address, null if unknown. */
  countryOf: (address: string) => string | null;
  /** The active licence with this hash of its key identifier; null if there is none. */
  licenseOf: (keyIdHash: string, now: number) => ActiveLicense | null;
  /** Null if none is known. */
  newestRelease: () => Release | null;
  /** Receives the server's own faults; they contain nothing from a request. */
  onFault: (error: unknown) => void;
}

/** Across all clients; each sends only a few requests a day. */
const RATE = { ratePerSecond: 200, burst: 2000 };
const DAY_SECONDS = 86_400;

class Refused extends Error {
  constructor(readonly code: Refusal, readonly detail?: string, readonly retryAfter?: number) {
    super(code);
  }
}

/**
 * The routes on top of a store. A client's address is used only for the country lookup; it is never stored or
 * logged.
 */
export function createRegistrationApp(parts: RegistrationParts): Hono {
  const { store, clock } = parts;
  const document = registrationDocument();
  const bucket = new TokenBucket({ ...RATE, now: () => clock.now() });
  const app = new Hono();

  app.use(async (_, next) => {
    const wait = bucket.take(1);
    if (wait > 0) throw new Refused("too_many_requests", undefined, Math.ceil(wait));
    await next();
  });

  app.post(REGISTRATIONS_PATH, async (c) => {
    const text = await jsonBody(c);
    assertSound(checkRegistration(text));
    const registration = Registration.parse(JSON.parse(text));
    const now = clock.now();
    const isNew = store.register(registration, now);
    const license = seatOf(parts, registration, now);
    return c.json(await answer(license, registration.install_id), isNew ? 201 : 200);
  });

  app.post(HEARTBEATS_PATH, async (c) => {
    const text = await jsonBody(c);
    assertSound(checkHeartbeat(text));
    const heartbeat = Heartbeat.parse(JSON.parse(text));
    const now = clock.now();
    const address = clientAddress(c, true);
    const country = address === null ? null : parts.countryOf(address);
    store.register(heartbeat, now);
    const license = seatOf(parts, heartbeat, now);
    const licenseActive = heartbeat.plan === "pro" ? license !== null : null;
    if (!store.addHeartbeat(text, heartbeat, { country, licenseActive, receivedAt: now })) {
      throw new Refused("too_many_requests", undefined, secondsToMidnight(now));
    }
    return c.json(await answer(license, heartbeat.install_id));
  });

  app.get(UPDATES_PATH, (c) => {
    const query = Object.entries(c.req.queries()).map((
      [name, values],
    ) => [name, values.length === 1 ? values[0] : values]);
    const { success } = ROUTES.newestRelease.request.query.safeParse(Object.fromEntries(query));
    if (!success) throw new Refused("invalid_request");
    const release = parts.newestRelease();
    if (release === null) throw new Refused("no_release");
    return c.json(release);
  });

  app.delete(INSTALLATION_PATH.replace("{install_id}", ":install_id"), (c) => {
    const { success, data } = ROUTES.forget.request.params.safeParse(c.req.param());
    if (!success) throw new Refused("invalid_request");
    store.forget(data.install_id);
    return c.body(null, 204);
  });

  app.get(DOCUMENT_PATH, (c) => c.body(document, 200, { "Content-Type": "application/json" }));

  const methods: [string, string][] = [
    [REGISTRATIONS_PATH, "POST"],
    [HEARTBEATS_PATH, "POST"],
    [UPDATES_PATH, "GET, HEAD"],
    [INSTALLATION_PATH.replace("{install_id}", ":install_id"), "DELETE"],
    [DOCUMENT_PATH, "GET, HEAD"],
  ];
  for (const [path, allow] of methods) {
    app.all(path, (c) => {
      c.header("Allow", allow);
      return refusal(c, new Refused("method_not_allowed"));
    });
  }
  app.notFound((c) => refusal(c, new Refused("not_found")));
  app.onError((error, c) => {
    if (error instanceof Refused) return refusal(c, error);
    parts.onFault(error);
    return refusal(c, new Refused("internal_error"));
  });
  return app;
}

function refusal(c: Context, { code, detail, retryAfter }: Refused): Response {
  const { status, message } = REFUSALS[code];
  if (retryAfter !== undefined) c.header("Retry-After", String(retryAfter));
  return c.json(
    { error: { code, message: detail === undefined ? message : `${message} ${detail}` } },
    status,
  );
}

/** The body text, limited in size. */
async function jsonBody(c: Context): Promise<string> {
  const type = (c.req.header("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
  if (type !== "application/json") throw new Refused("unsupported_type");
  const bytes = await readBody(c.req.raw, MAX_BODY_BYTES);
  if (bytes === null) throw new Refused("payload_too_large");
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Refused("invalid_request", "The payload: expected UTF-8.");
  }
}

function assertSound(violations: readonly Violation[]): void {
  if (violations.length === 0) return;
  // Violations never contain the offending value.
  throw new Refused("invalid_request", violations.slice(0, 5).map(violationText).join("; "));
}

async function answer(license: ActiveLicense | null, installId: string): Promise<LicenseAnswer> {
  return { license: await license?.tokenFor(installId) ?? null };
}

/** The licence of an installation that has one, with a bound seat. */
function seatOf(
  { store, licenseOf }: RegistrationParts,
  { install_id, plan, license_key_id_hash: hash }: Pick<
    Registration,
    "install_id" | "plan" | "license_key_id_hash"
  >,
  now: number,
): ActiveLicense | null {
  const license = plan === "pro" && hash !== null ? licenseOf(hash, now) : null;
  return license !== null && store.hasSeat(install_id, hash!, license.seats) ? license : null;
}

function secondsToMidnight(now: number): number {
  return DAY_SECONDS - Math.floor(now / 1e6) % DAY_SECONDS;
}
