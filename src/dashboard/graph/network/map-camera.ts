/// <reference lib="dom" />
// Which part of the map the view shows.
import type { UndirectedGraph } from "graphology";
import type Sigma from "sigma";
import type { Point } from "./layout.ts";
import { legendWidth } from "./map-covers.ts";
import { frameOf, isWithin, MARGIN, viewOf } from "./map-frame.ts";

const ZOOM_STEP = 1.4;
const [NEAREST, FARTHEST] = [0.04, 4];
const MILLISECONDS = 200;

/** A node on the screen, in pixels of the container. */
interface PlaceOnScreen extends Point {
  radius: number;
}

export class MapCamera {
  constructor(
    private readonly sigma: Sigma,
    private readonly graph: UndirectedGraph,
    private readonly container: HTMLElement,
  ) {}

  /** Fits the whole map into the view. */
  fit(animate = true): void {
    const points = this.graph.nodes().map((id) => ({
      x: Number(this.graph.getNodeAttribute(id, "x")),
      y: Number(this.graph.getNodeAttribute(id, "y")),
    }));
    if (points.length === 0) return;
    const box = frameOf(points, this.sigma.getDimensions().width, legendWidth(this.container));
    // A fixed frame: newcomers outside do not shift what is on the screen.
    this.sigma.setCustomBBox(box);
    this.sigma.refresh();
    this.#move({ x: 0.5, y: 0.5, ratio: 1, angle: 0 }, animate);
  }

  /**
   * Makes nodes that were added visible. A view of the whole map stays one. Another view moves only if a person asked
   * for the nodes: it then shows all of them, at its own zoom if they have room.
   */
  showAdded(ids: readonly string[], asked: boolean): void {
    const { width, height } = this.sigma.getDimensions();
    const places = ids.flatMap((id) => this.placeOf(id) ?? []);
    if (places.every((place) => isWithin(place, width, height, place.radius))) return;
    if (this.showsWhole) return this.fit();
    if (!asked) return;
    const { x, y, scale } = viewOf(places, width, height);
    const camera = this.sigma.getCamera();
    const ratio = Math.min(FARTHEST, camera.ratio * Math.max(1, scale));
    this.#move({ ...this.sigma.viewportToFramedGraph({ x, y }), ratio }, true);
  }

  zoom(direction: 1 | -1): void {
    const ratio = this.sigma.getCamera().ratio * (direction === 1 ? 1 / ZOOM_STEP : ZOOM_STEP);
    this.#move({ ratio: Math.min(FARTHEST, Math.max(NEAREST, ratio)) }, true);
  }

  /** Moves the view so that the node is visible. */
  reveal(id: string): void {
    const place = this.placeOf(id);
    const data = this.sigma.getNodeDisplayData(id);
    if (place === null || data === undefined) return;
    const { width, height } = this.sigma.getDimensions();
    if (!isWithin(place, width, height)) this.#move({ x: data.x, y: data.y }, true);
  }

  /** After a change of the size: a view of the whole map stays one, another view stays as it is. */
  resize(): void {
    this.sigma.resize(true);
    if (this.showsWhole) this.fit(false);
    else this.sigma.refresh();
  }

  /** Centres the view on a point of the frame. */
  lookAt(x: number, y: number): void {
    this.#move({ x, y: 1 - y }, false);
  }

  get showsWhole(): boolean {
    const { x, y, ratio } = this.sigma.getCamera().getState();
    return Math.abs(x - 0.5) < 0.01 && Math.abs(y - 0.5) < 0.01 && Math.abs(ratio - 1) < 0.01;
  }

  /** Where a node is drawn; null if it is not. */
  placeOf(id: string): PlaceOnScreen | null {
    const data = this.sigma.getNodeDisplayData(id);
    if (data === undefined) return null;
    return { ...this.sigma.framedGraphToViewport(data), radius: this.sigma.scaleSize(data.size) };
  }

  /** Whether a node at this place may be seen. */
  isNear({ x, y }: Point): boolean {
    const { width, height } = this.sigma.getDimensions();
    return isWithin({ x, y }, width, height, -MARGIN);
  }

  #move(to: { x?: number; y?: number; ratio?: number; angle?: number }, animate: boolean): void {
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const camera = this.sigma.getCamera();
    if (animate && !calm) void camera.animate(to, { duration: MILLISECONDS });
    else camera.setState({ ...camera.getState(), ...to });
  }
}
