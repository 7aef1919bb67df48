import type { TreeFault } from "../../contract/filter/check.ts";
import type { TextFault } from "../../contract/filter/parser.ts";
import { ApiError } from "../../contract/request/errors.ts";

/** What is wrong with a filter's text: where, what was expected and what would be right. */
export function textFault(path: string, faults: readonly TextFault[]): ApiError {
  const { message, from, expected } = faults[0]!;
  return new ApiError("invalid_request", `${path}, position ${from + 1}: ${message}.${hint(expected)}`, {
    reason: "invalid_filter",
    issues: faults.map((fault) => ({
      path,
      message: fault.message,
      position: { from: fault.from, to: fault.to },
      expected: fault.expected,
      suggestion: fault.suggestion,
    })),
  });
}

/** What is wrong with a structured filter. */
export function treeFault(path: string, faults: readonly TreeFault[]): ApiError {
  const issues = faults.map((fault) => ({
    ...fault,
    path: fault.path === "" ? path : `${path}.${fault.path}`,
  }));
  const { path: at, message, expected } = issues[0]!;
  return new ApiError("invalid_request", `${at}: ${message}.${hint(expected)}`, {
    reason: "invalid_filter",
    issues,
  });
}

function hint(expected: readonly string[]): string {
  return expected.length === 0 ? "" : ` Expected ${expected.join(", ")}.`;
}
