/** Where the item of a view id or of a scene's name is looked for: its day, and properties that the name states. */
import { isSwathError } from '../errors.ts';
import type { PointGeometry } from '../geo/index.ts';
import type { Sensor, ViewId } from '../sensors/index.ts';
import { parseViewId } from '../sensors/index.ts';
import { DAY_MS } from '../units.ts';
import { internal } from './errors.ts';
import type { LiveCollection } from './live-catalog.ts';

/** One condition on a property of items. */
export type Condition =
  | { readonly property: string; readonly op: '>=' | '<=' | '='; readonly value: string | number | boolean }
  | {
      readonly property: string;
      readonly op: 'in';
      readonly values: readonly (string | number | boolean)[];
    };

/** Days of a search, both included. */
export interface Days {
  readonly from: string | null;
  readonly to: string | null;
}

/** What a name says about an item. */
export interface ItemPlace {
  readonly days: Days;
  readonly conditions: readonly Condition[];
  /** A point inside the scene, if its name states one: some names share a day with thousands of others. */
  readonly point: PointGeometry | null;
}

/** Parts of a scene's name by the sensor's grammar, and its day. */
type NameParts = Pick<ViewId, 'parts' | 'date' | 'point'>;

/** Reads a scene's name: that of its view id, or another one that states the tile and the day; null for any other text. */
export function readName(sensor: Sensor, name: string): NameParts | null {
  try {
    const { parts, date, point } = parseViewId(`${sensor.abbreviation}/${name}`);
    const { pathRow } = parts;
    // Products of Landsat have both numbers in one part of their name, and scenes in two.
    return pathRow === undefined
      ? { parts, date, point }
      : { parts: { ...parts, path: pathRow.slice(0, 3), row: pathRow.slice(3) }, date, point };
  } catch (error) {
    if (!isSwathError(error) || error.tag !== 'not-found') throw error;
  }
  return sensor.family === 'sentinel-2' ? readTileName(name) : null;
}

/** `S2A_tile_20200815_55PDS_0`, `S2A_MSIL2A_20200815T005711_N0214_R002_T55PDS_20200815T032114`, `S2A_55PDS_20200815_0_L2A`. */
function readTileName(name: string): NameParts | null {
  const [, utmZone, latitudeBand, square] =
    /(?:_T|_tile_\d{8}_|^S2[A-D]_)0?(\d{1,2})([C-X])([A-Z]{2})(?:_|$)/.exec(name) ?? [];
  const [, year, month, day] = /_(20\d{2})(\d{2})(\d{2})(?:T|_)/.exec(name) ?? [];
  if (utmZone === undefined || year === undefined) return null;
  return {
    parts: { utmZone, latitudeBand: latitudeBand!, square: square! },
    date: `${year}-${month}-${day}`,
    point: null,
  };
}

/** Where an item of this name is looked for. The day before and after too: the day of a name is that of its orbit's start. */
export function toItemPlace({ parts, date, point }: NameParts, { locate }: LiveCollection): ItemPlace {
  const middle = Date.parse(`${date}T00:00:00Z`);
  const toDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  return {
    days: { from: toDay(middle - DAY_MS), to: toDay(middle + DAY_MS) },
    conditions: Object.entries(locate).map(([property, template]) => ({
      property,
      op: '=',
      value: fillTemplate(template, parts),
    })),
    point: point === null ? null : { type: 'Point', coordinates: point },
  };
}

/** Fills in the parts of a name; see `LiveCollection.locate`. */
export function fillTemplate(template: string, parts: NameParts['parts']): string | number {
  const isNumber = template.startsWith('#');
  const text = template.slice(isNumber ? 1 : 0).replace(/\{(\w+)(?::(\d))?\}/g, (_, name, digits) => {
    const part = Object.hasOwn(parts, name) ? parts[name] : undefined;
    if (part === undefined)
      throw internal('bad-location', `The template ${template} names an unknown part: ${name}.`);
    return part.padStart(Number(digits ?? 0), '0');
  });
  return isNumber ? Number(text) : text;
}
