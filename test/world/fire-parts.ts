import type { DemoPart } from '../../world/demo/demo-part.ts';
import { spots } from '../../world/setting.ts';

/** Ground around the wildfire. */
export const FIRE_SIDE_M = 12_000;
/** A sky without a cloud. */
export const CLEAR = { seed: 1, opaque: 0, cirrus: 0, haze: 0 } as const;

/** The time of a pass of Sentinel-2. */
export const atMs = (date: string): number => Date.parse(`${date}T19:10:00Z`);

/** A clear scene of the wildfire's ground, with pixels of 60 m unless they are to be finer. */
export function toFirePart(level: 'l1c' | 'l2a', date: string, finestM: 20 | 60 = 60): DemoPart {
  const corner = (middle: number): number => Math.round((middle - FIRE_SIDE_M / 2) / 60) * 60;
  const plan = {
    satellite: 'S2A' as const,
    atMs: atMs(date),
    sequence: 0,
    baseline: '05.11',
    seed: 7,
    finestM,
    sky: CLEAR,
    window: {
      x: corner(spots.fire.x),
      y: corner(spots.fire.y),
      width: FIRE_SIDE_M,
      height: FIRE_SIDE_M,
    },
  } as const;
  const key = `fire-${level}-${date}${finestM === 60 ? '' : `-${finestM}`}`;
  return level === 'l2a'
    ? { key, cost: 1, kind: 'sentinel2-l2a', plan }
    : { key, cost: 1, kind: 'sentinel2-l1c', plan: { ...plan, layout: 'bucket' } };
}
