import type { CheckedArea } from '../../areas/index.ts';
import { badInput, notFound, tooLarge } from '../../errors.ts';
import type { Ticket } from '../../pool/index.ts';
import { toPoint } from '../areas/point-geometry.ts';
import { readGeometry } from '../areas/read-geometry.ts';
import type { Params } from '../request/params.ts';
import { readText } from '../request/params.ts';
import { hasPolygonId } from './body.ts';
import type { WeatherDeps } from './weather-deps.ts';

/** The fields of a body that say where. */
export type LocationField = 'geometry' | 'polygon_id';

/** A large country. Its weather is the mean of some 1,400 cells of a quarter of a degree, each a series to be read. */
const MAX_KM2 = 1_000_000;

/** The location of a body that has one, as the text of a GeoJSON geometry: by the field that wins, or by the other where that is left out. */
export async function readLocation(
  params: Params,
  { wins, ticket }: { readonly wins: LocationField; readonly ticket: Ticket },
  { areas, areaParser }: Pick<WeatherDeps, 'areas' | 'areaParser'>,
): Promise<string> {
  const geometry = params.geometry ?? null;
  if (hasPolygonId(params) && (geometry === null || wins === 'polygon_id')) {
    const area = await areas.find(readText(params, 'polygon_id') ?? '');
    if (area === null) throw notFound('unknown-area', 'There is no area with this polygon_id.');
    return refuseVast(area);
  }
  const point = toPoint(geometry);
  if (point === 'malformed')
    throw badInput('bad-geometry', 'geometry: a Point needs coordinates: [longitude, latitude] in degrees.');
  return point === null
    ? refuseVast(await readGeometry('geometry', geometry, { areaParser, ticket }))
    : JSON.stringify(point);
}

function refuseVast({ geometry, km2 }: Pick<CheckedArea, 'geometry' | 'km2'>): string {
  if (km2 <= MAX_KM2) return geometry;
  throw tooLarge(
    'area-too-large',
    `The area has ${Math.round(km2)} km²; the weather of at most ${MAX_KM2} km² can be asked for.`,
  );
}
