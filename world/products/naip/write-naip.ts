import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addNoise, expose } from '../../light/index.ts';
import { frame } from '../../setting/frame.ts';
import { toLocalGrid, toLocations } from '../local-window.ts';
import type { ProductDeps } from '../product-deps.ts';
import { toReflectiveBands } from '../reflective-bands.ts';
import { toStripSeed, writeInStrips } from '../write-in-strips.ts';
import { toMetadataText } from './metadata-text.ts';
import type { NaipPlan } from './plan.ts';
import { toNaipImage } from './plan.ts';
import { naipEpsg } from './quarter-quad.ts';
import { develop, makeToneCurve } from './tone-curve.ts';

const PIXEL_M = 1;
/** Reflectance that is shown white: bright roofs and roads in colours, dense crops in near infrared. */
const WHITE = { colour: 0.5, infrared: 0.8 } as const;
/** Of a photograph with a signal-to-noise ratio of about 50 over fields. */
const NOISE = { dark: 0.0012, shot: 2e-5 } as const;
/** Flown in clear weather, below most of the haze. */
const SKY = { seed: 0, opaque: 0, cirrus: 0, haze: 0.05 } as const;

/** Writes an image of NAIP and its metadata, in the folders of the bucket: `wa/2023/1m/rgbir/48122/m_….tif`. */
export async function writeNaip(plan: NaipPlan, deps: ProductDeps): Promise<void> {
  const { world, signal, onProgress } = deps;
  const image = toNaipImage(plan);
  const grid = toLocalGrid(image.window, PIXEL_M);
  const all = toReflectiveBands('naip').map(({ spectral }) => spectral);
  const bands = plan.samples === 'rgb' ? all.slice(0, 3) : all;
  const curves = [WHITE.colour, WHITE.colour, WHITE.colour, WHITE.infrared].map(makeToneCurve);
  const folder = join(deps.directory, ...image.folders);
  await mkdir(folder, { recursive: true });
  await writeInStrips({
    images: [
      {
        path: join(folder, `${image.name}.tif`),
        options: {
          width: grid.width,
          height: grid.height,
          bandCount: bands.length,
          type: 'uint8',
          epsg: naipEpsg,
          transform: [frame.west + grid.x, PIXEL_M, 0, frame.north - grid.y, 0, -PIXEL_M],
          nodata: null,
          compression: 'steady-deflate',
          isDurable: false,
          predictor: 2,
          photometric: 'rgb',
        },
      },
    ],
    width: grid.width,
    height: grid.height,
    develop(firstRow, rows) {
      const part = { firstCol: 0, cols: grid.width, firstRow, rows };
      const survey = world.ground.survey(toLocations(grid, part));
      const { planes } = expose(world, { survey, atMs: plan.atMs, bands, sky: SKY, level: 'surface' });
      const developed = planes.map((plane, band) => {
        addNoise(plane, { ...NOISE, seed: toStripSeed(plan.seed, firstRow, band) });
        return develop(plane, curves[band]!);
      });
      return [developed];
    },
    signal,
    onProgress,
  });
  await writeFile(join(folder, `${image.name}.txt`), toMetadataText(image));
}
