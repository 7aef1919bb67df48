import assert from "node:assert/strict";
import { countTests, failuresIn, testTimes } from "./junit.ts";

const REPORT = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="deno test" tests="8" failures="2" errors="1" time="0.035">
    <testsuite name="./a_test.ts" tests="6" disabled="2" errors="0" failures="2">
        <testcase name="adds" classname="./a_test.ts" time="0.012" line="1" col="6">
        </testcase>
        <testcase name="a &gt; b is &quot;text&quot;, no step" classname="./a_test.ts" time="0.012" line="1" col="6">
        </testcase>
        <testcase name="pages" classname="./a_test.ts" time="0.003" line="9" col="6">
            <failure message="1 test step failed">1 test step failed.</failure>
        </testcase>
        <testcase name="on ARM &amp; MIPS" classname="./a_test.ts" time="0.000" line="10" col="11">
            <skipped/>
        </testcase>
        <testcase name="pages &gt; left" classname="./a_test.ts" time="0.000" line="9" col="39">
        </testcase>
        <testcase name="pages &gt; right" classname="./a_test.ts" time="0.001" line="9" col="70">
            <failure message="Uncaught Error: &lt;testcase name=&quot;x&quot;&gt;">Error: bad</failure>
        </testcase>
        <testcase name="pages &gt; back" classname="./a_test.ts" time="0.000" line="9" col="39">
            <skipped/>
        </testcase>
    </testsuite>
    <testsuite name="./b_test.ts" tests="2" disabled="0" errors="1" failures="0">
        <testcase name="pages &gt; left" classname="./b_test.ts" time="0.018" line="1" col="6">
        </testcase>
        <testcase name="waits" classname="./b_test.ts" time="0.000" line="1" col="72">
            <error message="Cancelled"/>
        </testcase>
    </testsuite>
</testsuites>
`;

Deno.test("counts tests without their steps, and names skipped tests and steps", () => {
  assert.deepEqual(countTests(REPORT), {
    passed: 3,
    failed: 2,
    skipped: ["on ARM & MIPS", "pages > back"],
  });
});

Deno.test("reads the duration of each test", () => {
  assert.deepEqual(testTimes(REPORT).map(({ seconds }) => seconds), [0.012, 0.012, 0.003, 0, 0.018, 0]);
  assert.equal(testTimes(REPORT)[1]!.name, 'a > b is "text", no step');
});

Deno.test("reads why tests and steps failed, and no test whose steps failed", () => {
  assert.deepEqual(failuresIn(REPORT), [
    { name: "pages > right", text: "Error: bad" },
    { name: "waits", text: "Cancelled" },
  ]);
});
