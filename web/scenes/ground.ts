/** The part of a scene that the map shows. */
import type { Box } from './footprint.ts';

/** A box, and whether it is only a part of the scene. */
export interface Ground {
  readonly box: Box;
  readonly isPart: boolean;
}

/** A view that holds this much of both sides of the scene shows it whole: its edges lie under the controls. */
const WHOLE = 0.98;

/** What is seen of a scene; the whole scene where the map shows nothing of it. */
export const planGround = (scene: Box, view: Box | null): Ground => {
  const whole = { box: scene, isPart: false };
  if (view === null) return whole;
  const [west, south, east, north] = scene;
  // A map that was dragged around the world is brought next to the scene.
  const turns = Math.round(((west + east) / 2 - (view[0] + view[2]) / 2) / 360) * 360;
  const seen: Box = [
    Math.max(west, view[0] + turns),
    Math.max(south, view[1]),
    Math.min(east, view[2] + turns),
    Math.min(north, view[3]),
  ];
  const [width, height] = [(seen[2] - seen[0]) / (east - west), (seen[3] - seen[1]) / (north - south)];
  if (!(width > 0 && height > 0) || (width >= WHOLE && height >= WHOLE)) return whole;
  return { box: seen, isPart: true };
};

/** Five digits of a degree are about a metre. */
const toText = (degrees: number): string => String(Number(degrees.toFixed(5)));

/** `west,south,east,north`, as the interface writes a box; beyond 180° it begins again at -180°. */
export const toBboxText = ([west, south, east, north]: Box): string =>
  [west, south, east > 180 ? east - 360 : east, north].map(toText).join();

/** The x and y of the address of a picture that covers a box. */
export const toBoundsPath = ([west, south, east, north]: Box): string => {
  const right = east > 180 ? east - 360 : east;
  return `${toText(west)};${toText(right)};4326/${toText(north)};${toText(south)};4326`;
};
