/** Zones as files: GeoJSON, a zipped Shapefile, and an ISOXML task for machines. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeZip } from '../formats/zip.ts';
import type { MultiPolygonGeometry } from '../geo/index.ts';
import type { Zone } from './draw-zones.ts';
import type { Prescription } from './prescription.ts';
import { toTaskData } from './task-data.ts';

/** The file that is wanted; plain JSON. */
export type ZonesFile =
  | {
      readonly kind: 'geojson';
      readonly prescription: Prescription | null;
      /** Members of the collection beside its features. */
      readonly about: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: 'shapefile'; readonly prescription: Prescription | null }
  | {
      readonly kind: 'isoxml';
      readonly prescription: Prescription;
      /** The field, as the text of a GeoJSON MultiPolygon. */
      readonly boundary: string;
      readonly fieldName: string;
      readonly taskName: string;
      readonly softwareVersion: string;
    };

const round = (value: number | undefined | null): number | null =>
  value === undefined || value === null ? null : Number(value.toPrecision(7));

/** What a file says about a zone. */
function toProperties(zone: Zone, prescription: Prescription | null) {
  const { number, patches, hectares, percent, values, score } = zone;
  return {
    zone: number,
    hectares: round(hectares),
    percent: round(percent),
    patches,
    mean: round(values?.mean),
    median: round(values?.median),
    min: round(values?.min),
    max: round(values?.max),
    std: round(values?.std),
    score: round(score),
    ...(prescription === null
      ? {}
      : {
          product: prescription.product,
          rate: prescription.rates[number - 1] ?? 0,
          unit: prescription.unit,
        }),
  };
}

/** The bytes of the file. */
export async function writeZones(zones: readonly Zone[], file: ZonesFile): Promise<Uint8Array<ArrayBuffer>> {
  switch (file.kind) {
    case 'geojson':
      return new TextEncoder().encode(toGeoJson(zones, file));
    case 'shapefile':
      return withFile((path) => writeShapefile(path, zones, file.prescription));
    case 'isoxml': {
      const boundary = JSON.parse(file.boundary) as MultiPolygonGeometry;
      const bytes = new TextEncoder().encode(toTaskData({ ...file, zones, boundary }));
      return withFile(async (path) => {
        await writeZip(path, [{ name: 'TASKDATA/TASKDATA.XML', source: { bytes, deflate: true } }]);
      });
    }
  }
}

const toGeoJson = (
  zones: readonly Zone[],
  { prescription, about }: Extract<ZonesFile, { kind: 'geojson' }>,
): string =>
  JSON.stringify({
    type: 'FeatureCollection',
    ...about,
    features: zones.map((zone) => ({
      type: 'Feature',
      id: zone.number,
      geometry: zone.geometry,
      properties: toProperties(zone, prescription),
    })),
  });

async function writeShapefile(
  path: string,
  zones: readonly Zone[],
  prescription: Prescription | null,
): Promise<void> {
  const rows = zones.map((zone) => toProperties(zone, prescription));
  const NUMBERS = ['hectares', 'percent', 'mean', 'median', 'min', 'max', 'std', 'score'] as const;
  const columns = [
    { name: 'zone', type: 'integer', values: rows.map(({ zone }) => zone) },
    ...NUMBERS.map((name) => ({ name, type: 'number', values: rows.map((row) => row[name]) }) as const),
    ...(prescription === null
      ? []
      : ([
          { name: 'rate', type: 'number', values: rows.map((row) => row.rate ?? null) },
          { name: 'unit', type: 'text', values: rows.map((row) => row.unit ?? null) },
          { name: 'product', type: 'text', values: rows.map((row) => row.product ?? null) },
        ] as const)),
    { name: 'geometry', type: 'geometry', values: zones.map(({ geometry }) => geometry) },
  ] as const;
  // Loaded when the first file is written: every pixel thread would hold all formats.
  const { writeTable } = await import('../vector/index.ts');
  const table = await writeTable(
    path,
    'shapefile',
    columns.map(({ name, type }) => ({ name, type })),
    { layer: 'zones' },
  );
  try {
    await table.write({ rows: rows.length, columns: columns.map(({ values }) => values) });
    await table.finish();
  } finally {
    await table.discard();
  }
}

/** Writes a file in a folder of its own, and reads it: archives are written to paths. */
async function withFile(write: (path: string) => Promise<void>): Promise<Uint8Array<ArrayBuffer>> {
  const folder = await mkdtemp(join(tmpdir(), 'swath-zones-'));
  try {
    const path = join(folder, 'zones.zip');
    await write(path);
    // A copy: small files share one buffer, which cannot be moved to another thread.
    return new Uint8Array(await readFile(path));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
