// Groups alerts by device and signature family, and judges a group when enough has been added.
import type { Detector, Memory } from "./detector.ts";
import {
  addAlert,
  type AlertGroupState,
  decodeAlertGroup,
  emptyAlertGroup,
  evaluateAlerts,
  isDueAlert,
  markAlertsEvaluated,
  SIGNATURE_ALERT,
  signatureFamily,
} from "./signature-alert.ts";

/** Keys: `<device, or the target's address where no end is one>\n<family>`. */
export const ALERT_GROUPS: Memory<AlertGroupState> = {
  id: 4,
  name: "alert groups",
  keepDays: 30,
  empty: emptyAlertGroup,
  encode: (state) => new TextEncoder().encode(JSON.stringify(state)),
  decode: (bytes) => decodeAlertGroup(JSON.parse(new TextDecoder().decode(bytes))),
  weight: ({ signatures, peers, refs }) =>
    600 + 300 * signatures.length + 60 * peers.length + 220 * refs.length,
};

export const SIGNATURE_DETECTOR: Detector = {
  info: SIGNATURE_ALERT,
  feeds: ["alert"],
  attend({ observation, evidence, src, dst, site }, need) {
    const { facts } = observation;
    if (facts?.type !== "alert") return null;
    // Its source where that is a device, else its target.
    const deviceId = src.deviceId ?? dst.deviceId;
    const outbound = src.deviceId !== null;
    const subject = deviceId ?? dst.ip;
    const family = signatureFamily(facts);
    const group = need(ALERT_GROUPS, `${subject}\n${family.key}`);
    return () => {
      const state = addAlert(group.state, {
        facts,
        at: observation.observedAt,
        peerIp: outbound ? dst.ip : src.ip,
        outbound,
        evidenceId: evidence.evidenceId,
        flowId: evidence.flowId,
      });
      if (!isDueAlert(state)) {
        group.keep(state);
        return null;
      }
      group.keep(markAlertsEvaluated(state));
      const devices = [src.deviceId, dst.deviceId].filter((id) => id !== null);
      return evaluateAlerts(state, {
        deviceId,
        deviceName: deviceId === null ? subject : site.nameOf(deviceId),
        deviceIds: [...new Set(devices)],
        family,
      });
    };
  },
};
