import { makeProjection } from '../../src/proj/index.ts';
import { makeClimate } from '../climate/climate.ts';
import { makeGround } from '../ground/index.ts';
import { WORLD_SEED } from '../ground/world.ts';
import { epsg, frame } from '../setting.ts';
import { SERIES } from './shots.ts';

/** A field of the demo world as GeoJSON. */
export interface FieldFeature {
  readonly type: 'Feature';
  readonly id: string;
  readonly properties: { readonly name: string };
  readonly geometry: { readonly type: 'Polygon'; readonly coordinates: readonly (readonly number[])[][] };
}

/** Degrees to a tenth of a metre. */
const round = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;

/** Fields of the demo world, those that the series of scenes shows first. Makes the landscape: some seconds of work. */
export function listFields(limit: number): readonly FieldFeature[] {
  const ground = makeGround({ seed: WORLD_SEED, climate: makeClimate(WORLD_SEED) });
  const { forward } = makeProjection(epsg, 4326);
  const awayM = (ring: readonly (readonly [x: number, y: number])[]): number => {
    const [x, y] = ring[0] ?? [0, 0];
    return Math.hypot(x - SERIES.x, y - SERIES.y);
  };
  return ground
    .fieldsIn({ minX: 0, minY: 0, maxX: frame.sizeM, maxY: frame.sizeM })
    .toSorted((a, b) => awayM(a.ring) - awayM(b.ring))
    .slice(0, limit)
    .map(({ id, ring }) => ({
      type: 'Feature',
      id: `demo-${id}`,
      properties: { name: `Field ${id}` },
      geometry: {
        type: 'Polygon',
        coordinates: [ring.map(([x, y]) => forward(frame.west + x, frame.north - y).map(round))],
      },
    }));
}
