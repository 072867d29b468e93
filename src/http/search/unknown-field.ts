import { suggestName } from '../../bandmath/index.ts';
import { badInput } from '../../errors.ts';

/** What other interfaces call the location of a search. */
const LOCATIONS: ReadonlySet<string> = new Set([
  ...[
    'point',
    'bbox',
    'box',
    'bounds',
    'geometry',
    'geom',
    'polygon',
    'intersects',
    'aoi',
    'area',
    'location',
  ],
  ...['lat', 'lon', 'latitude', 'longitude', 'coordinates', 'cropper_ref'],
]);

/** The error for a filter of a field that a dataset does not have, with what may be meant. */
export function explainUnknownField(name: string, dataset: string, fields: Iterable<string>): Error {
  const isLocation = LOCATIONS.has(name.toLowerCase());
  const suggestion = isLocation ? 'shape' : suggestName(name, fields);
  const hint = isLocation
    ? ' For a location use shape: a GeoJSON Point, Polygon or MultiPolygon.'
    : suggestion === null
      ? ''
      : ` Did you mean ${suggestion}?`;
  return badInput(
    'unknown-field',
    `search.${name.slice(0, 60)} is not a field of ${dataset}.${hint}`,
    suggestion === null ? {} : { details: { suggestion } },
  );
}
