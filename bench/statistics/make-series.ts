import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeScene, SCENE } from '../exports/make-scene.ts';
import { linkScenes, toDate, toItem } from './linked-scenes.ts';

/** Bands of the scenes of a series: those of an index, and the classification. */
const BANDS = ['B04', 'B08', 'SCL'] as const;
const cloudPercent = 0;

/** Makes many scenes of one tile, whose files are links to those of one scene. Gives the folder. */
export async function makeSeries(folder: string, count: number): Promise<string> {
  const source = join(folder, SCENE.name);
  if (!existsSync(join(source, `${SCENE.name}.json`))) {
    console.log('making a scene, which takes some minutes');
    await makeScene(source);
  }
  const series = join(folder, 'series');
  const files = Object.fromEntries(BANDS.map((band) => [band, join(source, `${band}.tif`)]));
  linkScenes(series, { count, filesOf: () => files, cloudPercent });
  return series;
}

/** The item that describes the newest scene, with whole paths, for another server. */
export function writeItem(series: string, path: string): void {
  const id = SCENE.name;
  const item = toItem({ id, date: toDate(0), cloudPercent, folder: join(series, id), bands: BANDS });
  writeFileSync(path, JSON.stringify(item));
}
