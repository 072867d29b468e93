import type { DemoPart } from '../../world/demo/demo-part.ts';
import { spots } from '../../world/setting.ts';
import { productOf } from '../world/make-products.ts';

/** Scenes of the service, by short names. The first two lie at the same location and have the same grid of 10 m. */
export const PARTS = {
  s2: productOf('sentinel2-l1c-polygons').part,
  l2a: productOf('sentinel2-l2a').part,
  l8: productOf('landsat8-c2').part,
  l7: productOf('landsat7-c2').part,
  modis: productOf('modis').part,
  cbers: productOf('cbers4mux').part,
  naip: productOf('naip-rgbir').part,
  s1: productOf('sentinel1').part,
  beforeFire: toFirePart('2026-08-02'),
  afterFire: toFirePart('2026-08-17'),
} as const satisfies Record<string, DemoPart>;

/** Heights of the whole world, 3 seconds of arc a pixel. */
export const TERRAIN: DemoPart = { key: 'terrain', cost: 1, kind: 'terrain', plan: { seconds: 3 } };

/** The short name of a scene. */
export type Key = keyof typeof PARTS;

/** Six kilometres of forest in clear air, a fifth of which burnt from 9 to 11 August. */
function toFirePart(date: string): DemoPart {
  const sideM = 6000;
  const corner = (middle: number): number => Math.round((middle - sideM / 2) / 60) * 60;
  return {
    key: `fire-${date}`,
    cost: 1,
    kind: 'sentinel2-l2a',
    plan: {
      satellite: 'S2A',
      atMs: Date.parse(`${date}T19:10:00Z`),
      sequence: 0,
      baseline: '05.11',
      seed: 7,
      finestM: 60,
      sky: { seed: 1, opaque: 0, cirrus: 0, haze: 0 },
      window: { x: corner(spots.fire.x), y: corner(spots.fire.y), width: sideM, height: sideM },
    },
  };
}

/** Soil moisture of the worked example of docs/use/soil-moisture.md's filter: days after the first, and values. */
export const MOISTURE = {
  first: '2026-05-01',
  days: [0, 1, 2, 3, 5, 8, 9, 15],
  surface: [0.2, 0.22, 0.35, 0.33, 0.3, 0.24, 0.23, 0.18],
  rootZone: [0.2, 0.2105, 0.261719, 0.281429, 0.286269, 0.274227, 0.264347, 0.239946],
} as const;
