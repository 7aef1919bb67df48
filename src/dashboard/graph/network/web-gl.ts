/// <reference lib="dom" />
/** Whether the browser can draw the map. */
export function hasWebGl(): boolean {
  try {
    const canvas = document.createElement("canvas");
    return (canvas.getContext("webgl2") ?? canvas.getContext("webgl")) !== null;
  } catch {
    return false;
  }
}
