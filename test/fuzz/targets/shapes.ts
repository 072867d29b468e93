import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SwathError } from '../../../src/errors.ts';
import type { ShapeFormat, TableFormat, VectorLimits } from '../../../src/vector/index.ts';
import { readShapes, writeTable } from '../../../src/vector/index.ts';
import { makeArchive } from '../../../src/vector/testing/archive.ts';
import { withFolder } from '../../../src/vector/testing/read-rows.ts';
import { COLUMNS, makeBatch } from '../../../src/vector/testing/table.ts';
import type { FuzzTarget } from '../target.ts';

const LIMITS: VectorLimits = {
  maxBytes: 1 << 20,
  maxUnpackedBytes: 1 << 22,
  maxZipRatio: 100,
  maxRows: 1_000,
  maxColumns: 50,
  maxRowBytes: 1 << 16,
  maxVertices: 1_000,
};

/** The same small table in a format that we write. */
const writeSeed = (format: TableFormat): Promise<Uint8Array> =>
  withFolder(async (folder) => {
    const path = join(folder, 'seed');
    const writer = await writeTable(path, format, COLUMNS);
    await writer.write(makeBatch(0, 8));
    await writer.finish();
    return readFile(path);
  });

const KML =
  '<kml xmlns="http://www.opengis.net/kml/2.2"><Placemark id="a"><name>x</name><ExtendedData><Data name="b"><value>1</value></Data></ExtendedData><MultiGeometry><Point><coordinates>1,2,3</coordinates></Point><Polygon><outerBoundaryIs><LinearRing><coordinates>0,0 1,0 1,1 0,0</coordinates></LinearRing></outerBoundaryIs></Polygon></MultiGeometry></Placemark></kml>';
const LINES = '{"type":"Feature","properties":{"a":1},"geometry":{"type":"Point","coordinates":[1,2]}}\n';
const SHAPES = [
  'POLYGON((0 0,1 0,1 1,0 0))',
  'SRID=25833;POINT Z (1 2 3)',
  '0101000000000000000000f03f0000000000000040',
];

const makeTarget = (
  format: ShapeFormat,
  tokens: readonly string[],
  readSeeds: () => Promise<readonly Uint8Array[]>,
): FuzzTarget => ({
  name: `shapes-${format}`,
  // An SQLite file with an index has some thirty pages.
  maxBytes: 256 * 1024,
  tokens,
  readSeeds,
  async run(input) {
    const folder = mkdtempSync(join(tmpdir(), 'swath-fuzz-'));
    try {
      const path = join(folder, 'upload');
      writeFileSync(path, input);
      let fault: string | null = null;
      for await (const row of readShapes(path, { format, limits: LIMITS })) {
        if (row.row > LIMITS.maxRows || (row.fault !== null && row.geometry !== null))
          throw new Error('a row that cannot be');
        fault ??= row.fault;
      }
      // A refusal of a row counts like that of a file.
      if (fault !== null) throw new SwathError('bad-input', 'row-fault', fault);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
});

/** Files of shapes, a target for each format. */
export const shapeTargets: readonly FuzzTarget[] = [
  makeTarget(
    'geojson',
    ['{', '}', '[', ']', '"', '\\', '"features":', '"crs"', 'null', '1e999'],
    async () => [await writeSeed('geojson')],
  ),
  makeTarget('geojsonseq', ['{', '}', '\n', '\x1e', '"', '"geometry":'], async () => [
    Buffer.from(LINES.repeat(3)),
  ]),
  makeTarget('csv', ['"', '""', ',', ';', '\r\n', '(', ')', 'EMPTY', 'SRID=', 'MULTIPOLYGON'], async () => [
    await writeSeed('csv'),
    ...SHAPES.map((shape) => Buffer.from(`id;wkt\n1;"${shape}"\n2;${shape}\n`)),
  ]),
  makeTarget(
    'kml',
    ['<Placemark>', '</Placemark>', '<![CDATA[', ']]>', '<!--', '&amp;', '<coordinates>', ','],
    async () => [Buffer.from(KML), await makeArchive({ 'doc.kml': KML })],
  ),
  makeTarget('shapefile', [], async () => [await writeSeed('shapefile')]),
  makeTarget('geopackage', [], async () => [await writeSeed('geopackage')]),
  makeTarget('geoparquet', ['PAR1'], async () => [await writeSeed('geoparquet'), await writeSeed('parquet')]),
];
