import assert from "node:assert/strict";
import { countTests } from "./junit.ts";

const REPORT = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="deno test" tests="8" failures="2" errors="1" time="0.035">
    <testsuite name="./a_test.ts" tests="6" disabled="2" errors="0" failures="2">
        <testcase name="adds" classname="./a_test.ts" time="0.012" line="1" col="6">
        </testcase>
        <testcase name="a &gt; b is &quot;text&quot;, no step" classname="./a_test.ts" time="0.012" line="1" col="6">
        </testcase>
        <testcase name="walks" classname="./a_test.ts" time="0.003" line="9" col="6">
            <failure message="1 test step failed">1 test step failed.</failure>
        </testcase>
        <testcase name="on ARM &amp; MIPS" classname="./a_test.ts" time="0.000" line="10" col="11">
            <skipped/>
        </testcase>
        <testcase name="walks &gt; left" classname="./a_test.ts" time="0.000" line="9" col="39">
        </testcase>
        <testcase name="walks &gt; right" classname="./a_test.ts" time="0.001" line="9" col="70">
            <failure message="Uncaught Error: &lt;testcase name=&quot;x&quot;&gt;">Error: bad</failure>
        </testcase>
        <testcase name="walks &gt; back" classname="./a_test.ts" time="0.000" line="9" col="39">
            <skipped/>
        </testcase>
    </testsuite>
    <testsuite name="./b_test.ts" tests="2" disabled="0" errors="1" failures="0">
        <testcase name="walks &gt; left" classname="./b_test.ts" time="0.018" line="1" col="6">
        </testcase>
        <testcase name="waits" classname="./b_test.ts" time="0.000" line="1" col="72">
            <error message="Cancelled"/>
        </testcase>
    </testsuite>
</testsuites>
`;

Deno.test("a report is counted by test, not by step, and names the skipped tests", () => {
  assert.deepEqual(countTests(REPORT), {
    passed: 3,
    failed: 2,
    skipped: ["on ARM & MIPS", "walks > back"],
  });
});
