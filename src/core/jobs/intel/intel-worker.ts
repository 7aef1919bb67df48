/// <reference lib="deno.worker" />
// Loads all lists for one message. Parsing a million indicators takes seconds and more memory than the
// result; in a worker it neither delays ingest nor fragments the core's heap.

import { type Fault, Faults } from "../../../config/yaml/faults.ts";
import { readIntelFiles } from "../../../config/intel.ts";
import { compileIntel } from "../../../domain/intel/compile.ts";
import type { ListReport } from "../../../domain/intel/indicator.ts";
import { type IntelData, sharedData } from "../../../domain/intel/intel-set.ts";

export interface IntelRequest {
  configDir: string;
}

export interface IntelAnswer {
  data: IntelData;
  lists: ListReport[];
  faults: readonly Fault[];
}

self.onmessage = ({ data: { configDir } }: MessageEvent<IntelRequest>) => {
  const faults = new Faults();
  const { data, lists } = compileIntel(readIntelFiles(configDir, faults));
  self.postMessage({ data: sharedData(data), lists, faults: faults.list } satisfies IntelAnswer);
};
