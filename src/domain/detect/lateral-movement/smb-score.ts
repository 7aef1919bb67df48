// Scores running programs on another host over SMB. The names are evidence on their own and need no baseline.
import type { DetectorResult, SubScore } from "../kernel/result.ts";
import { extra, share } from "../kernel/score.ts";
import { plural } from "../../../kit/text.ts";
import type { LateralContext } from "./context.ts";
import { lateralResult } from "./score.ts";
import { toolName, TRAITS } from "./smb-names.ts";
import { type Execution, type ExecutionState, firstUseOf } from "./smb-state.ts";
import { describeExecution } from "./smb-text.ts";

/**
 * Points of each trait. An interface alone stays below the report score (20), because management consoles and
 * monitoring open them too. Installing a program as a service is `medium` (40) under any name; a known tool
 * with it is `high` (60), and never `critical` (80), because administrators use the same tools.
 */
const POINTS = {
  interface: 18,
  registry: 1,
  adminShare: 8,
  program: 10,
  /** A program file and the interface that starts it. */
  started: 12,
  tool: 22,
  console: 3,
  alert: 3,
} as const;
const MODIFIERS = { clientOnServer: 2, sourceIsServer: -12, usual: -15, administrator: -8 } as const;
/** The same use of a peer this long ago makes it usual. */
const USUAL_AFTER = 24 * 3_600_000_000;
/** A device that did so on this many hosts more than a day ago is an administrator's. */
const ADMINISTRATED_HOSTS = 8;

/** Null without an interface that starts programs, and without a known tool. */
export function evaluateExecution(
  use: Execution,
  state: ExecutionState,
  context: LateralContext,
): DetectorResult | null {
  const { traits, tool } = use;
  const has = (bit: number) => (traits & bit) !== 0;
  const starts = has(TRAITS.services | TRAITS.tasks);
  if (!starts && !has(TRAITS.tool)) return null;
  const installs = starts && has(TRAITS.program);
  const opened = [
    has(TRAITS.services) ? "service control manager (svcctl)" : "",
    has(TRAITS.tasks) ? "task scheduler (atsvc)" : "",
  ].filter((name) => name !== "").join(" and ");
  const name = tool === 0 ? null : toolName(tool - 1);
  const part = (key: string, on: boolean, points: number, yes: string, no: string) =>
    share(key, on ? 1 : 0, points, on ? yes : no);
  const subScores = [
    part("interface", starts, POINTS.interface, opened, "no interface that starts programs"),
    part("tool", name !== null, POINTS.tool, `names as ${name} uses them`, "no name of a known tool"),
    part("program", has(TRAITS.program), POINTS.program, "a program file was opened", "no program file"),
    part("started", installs, POINTS.started, "a program file and the interface that starts it", "not both"),
    part(
      "admin_share",
      has(TRAITS.adminShare),
      POINTS.adminShare,
      "an administrative share",
      "no such share",
    ),
    part("console", has(TRAITS.console), POINTS.console, "input and output of a program", "no console pipes"),
    part("registry", has(TRAITS.registry), POINTS.registry, "the remote registry (winreg)", "no registry"),
    part("alert", has(TRAITS.alert), POINTS.alert, "a sensor's rule reports the same", "no such alert"),
  ];
  const modifiers = modifiersOf(use, state, context);
  return lateralResult(use, context, {
    subScores,
    modifiers,
    technique: "T1021.002",
    groupKey: `${context.deviceId}|${context.peerIp}|smb`,
    texts: () => describeExecution(use, context, { name, installs, opened }),
    peer: context,
  });
}

function modifiersOf(use: Execution, state: ExecutionState, context: LateralContext): SubScore[] {
  const { sourceIsServer, peerIsServer, deviceName, peerName } = context;
  const found: SubScore[] = [];
  if (sourceIsServer) {
    found.push(extra("source_is_server", MODIFIERS.sourceIsServer, `${deviceName} is known to be a server`));
  } else if (peerIsServer) {
    const detail = `${deviceName} is not known to be a server, and ${peerName} is one`;
    found.push(extra("client_on_server", MODIFIERS.clientOnServer, detail));
  }
  if (use.last - firstUseOf(state, use.key, use.last) >= USUAL_AFTER) {
    found.push(extra("usual", MODIFIERS.usual, "the device did the same there more than a day before"));
  }
  const earlier = state.earlier.filter(({ since }) => use.last - since >= USUAL_AFTER).length;
  if (earlier >= ADMINISTRATED_HOSTS) {
    const detail = `the device did so on ${plural(earlier, "host")} more than a day before`;
    found.push(extra("administrator", MODIFIERS.administrator, detail));
  }
  return found;
}
