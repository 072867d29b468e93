import type { Tile } from '../../src/geo/index.ts';
import { findExtent, SCENE_COUNT } from './scenes.ts';

/** A tile of one of the scenes. */
export interface Wanted {
  readonly scene: number;
  readonly tile: Tile;
}

/** Bursts of tiles: all of a burst are asked for at once, the next comes when they are there. */
export interface Workload {
  readonly cacheMb: number;
  /** Drawn before the measurement begins. */
  readonly warmUp: readonly Wanted[];
  readonly bursts: readonly (readonly Wanted[])[];
}

/** The same numbers in every run: a linear congruential generator with the constants of Numerical Recipes. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const VIEW = { across: 4, down: 3 };

/** The twelve tiles of a map view. */
const toView = (scene: number, { z, x, y }: Tile): readonly Wanted[] =>
  Array.from({ length: VIEW.across * VIEW.down }, (_, i) => ({
    scene,
    tile: { z, x: x + (i % VIEW.across), y: y + Math.floor(i / VIEW.across) },
  }));

/** A map that is dragged about: each view is a tile or two away from the last, mostly in the same direction. */
function* pan(scene: number, z: number, seed: number): Generator<readonly Wanted[]> {
  const random = makeRandom(seed);
  const { from, to } = findExtent(z);
  const max = { x: to.x - VIEW.across + 1, y: to.y - VIEW.down + 1 };
  const between = (min: number, max: number) => min + Math.floor(random() * (max - min + 1));
  let [x, y] = [between(from.x, max.x), between(from.y, max.y)];
  let [dx, dy] = [0, 0];
  for (;;) {
    yield toView(scene, { z, x, y });
    const isOut = x + dx < from.x || x + dx > max.x || y + dy < from.y || y + dy > max.y;
    if (isOut || (dx === 0 && dy === 0) || random() < 0.2) [dx, dy] = [between(-2, 2), between(-1, 1)];
    x = Math.min(Math.max(x + dx, from.x), max.x);
    y = Math.min(Math.max(y + dy, from.y), max.y);
  }
}

const take = <T>(from: Iterator<T>, count: number): T[] =>
  Array.from({ length: count }, () => from.next().value as T);

/** One map that pans over one scene, with room for about a third of it. */
function planPanning(): Workload {
  return { cacheMb: 64, warmUp: take(pan(1, 14, 9), 12).flat(), bursts: take(pan(0, 14, 1), 32) };
}

/** Tiles from anywhere in a scene of which a third fits into the cache. */
function planRandom(): Workload {
  const random = makeRandom(2);
  const { from, to } = findExtent(14);
  const any = (): Wanted => ({
    scene: 0,
    tile: {
      z: 14,
      x: from.x + Math.floor(random() * (to.x - from.x + 1)),
      y: from.y + Math.floor(random() * (to.y - from.y + 1)),
    },
  });
  const bursts = Array.from({ length: 20 }, () => Array.from({ length: 12 }, any));
  return { cacheMb: 64, warmUp: bursts.slice(0, 8).flat(), bursts: bursts.slice(8) };
}

/** Four people, each with a map of their own scene. */
function planFourScenes(): Workload {
  const maps = Array.from({ length: SCENE_COUNT }, (_, scene) => pan(scene, 14, 10 + scene));
  const bursts = Array.from({ length: 44 }, (_, i) => maps[i % SCENE_COUNT]!.next().value!);
  return { cacheMb: 64, warmUp: bursts.slice(0, 12).flat(), bursts: bursts.slice(12) };
}

/** The same views again and again: all blocks fit, even twice. */
function planWarm(): Workload {
  const views = take(pan(0, 14, 3), 4);
  const bursts = Array.from({ length: 32 }, (_, i) => views[i % views.length]!);
  return { cacheMb: 256, warmUp: [...views, ...views, ...views].flat(), bursts };
}

/** What is measured, by name. */
export const workloads: Readonly<Record<string, () => Workload>> = {
  panning: planPanning,
  random: planRandom,
  'four scenes': planFourScenes,
  'all warm': planWarm,
};
