export interface Counts {
  passed: number;
  failed: number;
  /** The name of each skipped test. */
  skipped: string[];
}

export interface TestTime {
  name: string;
  seconds: number;
}

/**
 * Counts the tests in a report of `deno test --junit-path`. The report lists the steps of a test as tests of their own,
 * named `test > step`; here they count as part of their test, except that a skipped step is named.
 */
export function countTests(report: string): Counts {
  const counts: Counts = { passed: 0, failed: 0, skipped: [] };
  for (const { name, body, isStep } of casesOf(report)) {
    if (body.startsWith("<skipped")) counts.skipped.push(name);
    else if (isStep) continue;
    else if (body === "") counts.passed++;
    else counts.failed++;
  }
  return counts;
}

/** The duration of each test in a report; steps are part of their test. */
export function testTimes(report: string): TestTime[] {
  return casesOf(report).filter(({ isStep }) => !isStep).map(({ name, seconds }) => ({ name, seconds }));
}

export interface Failure {
  name: string;
  /** The error and where it arose. */
  text: string;
}

/** Each failed test or step, except tests that failed only because of their steps. */
export function failuresIn(report: string): Failure[] {
  return casesOf(report).flatMap(({ name, body }) => {
    const [, message, text] = /^<(?:failure|error) message="([^"]*)"(?:\/>|>([\s\S]*?)<\/)/.exec(body) ?? [];
    if (message === undefined || /^\d+ test steps? failed/.test(message)) return [];
    return [{ name, text: unescape(text || message).trim() }];
  });
}

interface TestCase extends TestTime {
  body: string;
  isStep: boolean;
}

function casesOf(report: string): TestCase[] {
  const found: TestCase[] = [];
  for (const [, suite] of report.matchAll(/<testsuite [^>]*>([\s\S]*?)<\/testsuite>/g)) {
    const cases = [...suite!.matchAll(/<testcase name="([^"]*)"([^>]*)>([\s\S]*?)<\/testcase>/g)]
      .map(([, name, attributes, body]) => ({
        name: unescape(name!),
        seconds: Number(/ time="([\d.]+)"/.exec(attributes!)?.[1] ?? 0),
        body: body!.trim(),
      }));
    const names = new Set(cases.map(({ name }) => name));
    found.push(...cases.map((one) => ({ ...one, isStep: isStep(one.name, names) })));
  }
  return found;
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
