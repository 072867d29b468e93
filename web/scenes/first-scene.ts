/** Which scene of a list is shown first. */
import { coverageOf } from './coverage.ts';
import type { Box } from './footprint.ts';
import { toBox } from './footprint.ts';
import type { Scene } from './scene.ts';

/** Percent of clouds under which one still sees the ground. */
const CLEAR_PERCENT = 20;
/** A scene that fills this part of the view is what the view is about. */
const FILLS = 0.5;

/** The newest clear scene that fills the view, else the newest clear one, else the newest; the list is newest first. */
export const chooseClearScene = (scenes: readonly Scene[], bounds: Box | null): Scene | undefined => {
  const clear = scenes.filter(({ cloudPercent }) => (cloudPercent ?? 0) <= CLEAR_PERCENT);
  const filling = clear.find(({ outline }) => bounds !== null && coverageOf(outline, bounds) >= FILLS);
  return filling ?? clear[0] ?? scenes[0];
};

/** The scene whose middle is nearest to that of a view; `null` without scenes. */
export const findNearestScene = (scenes: readonly Scene[], view: Box): Scene | null => {
  const middleOf = ([west, south, east, north]: Box) => ({
    lon: (west + east) / 2,
    lat: (south + north) / 2,
  });
  const here = middleOf(view);
  const distanceOf = ({ outline }: Scene): number => {
    const there = middleOf(toBox(outline));
    const east = (((there.lon - here.lon + 540) % 360) - 180) * Math.cos((here.lat * Math.PI) / 180);
    return Math.hypot(east, there.lat - here.lat);
  };
  return scenes.reduce<Scene | null>(
    (best, scene) => (best === null || distanceOf(scene) < distanceOf(best) ? scene : best),
    null,
  );
};
