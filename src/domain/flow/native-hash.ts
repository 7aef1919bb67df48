import { hash64, hash64After } from "../../kit/hash64.ts";

/**
 * The lower bits identify a flow within a tuple, the upper ones its sensor: 24 bits keep the chance that two
 * sensors of a tenant look like one below one in ten million.
 */
const ID_BITS = 40;
const SENSOR_SHIFT = BigInt(ID_BITS);

/**
 * Hashes a sensor's own flow ids. Exporters behind one sensor number their connections independently, so each
 * counts as a sensor.
 */
export function nativeHasher(sensorId: string, exporter: string | null): (nativeId: string) => bigint {
  const origin = exporter === null ? `${sensorId}\n` : `${sensorId}\n${exporter}\n`;
  const sensor = BigInt.asUintN(64 - ID_BITS, hash64(origin)) << SENSOR_SHIFT;
  const hash = hash64After(origin);
  return (nativeId) => BigInt.asIntN(64, sensor | BigInt.asUintN(ID_BITS, hash(nativeId)));
}

/** Whether both were made by the same sensor or exporter. */
export function isSameSensor(a: bigint, b: bigint): boolean {
  return a >> SENSOR_SHIFT === b >> SENSOR_SHIFT;
}
