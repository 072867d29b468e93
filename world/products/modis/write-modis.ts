import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cancelled } from '../../../src/errors.ts';
import type { CogWriter } from '../../../src/formats/cog/index.ts';
import { createCog } from '../../../src/formats/cog/index.ts';
import { sensorByDataset } from '../../../src/sensors/index.ts';
import type { Exposure, SpectralBand } from '../../light/exposure.ts';
import { addNoise, expose } from '../../light/index.ts';
import { hash } from '../../numbers/noise.ts';
import { DAY_MS, frame } from '../../setting.ts';
import type { LocalWindow } from '../local-window.ts';
import type { ProductDeps } from '../product-deps.ts';
import type { ModisGrid } from './sinusoidal-grid.ts';
import { planModisGrid, radiusM, tile } from './sinusoidal-grid.ts';

/** One MCD43A4 product: reflectance of the ground without clouds, put together from sixteen days. */
export interface ModisPlan {
  /** Any moment of the day it stands for, in milliseconds since 1970. */
  readonly atMs: number;
  /** The whole world when not said. */
  readonly window?: LocalWindow;
  /** Seed of what little noise is left. */
  readonly seed: number;
}

/** The product stands for local noon; in the world's middle that is soon after 20 o'clock UTC. */
const NOON_MS = 20.15 * 3_600_000;
/** Days from the day it stands for to its making: half of the sixteen, and one. */
const PROCESSING_MS = 9 * DAY_MS + 34_943_000;

/** MCD43 user guide: reflectance times 10,000; 32767 and 255 where there is none. */
const SCALE = 10_000;
const LARGEST = 32_766;
const FILL = { reflectance: 32_767, quality: 255 } as const;

/** Sixteen days average most of the noise away. */
const NOISE = { dark: 0.0006, shot: 2e-6 } as const;

/** `YYYYDDD`. */
function toYearDay(atMs: number): string {
  const year = new Date(atMs).getUTCFullYear();
  const day = Math.floor((atMs - Date.UTC(year, 0, 1)) / DAY_MS) + 1;
  return `${year}${String(day).padStart(3, '0')}`;
}

/** The folders of the provider's bucket, and how the files in them begin. */
function toName(dayMs: number): { folders: string[]; start: string } {
  const two = (value: number) => String(value).padStart(2, '0');
  const [horizontal, vertical] = [two(tile.horizontal), two(tile.vertical)];
  const madeMs = dayMs + PROCESSING_MS;
  const clock = new Date(madeMs).toISOString().slice(11, 19).replaceAll(':', '');
  const yearDay = toYearDay(dayMs);
  return {
    folders: ['MCD43A4.006', horizontal, vertical, yearDay],
    start: `MCD43A4.A${yearDay}.h${horizontal}v${vertical}.006.${toYearDay(madeMs)}${clock}`,
  };
}

const toBands = (): readonly SpectralBand[] =>
  sensorByDataset('modis')!.bands.flatMap(({ name, kind, centreNm, widthNm }) =>
    kind === 'reflective' ? [{ name, kind, centreNm: centreNm!, widthNm: widthNm! }] : [],
  );

/** Writes an MCD43A4 product into the folders of its tile and day; of what fails, no file stays. */
export async function writeModis(plan: ModisPlan, deps: ProductDeps): Promise<void> {
  const grid = planModisGrid(plan.window ?? { x: 0, y: 0, widthM: frame.sizeM, heightM: frame.sizeM });
  if (deps.signal?.aborted) throw cancelled('demo-stopped', 'Making the demo was stopped.');
  const dayMs = Math.floor(plan.atMs / DAY_MS) * DAY_MS;
  const bands = toBands();
  const makeSurvey = () => deps.world.ground.survey(grid.locations);
  const key = `modis ${grid.transform.join(' ')} ${grid.width} ${grid.height} ${grid.locations.width}`;
  const exposure = expose(deps.world, {
    survey: deps.surveys?.getOrMake(key, makeSurvey) ?? makeSurvey(),
    atMs: dayMs + NOON_MS,
    bands,
    sky: { seed: plan.seed, opaque: 0, cirrus: 0, haze: 0 },
    level: 'surface',
  });
  const { folders, start } = toName(dayMs);
  const folder = join(deps.directory, ...folders);
  await mkdir(folder, { recursive: true });
  const written: string[] = [];
  try {
    for (const [i, { name }] of bands.entries()) {
      if (deps.signal?.aborted) throw cancelled('demo-stopped', 'Making the demo was stopped.');
      const seed = hash(i, dayMs / DAY_MS, plan.seed);
      const files = [
        { name, pixels: toReflectance(grid, exposure.planes[i]!, seed) },
        { name: `${name}qa`, pixels: toQuality(grid, exposure) },
      ];
      const paths = files.map((file) => join(folder, `${start}_${file.name}.TIF`));
      written.push(...paths);
      await Promise.all(files.map(({ pixels }, at) => writeImage(paths[at]!, grid, pixels)));
      deps.onProgress?.((i + 1) / bands.length);
    }
  } catch (error) {
    await Promise.all(written.map((path) => rm(path, { force: true })));
    throw error;
  }
}

function toReflectance({ width, height, indices }: ModisGrid, plane: Float32Array, seed: number): Int16Array {
  addNoise(plane, { ...NOISE, seed });
  const pixels = new Int16Array(width * height).fill(FILL.reflectance);
  for (let i = 0; i < indices.length; i++) {
    pixels[indices[i]!] = Math.min(Math.max(Math.floor(plane[i]! * SCALE + 0.5), 0), LARGEST);
  }
  return pixels;
}

/** 0 for a full inversion; 1 where snow came or went during the days, so that only the size of it was fitted. */
function toQuality({ width, height, indices }: ModisGrid, { painted: { snow } }: Exposure): Uint8Array {
  const pixels = new Uint8Array(width * height).fill(FILL.quality);
  for (let i = 0; i < indices.length; i++) pixels[indices[i]!] = snow[i]! > 0.02 && snow[i]! < 0.98 ? 1 : 0;
  return pixels;
}

async function writeImage(path: string, grid: ModisGrid, pixels: Int16Array | Uint8Array): Promise<void> {
  const { width, height, transform } = grid;
  const isReflectance = pixels instanceof Int16Array;
  const cog: CogWriter = await createCog(path, {
    width,
    height,
    transform,
    bandCount: 1,
    type: isReflectance ? 'int16' : 'uint8',
    epsg: null,
    sinusoidalRadiusM: radiusM,
    nodata: isReflectance ? FILL.reflectance : FILL.quality,
    compression: 'steady-deflate',
    isDurable: false,
    predictor: isReflectance ? 2 : 1,
    overviewMethod: isReflectance ? 'average' : 'nearest',
    bands: [isReflectance ? { scale: 1 / SCALE } : {}],
  });
  try {
    await cog.writeRows([pixels], height);
    await cog.finish();
  } catch (error) {
    await cog.abort();
    throw error;
  }
}
