import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createCog } from '../../../formats/cog/index.ts';
import type { PixelArray, PixelType } from '../../../raster/index.ts';
import { makePixels } from '../../../raster/index.ts';

/** Where the generated scene lies: UTM 31 north, near Barcelona, 1.5 km a side. */
export const PLANETSCOPE_GRID = {
  epsg: 32631,
  west: 430_000,
  north: 4_590_000,
  pixel: 3,
  size: 512,
} as const;

const { epsg, west, north, pixel, size } = PLANETSCOPE_GRID;

/** The item of Planet's catalog, as an order brings it along. */
export const toPlanetScopeJson = (id: string, properties: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({
    id,
    type: 'Feature',
    geometry: {
      type: 'Polygon',
      coordinates: [
        [
          [2.1625, 41.4588],
          [2.1784, 41.4589],
          [2.1785, 41.4474],
          [2.1626, 41.4473],
          [2.1625, 41.4588],
        ],
      ],
    },
    properties: {
      acquired: '2023-09-15T10:30:45.123456Z',
      published: '2023-09-15T18:04:11Z',
      updated: '2023-09-16T02:11:07.5Z',
      instrument: 'PSB.SD',
      item_type: 'PSScene',
      satellite_id: '24c8',
      cloud_cover: 0.02,
      cloud_percent: 2,
      sun_elevation: 50.1,
      sun_azimuth: 160.3,
      ...properties,
    },
  });

/** What a pixel of the generated scene shows; nothing beyond the tilted frame. */
export function kindOf(column: number, row: number): 'nothing' | 'cloud' | 'haze' | 'field' | 'soil' {
  const lean = column + 0.15 * row;
  if (lean < 90 || lean > 490) return 'nothing';
  if (Math.hypot(column - 256, row - 200) < 40) return 'cloud';
  if (row > 440) return 'haze';
  return (Math.floor(column / 64) + Math.floor(row / 64)) % 2 === 0 ? 'field' : 'soil';
}

/** Surface reflectance in ten-thousandths, of all eight bands in their order. */
const REFLECTANCES = {
  nothing: [0, 0, 0, 0, 0, 0, 0, 0],
  cloud: [5500, 5600, 5650, 5700, 5750, 5800, 5900, 6000],
  haze: [1500, 1500, 1550, 1600, 1650, 1700, 2200, 3000],
  field: [250, 300, 500, 600, 450, 350, 1300, 4200],
  soil: [600, 800, 1000, 1200, 1500, 1800, 2000, 2500],
} as const;

/** UDM2: clear, snow, shadow, light haze, heavy haze, cloud, confidence, unusable. */
const FLAGS = {
  nothing: [0, 0, 0, 0, 0, 0, 0, 1],
  cloud: [0, 0, 0, 0, 0, 1, 90, 0],
  haze: [0, 0, 0, 1, 0, 0, 80, 0],
  field: [1, 0, 0, 0, 0, 0, 98, 0],
  soil: [1, 0, 0, 0, 0, 0, 97, 0],
} as const;

/** The bands of a file with four, among the eight. */
export const FOUR_OF_EIGHT = [1, 3, 5, 7];

/** The stored number of a band (one of eight) at a pixel. */
export const storedAt = (band: number, column: number, row: number): number =>
  REFLECTANCES[kindOf(column, row)][band]!;

interface PlanetScopeProduct {
  readonly id: string;
  readonly bandCount?: 4 | 8;
  /** Null for a product without. */
  readonly json?: string | null;
  readonly isClipped?: boolean;
}

/** Writes a product as an order brings it: surface reflectance, UDM2 and metadata. */
export async function writePlanetScope(
  folder: string,
  { id, bandCount = 4, json = toPlanetScopeJson(id), isClipped = false }: PlanetScopeProduct,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const clip = isClipped ? '_clip' : '';
  const bands = bandCount === 4 ? FOUR_OF_EIGHT : [0, 1, 2, 3, 4, 5, 6, 7];
  const image = join(folder, `${id}_3B_AnalyticMS_SR${bandCount === 8 ? '_8b' : ''}${clip}.tif`);
  await writeBands(
    image,
    { type: 'uint16', nodata: 0 },
    bands.map((band) => (kind) => REFLECTANCES[kind][band]!),
  );
  await writeBands(
    join(folder, `${id}_3B_udm2${clip}.tif`),
    { type: 'uint8', nodata: null },
    [0, 1, 2, 3, 4, 5, 6, 7].map((band) => (kind) => FLAGS[kind][band]!),
  );
  if (json !== null) await writeFile(join(folder, `${id}_metadata.json`), json);
}

async function writeBands(
  path: string,
  { type, nodata }: { readonly type: PixelType; readonly nodata: number | null },
  bands: readonly ((kind: ReturnType<typeof kindOf>) => number)[],
): Promise<void> {
  const cog = await createCog(path, {
    epsg,
    type,
    bandCount: bands.length,
    nodata,
    width: size,
    height: size,
    transform: [west, pixel, 0, north, 0, -pixel],
    compression: 'deflate',
    predictor: 1,
    blockSize: 256,
    overviews: 'none',
  });
  const toPlane = (value: (kind: ReturnType<typeof kindOf>) => number): PixelArray =>
    makePixels(type, size * size).map((_, i) => value(kindOf(i % size, Math.floor(i / size))));
  await cog.writeRows(bands.map(toPlane), size);
  await cog.finish();
}
