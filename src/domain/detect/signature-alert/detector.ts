// Groups alerts by device and signature family, and judges a group when enough has been added.
import { isReplyHalf } from "../kernel/attempt.ts";
import type { Detector, StateType } from "../kernel/detector.ts";
import { addUser, PREVALENCE } from "../kernel/prevalence.ts";
import {
  addAlert,
  type AlertGroupState,
  emptyAlertGroup,
  evaluateAlerts,
  isDueAlert,
  markAlertsEvaluated,
  SIGNATURE_ALERT,
  signatureFamily,
} from "./score.ts";
import { decodeAlertGroup, encodeAlertGroup } from "./codec.ts";

/** Keys: `<device, or the target's address where no end is one>\n<family>`. */
export const ALERT_GROUPS: StateType<AlertGroupState> = {
  id: 35,
  name: "alert groups",
  keepDays: 30,
  empty: emptyAlertGroup,
  encode: encodeAlertGroup,
  decode: decodeAlertGroup,
  size: ({ signatures, peers, refs }) =>
    600 + 300 * signatures.length + 60 * peers.length + 220 * refs.length,
};

export const SIGNATURE_DETECTOR: Detector = {
  info: SIGNATURE_ALERT,
  states: [ALERT_GROUPS],
  feeds: ["alert"],
  match({ observation, evidence, src, dst, site, deviceCount }, need) {
    const { facts } = observation;
    if (facts?.type !== "alert") return null;
    // Its source where that is a device, else its target.
    const deviceId = src.deviceId ?? dst.deviceId;
    const outbound = src.deviceId !== null;
    const subject = deviceId ?? dst.ip;
    const family = signatureFamily(facts);
    // The sensor's remarks are never told, whatever their number.
    if (family.theme === "noise") return null;
    const group = need(ALERT_GROUPS, `${subject}\n${family.key}`);
    const users = facts.signatureId === null
      ? null
      : need(PREVALENCE, `sid ${facts.gid ?? 1}:${facts.signatureId}`);
    return () => {
      if (users !== null && addUser(users.state, subject, observation.start)) users.save(users.state);
      const state = addAlert(group.state, {
        facts,
        at: observation.observedAt,
        peerIp: outbound ? dst.ip : src.ip,
        // Older sensors do not say who began: from a service's port to a client's is an answer.
        port: isReplyHalf(src, dst) ? src.port : dst.port,
        outbound,
        users: users?.state.users.count ?? 1,
        evidenceId: evidence.evidenceId,
        flowId: evidence.flowId,
      });
      if (!isDueAlert(state)) {
        group.save(state);
        return null;
      }
      group.save(markAlertsEvaluated(state));
      const devices = [src.deviceId, dst.deviceId].filter((id) => id !== null);
      return evaluateAlerts(state, {
        deviceId,
        deviceName: deviceId === null ? subject : site.nameOf(deviceId),
        deviceIds: [...new Set(devices)],
        family,
        deviceCount,
      });
    };
  },
};
