import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCog } from '../../src/formats/cog/index.ts';
import { EPSG, makeBand, TRANSFORM } from '../tiles/make-band.ts';

/** The one scene of the bench: a Sentinel-2 tile as Earth Search stores it. */
export const SCENE = { viewId: 'S2L2A/36/U/VA/2026/6/1/0', name: 'S2B_36UVA_20260601_0_L2A' } as const;

/** The side of a tile in metres. */
export const SIDE_M = 109_800;

/** The bands by the size of their pixels: twelve, and the scene classification. */
const RESOLUTIONS_M = {
  B01: 60,
  B02: 10,
  B03: 10,
  B04: 10,
  B05: 20,
  B06: 20,
  B07: 20,
  B08: 10,
  B8A: 20,
  B09: 60,
  B11: 20,
  B12: 20,
  SCL: 20,
} as const;

/** All bands of the scene. */
export const BANDS = Object.keys(RESOLUTIONS_M);

/** Where a band lies in the folder of the scene. */
export const toBandPath = (folder: string, band: string): string => join(folder, `${band}.tif`);

/** Rows that are made at a time. */
const STRIP_PX = 512;

/** Writes one band as a COG, in the way that Sentinel-2 COGs are written; classes instead of measures for SCL. */
async function writeBand(folder: string, band: keyof typeof RESOLUTIONS_M, serial: number): Promise<void> {
  const resolutionM = RESOLUTIONS_M[band];
  const sizePx = SIDE_M / resolutionM;
  const isOfClasses = band === 'SCL';
  const cog = await createCog(toBandPath(folder, band), {
    width: sizePx,
    height: sizePx,
    bandCount: 1,
    type: isOfClasses ? 'uint8' : 'uint16',
    epsg: EPSG,
    transform: [TRANSFORM[0], resolutionM, 0, TRANSFORM[3], 0, -resolutionM],
    nodata: 0,
    compression: 'deflate',
    predictor: isOfClasses ? 1 : 2,
    overviewMethod: isOfClasses ? 'nearest' : 'average',
    isDurable: false,
  });
  for (let firstRow = 0; firstRow < sizePx; firstRow += STRIP_PX) {
    const rows = Math.min(STRIP_PX, sizePx - firstRow);
    const pixels = makeBand(serial, { firstRow, rows, sizePx });
    await cog.writeRows([isOfClasses ? Uint8Array.from(pixels, (value) => 2 + (value >> 9)) : pixels], rows);
  }
  await cog.finish();
}

/** Makes the scene in a folder: some gigabyte of bands, and the item that describes them. Takes minutes. */
export async function makeScene(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [serial, band] of BANDS.entries())
    await writeBand(folder, band as keyof typeof RESOLUTIONS_M, serial);
  writeFileSync(join(folder, `${SCENE.name}.json`), JSON.stringify(toItem()));
}

const toItem = () => ({
  type: 'Feature',
  stac_version: '1.0.0',
  id: SCENE.name,
  properties: {
    datetime: '2026-06-01T08:50:12Z',
    'eo:cloud_cover': 0,
    'earthsearch:boa_offset_applied': true,
    's2:processing_baseline': '05.11',
  },
  geometry: null,
  links: [],
  assets: Object.fromEntries(BANDS.map((band) => [band, { href: `./${band}.tif`, type: 'image/tiff' }])),
});
