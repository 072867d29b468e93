/** A row of a file becomes a draft of a field, or a refusal that says why not. */

import { hash } from 'node:crypto';
import { parseAreaGeometry } from '../../areas/index.ts';
import { isSwathError } from '../../errors.ts';
import { areaBounds, areaKm2 } from '../../geo/index.ts';
import { isObject } from '../../json.ts';
import type { Place, ShapeGeometry, ShapeRow } from '../../vector/index.ts';
import { parseAttributes } from '../attributes.ts';
import { badInput } from '../errors.ts';
import type { FieldDraft } from '../field-store.ts';

/** Which columns of a file say what; null for those with a usual name. Names are compared without their case. */
export interface ColumnNames {
  readonly id: string | null;
  readonly name: string | null;
  readonly group: string | null;
  readonly crop: string | null;
  readonly sownOn: string | null;
}

/** How the rows of one file are read. */
export interface RowOptions {
  readonly columns: ColumnNames;
  /** The group of all rows; null for that of each row. */
  readonly group: string | null;
  /** A digest of the file and its owner: with it, rows without an id have the same one at every import of this file. */
  readonly digest: string;
}

/** A row that can be stored, or why it cannot. */
export type CheckedRow =
  | { readonly row: number; readonly id: string | null; readonly draft: FieldDraft }
  | { readonly row: number; readonly id: string | null; readonly code: string; readonly message: string };

/** Usual names of columns, in the order in which they count. */
const USUAL: Readonly<Record<Exclude<keyof ColumnNames, 'id'>, readonly string[]>> = {
  name: ['name', 'title', 'label', 'field_name'],
  group: ['group', 'farm', 'holding'],
  crop: ['crop', 'culture', 'crop_name'],
  sownOn: ['sown_on', 'sowing_date', 'sown', 'sowing'],
};

/** Columns that exports write and that are computed anew. */
const COMPUTED: ReadonlySet<string> = new Set(['hectares', 'version', 'created_at', 'updated_at']);

/** Checks a row. */
export function checkRow(found: ShapeRow, options: RowOptions): CheckedRow {
  const { row, properties } = found;
  let id: string | null = found.id;
  try {
    if (found.fault !== null) throw badInput('bad-row', found.fault);
    const columns = nameColumns(properties, options.columns);
    const named = readId(found, columns);
    id = named.externalId ?? found.id;
    const cellOf = (name: keyof ColumnNames) => {
      const column = columns[name];
      return column === null ? undefined : properties[column];
    };
    const name = cellOf('name');
    const attributes = parseAttributes({
      externalId: named.externalId,
      // A nameless row is called by its id.
      name: name === null || name === '' ? undefined : name,
      group: options.group ?? cellOf('group'),
      crop: cellOf('crop'),
      sownOn: cellOf('sownOn'),
      properties: readFree(properties, columns),
    });
    const ownId = hash('sha256', `${options.digest} ${row}`, 'hex').slice(0, 16);
    const draft = {
      ...attributes,
      id: named.ours ?? ownId,
      externalId: attributes.externalId ?? null,
      outline: toOutline(found.geometry),
    };
    return { row, id, draft };
  } catch (error) {
    if (!isSwathError(error)) throw error;
    return { row, id, code: error.code, message: error.message };
  }
}

type Columns = ColumnNames & { readonly external: string | null };

/** The columns of this row by what they say. */
function nameColumns(properties: ShapeRow['properties'], wanted: ColumnNames): Columns {
  const byLower = new Map(Object.keys(properties).map((name) => [name.toLowerCase(), name]));
  const find = (names: readonly string[]): string | null => {
    for (const name of names) {
      const column = byLower.get(name.toLowerCase());
      if (column !== undefined) return column;
    }
    return null;
  };
  const choose = (name: keyof typeof USUAL) => find(wanted[name] === null ? USUAL[name] : [wanted[name]]);
  const id = wanted.id === null ? null : find([wanted.id]);
  if (wanted.id !== null && id === null) {
    throw badInput('no-id-column', `The row has no column "${wanted.id}" for its id.`);
  }
  return {
    id: id ?? find(['id']),
    // Shapefiles cut names after ten characters.
    external: wanted.id === null ? find(['external_id', 'external_i']) : id,
    name: choose('name'),
    group: choose('group'),
    crop: choose('crop'),
    sownOn: choose('sownOn'),
  };
}

const OUR_ID = /^[0-9a-f]{16}$/;

/** The id of a row: theirs, or ours in a file that we have written for a field without one. */
function readId(
  { id: ofFeature, properties }: ShapeRow,
  { id, external }: Columns,
): { readonly externalId: string | null; readonly ours: string | null } {
  const textOf = (column: string | null): string | null => {
    const value = column === null ? null : properties[column];
    return value == null || value === '' ? null : String(value);
  };
  const given = textOf(external);
  const plain = ofFeature ?? textOf(id);
  if (external === null) return { externalId: plain, ours: null };
  if (given !== null) return { externalId: given, ours: null };
  // Some formats number their features: the column is ours.
  const ours = [textOf(id), ofFeature].find((one) => one !== null && OUR_ID.test(one));
  return { externalId: null, ours: ours ?? null };
}

/** What no other column says; `properties` of an export is an object as text. */
function readFree(properties: ShapeRow['properties'], columns: Columns): Readonly<Record<string, unknown>> {
  const used = new Set<string | null>(Object.values(columns));
  const free: [string, unknown][] = [];
  for (const [name, value] of Object.entries(properties)) {
    if (used.has(name) || COMPUTED.has(name.toLowerCase())) continue;
    const nested = name === 'properties' ? parseObject(value) : null;
    if (nested === null) free.push([name, value]);
    else free.push(...Object.entries(nested));
  }
  return Object.fromEntries(free);
}

function parseObject(value: unknown): Readonly<Record<string, unknown>> | null {
  if (typeof value !== 'string' || !value.startsWith('{')) return null;
  try {
    const parsed: unknown = JSON.parse(value);
    return isObject(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

function toOutline(geometry: ShapeGeometry | null): FieldDraft['outline'] {
  const polygons = gatherPolygons(geometry);
  try {
    const normal = parseAreaGeometry(polygons);
    return { geometry: JSON.stringify(normal), hectares: 100 * areaKm2(normal), bounds: areaBounds(normal) };
  } catch (error) {
    if (isSwathError(error) && error.code === 'area-range' && isTurned(polygons)) {
      throw badInput(
        'field-axis-order',
        'The positions of this row have their latitude first: longitude comes first. Swap them in the file.',
      );
    }
    throw error;
  }
}

/** The polygons of a collection as one geometry: KML has several parts of a field as a collection. */
function gatherPolygons(geometry: ShapeGeometry | null): ShapeGeometry | null {
  if (geometry?.type !== 'GeometryCollection') return geometry;
  const coordinates = geometry.geometries.flatMap((part) => {
    if (part.type === 'Polygon') return [part.coordinates];
    return part.type === 'MultiPolygon' ? part.coordinates : [];
  });
  return coordinates.length === 0 ? geometry : { type: 'MultiPolygon', coordinates };
}

/** Whether all positions would lie on Earth with their numbers swapped. */
function isTurned(geometry: ShapeGeometry | null): boolean {
  const swapped = (rings: readonly (readonly Place[])[]): boolean =>
    rings.every((ring) => ring.every(([one, other]) => Math.abs(one) <= 90 && Math.abs(other) <= 180));
  if (geometry?.type === 'Polygon') return swapped(geometry.coordinates);
  return geometry?.type === 'MultiPolygon' && geometry.coordinates.every(swapped);
}
