import type { Fault } from "../../../config/yaml/faults.ts";
import type { ListReport } from "../../../domain/intel/indicator.ts";
import { IntelSet } from "../../../domain/intel/intel-set.ts";
import type { IntelAnswer, IntelRequest } from "./intel-worker.ts";

export interface LoadedIntel {
  set: IntelSet;
  /** One report per list that was read, by name, with its unusable lines. */
  lists: readonly ListReport[];
  /** Unreadable files. */
  faults: readonly Fault[];
}

/** Reads all lists of `<configDir>/intel` in a worker. Rejects only if the worker itself fails. */
export async function loadIntel(configDir: string): Promise<LoadedIntel> {
  const file = import.meta.url.endsWith(".ts") ? "./intel-worker.ts" : "./intel-worker.js";
  const worker = new Worker(new URL(file, import.meta.url), { type: "module" });
  try {
    const { data, lists, faults } = await new Promise<IntelAnswer>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<IntelAnswer>) => resolve(data);
      worker.onerror = (event) => {
        event.preventDefault();
        reject(new Error(`cannot load the threat intelligence lists: ${event.message}`));
      };
      worker.postMessage({ configDir } satisfies IntelRequest);
    });
    return { set: new IntelSet(data), lists, faults };
  } finally {
    worker.terminate();
  }
}
