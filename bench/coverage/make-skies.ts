import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createCog } from '../../src/formats/cog/index.ts';
import { SIDE_M } from '../exports/make-scene.ts';
import { linkScenes } from '../statistics/linked-scenes.ts';
import { EPSG, TRANSFORM } from '../tiles/make-band.ts';

const PIXEL_M = 20;
const SIDE_PX = SIDE_M / PIXEL_M;
const STRIP_PX = 512;
/** Skies that differ; scenes take turns at them. */
const SKIES = 5;

/** Classes of Sentinel-2: vegetation, a cloud with an edge of medium probability, a shadow, and cirrus. */
const CLASSES = { clear: 4, shadow: 3, edge: 8, cloud: 9, cirrus: 10 } as const;

/** The class of a pixel: clouds of some kilometres, with ragged edges. */
function classAt(col: number, row: number, sky: number): number {
  const wave = (length: number, turn: number): number =>
    Math.sin((col * Math.cos(turn + sky) + row * Math.sin(turn + sky)) / length + 7 * sky + turn);
  const height =
    wave(160, 0.3) + wave(90, 1.7) + 0.6 * wave(31, 2.9) + 0.4 * wave(11, 4.1) + 0.3 * wave(4, 5.2);
  if (height > 1.2) return CLASSES.cloud;
  if (height > 1) return CLASSES.edge;
  if (height > 0.9) return CLASSES.cirrus;
  return height < -1.8 ? CLASSES.shadow : CLASSES.clear;
}

async function writeSky(path: string, sky: number): Promise<void> {
  const cog = await createCog(path, {
    width: SIDE_PX,
    height: SIDE_PX,
    bandCount: 1,
    type: 'uint8',
    epsg: EPSG,
    transform: [TRANSFORM[0], PIXEL_M, 0, TRANSFORM[3], 0, -PIXEL_M],
    nodata: 0,
    compression: 'deflate',
    predictor: 1,
    overviewMethod: 'nearest',
    isDurable: false,
  });
  for (let firstRow = 0; firstRow < SIDE_PX; firstRow += STRIP_PX) {
    const rows = Math.min(STRIP_PX, SIDE_PX - firstRow);
    const pixels = Uint8Array.from({ length: rows * SIDE_PX }, (_, i) =>
      classAt(i % SIDE_PX, firstRow + Math.floor(i / SIDE_PX), sky),
    );
    await cog.writeRows([pixels], rows);
  }
  await cog.finish();
}

/** Makes scenes of one tile with classifications alone, which are links to a few. */
export async function makeSkies(folder: string, count: number): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const toPath = (serial: number): string => join(folder, `${serial % SKIES}.tif`);
  for (let sky = 0; sky < SKIES; sky += 1) await writeSky(toPath(sky), sky);
  const filesOf = (serial: number) => ({ SCL: toPath(serial) });
  linkScenes(join(folder, 'series'), { count, filesOf, cloudPercent: 30 });
}
