/**
 * The properties of items: how each is read from a scene, and which field of our search has it. Items show what is filtered
 * and sorted: one declaration gives both.
 */
import type { FieldValue, SceneHit } from '../../catalog/index.ts';
import { isSwathError } from '../../errors.ts';
import type { Sensor } from '../../sensors/index.ts';
import { parseViewId, sensorByDataset, sensors } from '../../sensors/index.ts';
import type { JsonSchema } from '../kit/json-schema.ts';
import { json } from '../kit/json-schema.ts';

/** The id of a scene's item: its view id, in one segment of a path. */
export const toItemId = (viewId: string): string => viewId.replaceAll('/', '_');

/** The view id of an item; null when no scene can have this id. */
export function toViewId(itemId: string): string | null {
  if (itemId.length > 300 || itemId.includes('/')) return null;
  const parts = itemId.split('_');
  const named = sensors.filter(({ abbreviation }) => abbreviation === parts[0]);
  for (const { sceneName } of named) {
    // The last segment of a name may hold underscores of its own.
    const { segments } = sceneName;
    const viewId = [...parts.slice(0, segments), parts.slice(segments).join('_')].join('/');
    try {
      const view = parseViewId(viewId);
      if (toItemId(view.viewId) === itemId) return view.viewId;
    } catch (error) {
      if (!isSwathError(error) || error.tag !== 'not-found') throw error;
    }
  }
  return null;
}

/** The type of a property, which decides what it is compared with. */
export type PropertyType = 'string' | 'number' | 'datetime';

/** How our search finds and sorts by a property. */
interface SearchedAs {
  readonly field: string;
  /** The field has a value that differs from the property in the case of its letters. */
  readonly ignoresCase?: true;
}

/** A property of items. */
export interface ItemProperty {
  readonly type: PropertyType;
  readonly schema: JsonSchema;
  /** Its value in a scene; null when the scene does not have it. */
  readonly read: (hit: SceneHit, sensor: Sensor) => string | number | null;
  /** The field of a dataset's scenes that holds it; absent when search does not know it. */
  readonly searchedAs?: (sensor: Sensor) => SearchedAs | null;
  /** Whether all scenes of a dataset have the same value: a condition on it chooses datasets. */
  readonly isOfDataset?: true;
}

/** A field of the dataset, as it is stored. */
function fieldOf(name: string, schema: JsonSchema, isLower = false): ItemProperty {
  const type = schema.type === 'string' ? 'string' : 'number';
  const accepts = makeAccepts(schema);
  return {
    type,
    schema,
    read({ fields }) {
      const value: FieldValue | undefined = Object.hasOwn(fields, name) ? fields[name] : null;
      if (typeof value !== type) return null;
      const read = isLower ? String(value).toLowerCase() : (value as string | number);
      return accepts(read) ? read : null;
    },
    searchedAs: ({ hitFields }) =>
      Object.hasOwn(hitFields, name)
        ? { field: name, ...(isLower ? { ignoresCase: true as const } : {}) }
        : null,
  };
}

/** Whether a value is one that the schema allows: providers write what they like, and items must be valid. */
function makeAccepts({
  type,
  minimum,
  maximum,
  enum: names,
}: JsonSchema): (value: string | number) => boolean {
  if (type === 'string')
    return (value) => value !== '' && (names === undefined || (names as readonly unknown[]).includes(value));
  const [min, max] = [
    (minimum as number | undefined) ?? -Infinity,
    (maximum as number | undefined) ?? Infinity,
  ];
  return (value) =>
    (value as number) >= min && (value as number) <= max && (type !== 'integer' || Number.isInteger(value));
}

/** The same for all scenes of a dataset. */
const ofDataset = (schema: JsonSchema, read: (sensor: Sensor) => string | number | null): ItemProperty => ({
  type: schema.type === 'string' ? 'string' : 'number',
  schema,
  read: (_, sensor) => read(sensor),
  isOfDataset: true,
});

/** A percentage or an angle that some datasets have as a field, and all as a value of the record. */
const recordOr = (name: string, schema: JsonSchema, read: (hit: SceneHit) => number | null): ItemProperty => {
  const field = fieldOf(name, schema);
  return {
    ...field,
    read: (hit, sensor) => (Object.hasOwn(sensor.hitFields, name) ? field.read(hit, sensor) : read(hit)),
  };
};

/** The properties of items by name. */
export const itemProperties = {
  id: {
    type: 'string',
    schema: json.string({ description: 'The id of the item: the view id, with _ for /.' }),
    read: ({ viewId }) => toItemId(viewId),
  },
  collection: ofDataset(json.string({ description: 'The dataset.' }), ({ dataset }) => dataset),
  datetime: {
    type: 'datetime',
    schema: { ...json.string({ description: 'When the scene was acquired.' }), format: 'date-time' },
    read: ({ acquiredAt }) => acquiredAt,
    searchedAs: () => ({ field: 'date' }),
  },
  updated: {
    type: 'datetime',
    schema: { ...json.string({ description: 'When the scene came into the catalog.' }), format: 'date-time' },
    read: ({ indexedAt }) => indexedAt ?? null,
  },
  platform: fieldOf('satelliteName', json.string({ description: 'The satellite, in small letters.' }), true),
  constellation: ofDataset(
    json.string({ description: 'The group of satellites.' }),
    (sensor) => sensor.facts.constellation,
  ),
  gsd: ofDataset(json.number({ description: 'Metres of the finest pixels.' }), (sensor) => sensor.facts.gsd),
  'eo:cloud_cover': recordOr(
    'cloudCoverage',
    json.number({ min: 0, max: 100, description: 'Percentage of clouds.' }),
    ({ cloudPercent }) => cloudPercent,
  ),
  'view:sun_elevation': recordOr(
    'sunElevation',
    json.number({ min: -90, max: 90, description: 'Degrees above the horizon.' }),
    ({ sunElevationDeg }) => sunElevationDeg,
  ),
  'view:sun_azimuth': {
    type: 'number',
    schema: json.number({ min: 0, max: 360, description: 'Degrees from north.' }),
    read: ({ sunAzimuthDeg }) =>
      sunAzimuthDeg === null || sunAzimuthDeg >= 0 ? sunAzimuthDeg : sunAzimuthDeg + 360,
  },
  'sat:orbit_state': fieldOf(
    'passDirection',
    json.choice(['ascending', 'descending'], { description: 'Of radar.' }),
    true,
  ),
  'sat:absolute_orbit': fieldOf(
    'absoluteOrbitNumber',
    json.integer({ min: 1, description: 'The orbit, of radar.' }),
  ),
  'sar:instrument_mode': fieldOf('mode', json.string({ description: 'IW, EW or S1 to S6, of radar.' })),
  'sar:frequency_band': ofDataset(
    json.string({ description: 'Of radar.' }),
    (sensor) => sensor.facts.radar?.frequencyBand ?? null,
  ),
  'sar:product_type': ofDataset(
    json.string({ description: 'Of radar.' }),
    (sensor) => sensor.facts.radar?.productType ?? null,
  ),
  'swath:scene_id': {
    type: 'string',
    schema: json.string({ description: 'The name of the scene.' }),
    read: ({ sceneId }) => sceneId,
    searchedAs: () => ({ field: 'sceneID' }),
  },
} as const satisfies Readonly<Record<string, ItemProperty>>;

/** The property of a name; clients may write `properties.` before it. Null when no item has it. */
export function findProperty(name: string): ItemProperty | null {
  const bare = name.startsWith('properties.') ? name.slice('properties.'.length) : name;
  return Object.hasOwn(itemProperties, bare) ? itemProperties[bare as keyof typeof itemProperties] : null;
}

/** The names of all properties. */
export const propertyNames: readonly string[] = Object.keys(itemProperties);

/** The value of a property in a scene. */
export function readProperty(property: ItemProperty, hit: SceneHit): string | number | null {
  const sensor = sensorByDataset(hit.dataset);
  return sensor === null ? null : property.read(hit, sensor);
}
