export interface Counts {
  passed: number;
  failed: number;
  /** Names of the skipped tests. */
  skipped: string[];
}

/**
 * Counts the tests in a report from `deno test --junit-path`. The report lists steps as separate tests named
 * `test > step`; here they count as part of their test, and only skipped steps are reported separately.
 */
export function countTests(report: string): Counts {
  const counts: Counts = { passed: 0, failed: 0, skipped: [] };
  for (const [, suite] of report.matchAll(/<testsuite [^>]*>([\s\S]*?)<\/testsuite>/g)) {
    const cases = [...suite!.matchAll(/<testcase name="([^"]*)"[^>]*>([\s\S]*?)<\/testcase>/g)]
      .map(([, name, body]) => ({ name: unescape(name!), body: body!.trim() }));
    const names = new Set(cases.map(({ name }) => name));
    for (const { name, body } of cases) {
      if (body.startsWith("<skipped")) counts.skipped.push(name);
      else if (isStep(name, names)) continue;
      else if (body === "") counts.passed++;
      else counts.failed++;
    }
  }
  return counts;
}

function isStep(name: string, names: Set<string>): boolean {
  for (let at = name.indexOf(" > "); at > 0; at = name.indexOf(" > ", at + 1)) {
    if (names.has(name.slice(0, at))) return true;
  }
  return false;
}

const ENTITIES: Record<string, string> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&apos;": "'",
  "&amp;": "&",
};

function unescape(text: string): string {
  return text.replace(/&(?:lt|gt|quot|apos|amp);/g, (entity) => ENTITIES[entity]!);
}
