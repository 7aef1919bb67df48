// Groups alerts by device and signature family, and evaluates a group when enough has been added.
import { isReplyHalf } from "../kernel/attempt.ts";
import type { Detector } from "../kernel/detector.ts";
import { addUser, PREVALENCE } from "../kernel/prevalence.ts";
import { outsideKey } from "../kernel/peer.ts";
import { signatureFamily } from "./family.ts";
import { addAlert, isDueAlert, markAlertsEvaluated } from "./group.ts";
import { evaluateAlerts, SIGNATURE_ALERT } from "./score.ts";
import { ALERT_GROUPS } from "./state.ts";

export const SIGNATURE_DETECTOR: Detector = {
  info: SIGNATURE_ALERT,
  states: [ALERT_GROUPS],
  feeds: ["alert"],
  match({ observation, evidence, src, dst, site, deviceCount }, states) {
    const { facts } = observation;
    if (facts?.type !== "alert") return null;
    // The source if it is a device, else the target.
    const deviceId = src.deviceId ?? dst.deviceId;
    const outbound = src.deviceId !== null;
    const subject = deviceId ?? (dst.internal ? dst.ip : outsideKey(dst.ip));
    const family = signatureFamily(facts);
    // Noise is never reported, so it needs no state.
    if (family.theme === "noise") return null;
    const group = states(ALERT_GROUPS, `${subject}\n${family.key}`);
    const users = facts.signatureId === null
      ? null
      : states(PREVALENCE, `sid ${facts.gid ?? 1}:${facts.signatureId}`);
    return () => {
      if (users !== null && addUser(users.state, subject, observation.start)) users.save(users.state);
      const state = addAlert(group.state, {
        facts,
        at: observation.observedAt,
        peerIp: outbound ? dst.ip : src.ip,
        // Older sensors do not record the originator: traffic from a service port to a client port is a reply.
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
