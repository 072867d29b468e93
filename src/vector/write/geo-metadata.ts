import type { SchemaElement } from 'hyparquet';
import type { Box } from '../geometry/bounds.ts';
import { growBox } from '../geometry/bounds.ts';
import type { ShapeGeometry } from '../shapes.ts';
import type { Column } from '../tables.ts';

const SIDES = ['xmin', 'ymin', 'xmax', 'ymax'] as const;

/** What GeoParquet 1.1 adds to Parquet, for one column of geometries: types and bounds of all rows, and the column of boxes. */
export interface GeoMetadata {
  /** Counts a row in. */
  note(geometry: ShapeGeometry | null, box: Box | null): void;
  /** The name of the column of boxes: `bbox`, unless the table has one. */
  boxName(columns: readonly Column[]): string;
  boxElements(columns: readonly Column[]): readonly SchemaElement[];
  /** The value of the key `geo`. */
  toJson(columns: readonly Column[]): unknown;
}

/** Longitude and latitude are the default of the format: no `crs` is written. */
export function makeGeoMetadata(column: string): GeoMetadata {
  const types = new Set<string>();
  let bounds: Box | null = null;
  const boxName = (columns: readonly Column[]): string => {
    const names = new Set(columns.map(({ name }) => name));
    let name = 'bbox';
    while (names.has(name)) name += '_';
    return name;
  };
  return {
    note(geometry, box) {
      if (geometry !== null) types.add(geometry.type);
      if (box === null) return;
      if (bounds === null) bounds = { ...box };
      else growBox(bounds, box);
    },
    boxName,
    boxElements: (columns) => [
      { name: boxName(columns), repetition_type: 'OPTIONAL', num_children: SIDES.length },
      ...SIDES.map((name): SchemaElement => ({ name, repetition_type: 'REQUIRED', type: 'DOUBLE' })),
    ],
    toJson: (columns) => ({
      version: '1.1.0',
      primary_column: column,
      columns: {
        [column]: {
          encoding: 'WKB',
          geometry_types: [...types].sort(),
          ...(bounds === null ? {} : { bbox: SIDES.map((side) => (bounds as Box)[side]) }),
          covering: { bbox: Object.fromEntries(SIDES.map((side) => [side, [boxName(columns), side]])) },
        },
      },
    }),
  };
}
