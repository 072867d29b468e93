import type { Grid } from '../../geo/index.ts';
import type { GeoreferencedGrid } from '../../proj/index.ts';
import type { Kernels } from '../kernels.ts';
import type { PixelWindow, ResampleMethod } from '../plan-warp.ts';
import { planWarp } from '../plan-warp.ts';
import type { Raster, WarpRequest } from '../warp.ts';
import { warp } from '../warp.ts';

/** A whole image in memory, for tests. */
export interface SceneFixture {
  readonly grid: GeoreferencedGrid;
  readonly bands: readonly Float32Array[];
  readonly mask: Uint8Array | null;
}

/** Two bands of noisy whole numbers; `holes` is the share of missing pixels, which hold NaN. */
export function makeSceneFixture(grid: GeoreferencedGrid, holes: number): SceneFixture {
  const length = grid.width * grid.height;
  // Numerical Recipes' linear congruential generator: the same scene in every run.
  let state = 12345;
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const mask = new Uint8Array(length).map(() => Number(random() >= holes));
  const bands = [0, 1].map(() =>
    new Float32Array(length).map((_, i) => (mask[i] === 1 ? Math.round(1 + 9999 * random()) : Number.NaN)),
  );
  return { grid, bands, mask: holes === 0 ? null : mask };
}

/** The part of a plane that a window covers. */
export function cutWindow<T extends Float32Array | Uint8Array>(
  plane: T,
  width: number,
  window: PixelWindow,
): T {
  const part = plane.slice(0, window.width * window.height) as T;
  for (let row = 0; row < window.height; row++) {
    const first = (window.y + row) * width + window.x;
    part.set(plane.subarray(first, first + window.width), row * window.width);
  }
  return part;
}

/** Plans a warp of the fixture and reads the planned window; null when they do not overlap. */
export function requestFor(scene: SceneFixture, target: Grid, method: ResampleMethod): WarpRequest | null {
  const plan = planWarp({ target, source: { ...scene.grid, overviews: [] }, method });
  if (plan === null) return null;
  const cut = <T extends Float32Array | Uint8Array>(plane: T): T =>
    cutWindow(plane, scene.grid.width, plan.window);
  return { target, plan, bands: scene.bands.map(cut), mask: scene.mask && cut(scene.mask) };
}

/** Plan, read and warp in one call; a target outside the scene is all masked. */
export function warpFixture(
  kernels: Kernels,
  scene: SceneFixture,
  target: Grid,
  method: ResampleMethod,
): Raster {
  const request = requestFor(scene, target, method);
  if (request !== null) return warp(kernels, request);
  const length = target.width * target.height;
  return {
    ...target,
    bands: scene.bands.map(() => new Float32Array(length)),
    mask: new Uint8Array(length),
  };
}
