import assert from "node:assert/strict";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { TimeTicks } from "./time-ticks.tsx";

Deno.test("time ticks: a label at the end of the axis is not cut", () => {
  const markup = renderToStaticMarkup(createElement(TimeTicks, {
    times: [10, 95],
    labels: ["20:00", "00:00\n26 Nov"],
    x: (time) => time,
    bottom: 50,
    width: 100,
  }));
  const anchors = [...markup.matchAll(/text-anchor="(\w+)">([^<]+)</g)].map((
    [, anchor, text],
  ) => [text, anchor]);
  assert.deepEqual(anchors, [["20:00", "middle"], ["00:00", "end"], ["26 Nov", "end"]]);
});
