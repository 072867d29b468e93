import { existsSync, linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeScene, SCENE } from '../exports/make-scene.ts';

/** Bands of the scenes of a series: those of an index, and the classification. */
const BANDS = ['B04', 'B08', 'SCL'] as const;

/** A date of the series: every fifth day, as Sentinel-2 passes. */
const toDate = (serial: number): string =>
  new Date(Date.UTC(2026, 5, 1) - serial * 5 * 86_400_000).toISOString().slice(0, 10);

/**
 * Makes many scenes of one tile, each with files of its own name that are links to those of one scene: the service can not
 * know that, and decodes each of them. Gives the folder.
 */
export async function makeSeries(folder: string, count: number): Promise<string> {
  const source = join(folder, SCENE.name);
  if (!existsSync(join(source, `${SCENE.name}.json`))) {
    console.log('making a scene, which takes some minutes');
    await makeScene(source);
  }
  const series = join(folder, 'series');
  for (let serial = 0; serial < count; serial += 1) {
    const date = toDate(serial);
    const id = `S2B_36UVA_${date.replaceAll('-', '')}_0_L2A`;
    const scene = join(series, id);
    if (existsSync(join(scene, `${id}.json`))) continue;
    mkdirSync(scene, { recursive: true });
    for (const band of BANDS) linkSync(join(source, `${band}.tif`), join(scene, `${band}.tif`));
    writeFileSync(join(scene, `${id}.json`), JSON.stringify(toItem(id, date, '.')));
  }
  return series;
}

/** The item that describes the newest scene, with whole paths, for another server. */
export function writeItem(series: string, path: string): void {
  const id = SCENE.name;
  writeFileSync(path, JSON.stringify(toItem(id, toDate(0), join(series, id))));
}

const toItem = (id: string, date: string, folder: string) => ({
  type: 'Feature',
  stac_version: '1.0.0',
  id,
  bbox: [32, 49, 35, 52],
  properties: {
    datetime: `${date}T08:50:12Z`,
    'eo:cloud_cover': 0,
    'earthsearch:boa_offset_applied': true,
    's2:processing_baseline': '05.11',
  },
  geometry: null,
  links: [],
  assets: Object.fromEntries(
    BANDS.map((band) => [band, { href: `${folder}/${band}.tif`, type: 'image/tiff' }]),
  ),
});
