/**
 * Asks GeoPandas (GDAL inside) and PyArrow whether they read the tables that src/vector writes, and whether it reads the
 * files that they write: `npm run oracle vector`.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Column, ShapeGeometry, TableFormat } from '../../../src/vector/index.ts';
import { defaultVectorLimits, readShapes, TABLE_FORMATS, writeTable } from '../../../src/vector/index.ts';
import { hasPython, installPython } from '../../support/python-packages.ts';

const PACKAGES = [
  ...[
    'geopandas==1.2.0',
    'pyogrio==0.13.0',
    'pyarrow==26.0.1',
    'shapely==2.2.0',
    'pandas==3.1.1',
    'pyproj==3.7.2',
  ],
];
const ROWS = 1_000;
const BATCH = 300;
/** In degrees: a centimetre. Files of GDAL have coordinates in metres, and GeoJSON seven decimals. */
const MAX_DIFFERENCE = 1e-7;

const COLUMNS: readonly Column[] = [
  { name: 'name', type: 'text' },
  { name: 'value', type: 'number' },
  { name: 'pixels', type: 'integer' },
  { name: 'clear', type: 'boolean' },
  { name: 'day', type: 'date' },
  { name: 'time', type: 'timestamp' },
  { name: 'geometry', type: 'geometry' },
];

const EXTENSIONS: Readonly<Record<TableFormat, string>> = {
  parquet: 'parquet',
  geoparquet: 'geo.parquet',
  csv: 'csv',
  geojson: 'geojson',
  arrow: 'arrows',
  geopackage: 'gpkg',
  shapefile: 'zip',
};

const ringAt = (x: number, y: number, size: number): [number, number][] => [
  [x, y],
  [x + size, y],
  [x + size, y + size],
  [x, y + size],
  [x, y],
];

/** A square with a hole, and with a second square for every third row. */
function shapeOf(row: number): ShapeGeometry {
  const [x, y] = [12 + (row % 40) / 10, 48 + Math.floor(row / 40) / 10];
  const polygon = [ringAt(x, y, 0.04), ringAt(x + 0.01, y + 0.01, 0.01).reverse()];
  return row % 3 === 0
    ? { type: 'MultiPolygon', coordinates: [polygon, [ringAt(x + 0.05, y, 0.01)]] }
    : { type: 'Polygon', coordinates: polygon };
}

/** Rows without anything but a name and a shape. */
const isBare = (row: number): boolean => row % 7 === 6;
const valuesOf = (row: number) => [
  `Feld "${row}", äß`,
  ...(isBare(row)
    ? [null, null, null, null, null]
    : [row / 8, row * 1_000_003, row % 2 === 0, '2024-05-01', Date.UTC(2024, 4, 1, 12, 0, row % 60)]),
  shapeOf(row),
];

async function writeAll(folder: string): Promise<void> {
  for (const format of TABLE_FORMATS) {
    const writer = await writeTable(join(folder, `ours.${EXTENSIONS[format]}`), format, COLUMNS);
    for (let start = 0; start < ROWS; start += BATCH) {
      const rows = Array.from({ length: Math.min(BATCH, ROWS - start) }, (_, i) => valuesOf(start + i));
      const columns = COLUMNS.map((_, i) => rows.map((values) => values[i] ?? null));
      await writer.write({ rows: rows.length, columns });
    }
    await writer.finish();
  }
  const expected = Array.from({ length: ROWS }, (_, row) => valuesOf(row));
  writeFileSync(join(folder, 'expected.json'), JSON.stringify({ columns: COLUMNS, rows: expected }));
}

const flatten = (geometry: ShapeGeometry | null): number[] =>
  geometry === null || geometry.type === 'GeometryCollection'
    ? []
    : ((geometry.coordinates as unknown[]).flat(4) as number[]);

/** Positions in an order that does not depend on the direction and start of rings. */
function sortPositions(geometry: ShapeGeometry | null): readonly (readonly [number, number])[] {
  const numbers = flatten(geometry);
  const positions = Array.from(
    { length: numbers.length / 2 },
    (_, i) => [numbers[2 * i]!, numbers[2 * i + 1]!] as const,
  );
  const unique = new Map(
    positions.map((position) => [position.map((value) => value.toFixed(4)).join(' '), position]),
  );
  return [...unique].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, position]) => position);
}

/** What is wrong with a file that another program has written; null if nothing is. */
async function findFault(path: string): Promise<string | null> {
  let count = 0;
  for await (const { row, geometry, properties, fault } of readShapes(path, {
    format: null,
    limits: defaultVectorLimits,
  })) {
    count++;
    if (fault !== null) return `row ${row}: ${fault}`;
    const [name, value] = valuesOf(row - 1);
    const found = properties.name ?? properties.Name;
    if (found !== name) return `row ${row}: the name is ${found}`;
    // Text formats have text.
    const number = properties.value ?? null;
    if (number !== value && Number(number) !== value) return `row ${row}: the value is ${number}`;
    const [read, written] = [sortPositions(geometry), sortPositions(shapeOf(row - 1))];
    const isEqual =
      read.length === written.length &&
      read.every(([x, y], i) => Math.hypot(x - written[i]![0], y - written[i]![1]) < MAX_DIFFERENCE);
    if (!isEqual) return `row ${row}: the shape differs`;
  }
  return count === ROWS ? null : `${count} rows`;
}

if (!hasPython()) {
  console.log('This check needs python3 with venv.');
  process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), 'swath-oracle-vector-'));
try {
  await writeAll(folder);
  const bin = await installPython('swath-oracle-vector', PACKAGES, console.log);
  const script = fileURLToPath(new URL('judge_vector.py', import.meta.url));
  const { status } = spawnSync(join(bin, 'python'), [script, folder], { stdio: 'inherit' });
  let failed = status === 0 ? 0 : 1;
  const theirs = JSON.parse(readFileSync(join(folder, 'theirs.json'), 'utf8')) as readonly string[];
  for (const name of theirs) {
    const fault = await findFault(join(folder, name));
    console.log(
      `${fault === null ? 'equal' : 'DIFFERS'}  ${name} of GDAL and PyArrow, read here${fault === null ? '' : `: ${fault}`}`,
    );
    if (fault !== null) failed++;
  }
  process.exitCode = failed === 0 && theirs.length > 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}
