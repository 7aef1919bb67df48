/// <reference lib="dom" />
import type { LayoutAnswer } from "./layout-worker.ts";
import type { LayoutRequest, Positions } from "./layout.ts";

let worker: Worker | null = null;
let count = 0;

/** Runs the layout in a module worker; a Blob worker would need a weaker Content-Security-Policy. */
export function layoutInWorker(
  request: LayoutRequest,
  onProgress: (share: number) => void,
): Promise<Positions> {
  worker ??= new Worker(new URL("./layout-worker.ts", import.meta.url), { type: "module" });
  const own = worker;
  const id = ++count;
  return new Promise((resolve, reject) => {
    const end = () => {
      own.removeEventListener("message", onMessage);
      own.removeEventListener("error", onError);
    };
    const onMessage = ({ data }: MessageEvent<LayoutAnswer>) => {
      if (data.id !== id) return;
      if ("share" in data) {
        onProgress(data.share);
        return;
      }
      end();
      resolve(new Map(data.positions));
    };
    const onError = (event: ErrorEvent) => {
      end();
      reject(new Error(`The layout failed: ${event.message}`));
    };
    own.addEventListener("message", onMessage);
    own.addEventListener("error", onError);
    own.postMessage({ id, request });
  });
}
