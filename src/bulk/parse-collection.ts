import { parseAreaGeometry } from '../areas/index.ts';
import { isSwathError } from '../errors.ts';
import { isObject } from '../json.ts';
import type { JobType } from '../pool/index.ts';
import type { OrderedShape } from './bulk-order.ts';
import { badInput } from './errors.ts';

/** What is wrong with a feature of a collection. */
export interface CollectionFault {
  /** 1 for the first feature. */
  readonly row: number;
  readonly message: string;
}

/** The shapes of a collection, and the features that are left out. */
export interface ParsedCollection {
  readonly shapes: readonly OrderedShape[];
  readonly faults: readonly CollectionFault[];
}

/** The job that parses the text of a collection: validating a thousand features takes longer than a turn. */
export type CollectionJobs = { 'parse-collection': JobType<{ readonly text: string }, ParsedCollection> };

/** The longest id and name. */
const MAX_TEXT = 200;

/**
 * Parses a GeoJSON FeatureCollection of untrusted text, feature by feature. Each needs a Polygon or MultiPolygon by the rules
 * of areas. A feature without an id is called by its row, one without a name by its id.
 */
export function parseCollection({ text }: { readonly text: string }): ParsedCollection {
  const features = readFeatures(text);
  const shapes: OrderedShape[] = [];
  const faults: CollectionFault[] = [];
  const ids = new Set<string>();
  for (const [i, feature] of features.entries()) {
    const row = i + 1;
    try {
      const shape = parseFeature(feature, row);
      if (ids.has(shape.id)) faults.push({ row, message: `An earlier feature has the id ${shape.id}.` });
      else shapes.push(shape);
      ids.add(shape.id);
    } catch (error) {
      if (!isSwathError(error)) throw error;
      faults.push({ row, message: error.message });
    }
  }
  return { shapes, faults };
}

function readFeatures(text: string): readonly unknown[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw badInput('bad-collection', 'collection is not valid JSON.', { cause: error });
  }
  if (!isObject(parsed) || parsed.type !== 'FeatureCollection' || !Array.isArray(parsed.features))
    throw badInput('bad-collection', 'collection must be a GeoJSON FeatureCollection with features.');
  return parsed.features;
}

function parseFeature(feature: unknown, row: number): OrderedShape {
  if (!isObject(feature) || feature.type !== 'Feature')
    throw badInput('bad-collection', 'Each member of features must be a Feature.');
  const properties = isObject(feature.properties) ? feature.properties : {};
  const id = toText(feature.id) ?? String(row);
  return {
    id,
    externalId: toText(properties.external_id),
    name: toText(properties.name) ?? id,
    sownOn: toSownOn(properties.sown_on),
    geometry: parseAreaGeometry(feature.geometry),
  };
}

/** A day as 2026-05-02; null for anything else. */
function toSownOn(value: unknown): string | null {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return null;
  const ms = Date.parse(value);
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== value ? null : value;
}

/** A text or a number as text; null for anything else, and for text without a character. */
function toText(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (typeof value !== 'string' || value === '' || !value.isWellFormed()) return null;
  return value.slice(0, MAX_TEXT).toWellFormed();
}
