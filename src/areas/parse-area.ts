import { badInput } from '../errors.ts';
import type { MultiPolygonGeometry } from '../geo/index.ts';
import { endAtStart } from '../geo/index.ts';
import { isObject } from '../json.ts';
import { areaLimits } from './limits.ts';
import { normalizePolygons } from './normalize-polygons.ts';
import { parsePolygons } from './parse-rings.ts';
import { refuseArea } from './refuse-area.ts';

/** A GeoJSON Feature as it was sent, with the caller's own properties and coordinates. */
export interface AreaFeature {
  readonly type: 'Feature';
  readonly properties: Readonly<Record<string, unknown>>;
  readonly geometry: { readonly type: 'Polygon' | 'MultiPolygon'; readonly coordinates: readonly unknown[] };
}

/** An area of interest: what was sent, and its normal form. */
export interface Area {
  readonly feature: AreaFeature;
  /** Valid, within ±180 degrees, and the same for every way to write the area. */
  readonly geometry: MultiPolygonGeometry;
}

/**
 * Parses an area from untrusted JSON: a Feature, a FeatureCollection of one, an object with a geometry, or a geometry
 * alone. Polygons and
 * MultiPolygons of longitude and latitude; edges are straight in degrees and take the short way over the antimeridian.
 * An error has the rule in its code (`area-…`), the kind in its details, and a sentence that says where. Other members
 * (`crs`, `bbox`, `id`) are neither obeyed nor stored.
 */
export function parseArea(sent: unknown): Area {
  const untrusted = takeOnlyFeature(sent);
  if (!isObject(untrusted)) {
    throw refuseArea(
      'malformed',
      'not-feature',
      'An area must be a GeoJSON Feature with a Polygon as its geometry.',
    );
  }
  const isBare = untrusted.type === 'Polygon' || untrusted.type === 'MultiPolygon';
  const { type = 'Feature' } = untrusted;
  if (!isBare && type !== 'Feature') {
    throw refuseArea(
      'type',
      'type',
      'An area must be a GeoJSON Feature with a Polygon or MultiPolygon, no other type.',
    );
  }
  const geometry = isBare ? untrusted : untrusted.geometry;
  const properties = parseProperties(isBare ? undefined : untrusted.properties);
  const normalized = parseAreaGeometry(geometry);
  const { type: kind, coordinates } = geometry as AreaFeature['geometry'];
  return {
    feature: { type: 'Feature', properties, geometry: closeWritten({ type: kind, coordinates }) },
    geometry: normalized,
  };
}

/** The feature of a collection of one; anything that is no collection as it is. */
function takeOnlyFeature(sent: unknown): unknown {
  if (!isObject(sent) || sent.type !== 'FeatureCollection') return sent;
  const { features } = sent;
  if (!Array.isArray(features)) {
    throw badInput('area-features-missing', 'The FeatureCollection lacks its list of features.');
  }
  if (features.length !== 1) {
    throw badInput(
      'area-several-features',
      `The FeatureCollection has ${features.length} features, and an area is one of them: send each on its own, or their polygons as one MultiPolygon.`,
    );
  }
  return features[0];
}

/** The geometry as it was sent, with rings that were left open closed: what is read back is valid GeoJSON. */
function closeWritten({ type, coordinates }: AreaFeature['geometry']): AreaFeature['geometry'] {
  const close = (rings: unknown): unknown => (rings as Position[][]).map((ring) => endAtStart(ring));
  return {
    type,
    coordinates: (type === 'Polygon' ? close(coordinates) : coordinates.map(close)) as readonly unknown[],
  };
}

type Position = readonly number[];

/** Parses only the geometry of an area, by the same rules; returns it as in `Area`. */
export const parseAreaGeometry = (untrusted: unknown): MultiPolygonGeometry =>
  normalizePolygons(parsePolygons(untrusted), { mayOverlap: false });

/** Parses the geometry of a search, by the same rules, except that its polygons may overlap. */
export const parseSearchGeometry = (untrusted: unknown): MultiPolygonGeometry =>
  normalizePolygons(parsePolygons(untrusted), { mayOverlap: true });

function parseProperties(properties: unknown): AreaFeature['properties'] {
  if (properties == null) return {};
  if (!isObject(properties)) {
    throw refuseArea('malformed', 'properties', 'The properties of an area must be a JSON object.');
  }
  if (Buffer.byteLength(JSON.stringify(properties)) > areaLimits.propertiesBytes) {
    throw refuseArea(
      'too-large',
      'properties',
      `The properties of an area may take at most ${areaLimits.propertiesBytes} bytes of JSON.`,
    );
  }
  return properties;
}
