import type { DemoPart } from '../../world/demo/demo-part.ts';
import { DAY_MS, spots } from '../../world/setting.ts';

/** A dry day, and the day of the highest water. */
export const FLOOD = { before: '2025-09-12', after: '2025-12-11' } as const;
/** Ground around the flood, in pixels of 30 m as in the demo. */
const FLOOD_SIDE_M = 12_000;

function toRadarPart(pass: 'ascending' | 'descending', date: string): DemoPart {
  const hour = pass === 'descending' ? '14:20' : '02:00';
  const corner = (middle: number): number => middle - FLOOD_SIDE_M / 2;
  const window = {
    x: corner(spots.flood.x),
    y: corner(spots.flood.y),
    widthM: FLOOD_SIDE_M,
    heightM: FLOOD_SIDE_M,
  };
  const atMs = Date.parse(`${date}T${hour}:00Z`);
  const plan = { atMs, pass, window, spacingM: 30, nearIncidenceDeg: 36, seed: Math.floor(atMs / DAY_MS) };
  return { key: `flood-${date}`, cost: 1, kind: 'sentinel1', plan };
}

/** The ground of the flood by radar, dry and under water. */
export const floodParts: readonly DemoPart[] = [
  toRadarPart('ascending', FLOOD.before),
  toRadarPart('descending', FLOOD.after),
];
