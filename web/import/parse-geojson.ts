/** Areas and lines of a GeoJSON text (RFC 7946). */
import { asRecord, asText } from '../scenes/read-json.ts';
import type { Shape } from '../shapes/shape.ts';
import { makeArea, makeLine } from './make-shapes.ts';
import { Refusal } from './refusal.ts';

/** Collections in collections beyond this are an attack rather than a file. */
const MAX_DEPTH = 8;

const shapesOfGeometry = (value: unknown, name: string | null, depth: number): readonly Shape[] => {
  const { type, coordinates, geometries } = asRecord(value);
  const list: readonly unknown[] = Array.isArray(coordinates) ? coordinates : [];
  if (type === 'Polygon') return makeArea([list], name);
  if (type === 'MultiPolygon') return makeArea(list, name);
  if (type === 'LineString') return makeLine(list, name);
  if (type === 'MultiLineString') return list.flatMap((line) => makeLine(line, name));
  if (type !== 'GeometryCollection' || !Array.isArray(geometries) || depth > MAX_DEPTH) return [];
  return geometries.flatMap((geometry: unknown) => shapesOfGeometry(geometry, name, depth + 1));
};

const nameOf = (feature: Readonly<Record<string, unknown>>): string | null => {
  const properties = asRecord(feature.properties);
  const entries = Object.entries(properties);
  const named = ['name', 'title', 'label'].flatMap((wanted) =>
    entries.filter(([key]) => key.toLowerCase() === wanted).map(([, value]) => asText(value)),
  );
  return named.find((name) => name !== null) ?? asText(feature.id);
};

const shapesOf = (value: unknown, depth = 0): readonly Shape[] => {
  const record = asRecord(value);
  if (record.type === 'FeatureCollection') {
    const features: readonly unknown[] = Array.isArray(record.features) ? record.features : [];
    return depth > MAX_DEPTH ? [] : features.flatMap((feature) => shapesOf(feature, depth + 1));
  }
  if (record.type === 'Feature') return shapesOfGeometry(record.geometry, nameOf(record), depth);
  return shapesOfGeometry(record, null, depth);
};

/** Older files name their reference system; only longitudes and latitudes of WGS 84 are meant by newer ones. */
const requireWgs84 = (value: unknown): void => {
  const name = asText(asRecord(asRecord(asRecord(value).crs).properties).name);
  if (name !== null && !/(CRS84|EPSG:{1,2}4326)$/i.test(name)) throw new Refusal('projection', name);
};

/** Reads the text; throws a `Refusal`. */
export const parseGeoJson = (text: string): readonly Shape[] => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refusal('bad-json');
  }
  requireWgs84(value);
  return shapesOf(value);
};
