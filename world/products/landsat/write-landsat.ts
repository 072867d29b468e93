import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { badInput } from '../../../src/errors.ts';
import type { CogWriter } from '../../../src/formats/cog/index.ts';
import type { SkyPlan } from '../../light/exposure.ts';
import { earthSunDistanceAu, sunAt } from '../../light/index.ts';
import type { LocalWindow } from '../local-window.ts';
import type { ProductDeps } from '../product-deps.ts';
import type { BandScale } from './band-scale.ts';
import { planBandScales } from './band-scale.ts';
import type { LandsatGrid } from './grid.ts';
import { planGrid, toPanGrid } from './grid.ts';
import type { LandsatMission } from './missions.ts';
import { toMission, toProductName } from './missions.ts';
import { toMtlFiles } from './mtl.ts';
import { markNearClouds, markPixels, measureClouds, toQualityBand } from './quality.ts';
import { planSwath } from './swath.ts';
import type { BandFile } from './write-bands.ts';
import { createBandFile, writeBands } from './write-bands.ts';

/** One Landsat product of level 1. */
export interface LandsatPlan {
  readonly mission: LandsatMission;
  /** 2 when not said; nothing of Landsat 9 was shipped in collection 1. */
  readonly collection?: 1 | 2;
  /** Milliseconds since 1970; Landsats cross the world at about 19 o'clock UTC. */
  readonly atMs: number;
  /** The file's frame; the scene is the tilted parallelogram that touches its sides. */
  readonly window: LocalWindow;
  /** How many times as wide as the instrument's the pixels are; 1 when not said. */
  readonly coarsening?: number;
  readonly sky: SkyPlan;
}

/** Coarser pixels than this would be larger than what the world is made of. */
const MAX_COARSENING = 64;

function planScene({ mission: dataset, collection = 2, atMs, window, coarsening = 1 }: LandsatPlan) {
  const mission = toMission(dataset);
  if (collection === 1 && dataset === 'landsat9') {
    throw badInput('bad-collection', 'Landsat 9 has no products of collection 1.');
  }
  if (!(Number.isInteger(coarsening) && coarsening >= 1 && coarsening <= MAX_COARSENING)) {
    throw badInput('bad-coarsening', `Pixels can be made 1 to ${MAX_COARSENING} times as wide.`);
  }
  // the text in the metadata is what readers calibrate with, so the numbers are made with the rounded sun
  const { elevationDeg, azimuthDeg } = sunAt(atMs);
  const sun = { elevationDeg: Number(elevationDeg.toFixed(8)), azimuthDeg };
  if (!(sun.elevationDeg > 0)) {
    throw badInput('bad-time', 'Landsat takes its pictures by day; the sun is down at this time.');
  }
  const distanceAu = Number(earthSunDistanceAu(atMs).toFixed(7));
  const acquiredOn = new Date(atMs).toISOString().slice(0, 10);
  const hasGaps = mission.gapsFromMs !== null && atMs >= mission.gapsFromMs;
  const pixelM = mission.sensor.bands.find(({ role }) => role === 'RED')!.resolutionM * coarsening;
  const grid = planGrid(window, pixelM);
  return {
    mission,
    collection,
    sun,
    hasGaps,
    grid,
    earthSunDistanceAu: distanceAu,
    swath: planSwath(grid, hasGaps),
    name: toProductName(mission, collection, atMs),
    scales: planBandScales(mission, { acquiredOn, earthSunDistanceAu: distanceAu }),
  };
}

/** Writes a Landsat product into a folder of its own name; nothing stays when it fails. */
export async function writeLandsat(plan: LandsatPlan, deps: ProductDeps): Promise<void> {
  const scene = planScene(plan);
  const { productId } = scene.name;
  const folder = join(deps.directory, productId);
  await mkdir(folder, { recursive: true });
  const open: CogWriter[] = [];
  const create = async (grid: LandsatGrid, file: BandFile): Promise<CogWriter> => {
    const writer = await createBandFile({ folder, productId, grid }, file);
    open.push(writer);
    return writer;
  };
  try {
    await writeFiles({ plan, scene, deps, create, folder });
  } catch (error) {
    await Promise.allSettled(open.map((writer) => writer.abort()));
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

interface FilesRequest {
  readonly plan: LandsatPlan;
  readonly scene: ReturnType<typeof planScene>;
  readonly deps: ProductDeps;
  readonly create: (grid: LandsatGrid, file: BandFile) => Promise<CogWriter>;
  readonly folder: string;
}

async function writeFiles({ plan, scene, deps, create, folder }: FilesRequest): Promise<void> {
  const { mission, collection, grid, swath, scales, sun } = scene;
  const panGrid = toPanGrid(grid);
  const [pan, others] = [scales.filter(({ isPan }) => isPan), scales.filter(({ isPan }) => !isPan)];
  const count = grid.width * grid.height;
  const flags = new Uint8Array(count);
  const saturated = new Uint16Array(count);
  const total = count + (pan.length === 0 ? 0 : panGrid.width * panGrid.height);
  let done = 0;
  const note = (pixels: number) => {
    done += pixels;
    deps.onProgress?.(done / total);
  };
  const createAll = async (on: LandsatGrid, bands: readonly BandScale[]) => {
    const files: CogWriter[] = [];
    for (const { key, maxStored } of bands) {
      const type = maxStored > 255 ? 'uint16' : 'uint8';
      files.push(await create(on, { name: `B${key}`, type, nodata: 0, kind: 'measure' }));
    }
    return files;
  };
  const common = { ...plan, mission, swath, sunElevationDeg: sun.elevationDeg };
  const brightOthers = await writeBands(deps, {
    ...common,
    grid,
    scales: others,
    files: await createAll(grid, others),
    saturated,
    onStrip({ row, rowCount, seen, taken }) {
      if (taken !== null) {
        const { exposure, box } = taken;
        const into = flags.subarray(row * grid.width, (row + rowCount) * grid.width);
        markPixels({
          exposure,
          boxWidth: box.width,
          start: box.column,
          seen,
          flags: into,
          rowWidth: grid.width,
        });
      }
      note(rowCount * grid.width);
    },
  });
  const brightPan = await writeBands(deps, {
    ...common,
    grid: panGrid,
    scales: pan,
    files: await createAll(panGrid, pan),
    saturated: null,
    onStrip: ({ rowCount }) => note(rowCount * panGrid.width),
  });
  const clouds = measureClouds(flags);
  markNearClouds(flags, grid.width);
  const quality = toQualityBand(flags, saturated, { collection, quality: mission.quality });
  const bits = { type: 'uint16', kind: 'bits' } as const;
  const name = collection === 1 ? 'BQA' : 'QA_PIXEL';
  await writeWhole(await create(grid, { ...bits, name, nodata: 1 }), quality, grid.height);
  if (collection === 2) {
    const file = await create(grid, { ...bits, name: 'QA_RADSAT', nodata: null });
    await writeWhole(file, saturated, grid.height);
  }
  // last, because a folder is a product when it has these
  const metadata = toMtlFiles({
    ...scene,
    atMs: plan.atMs,
    clouds,
    saturated: new Set([...brightOthers, ...brightPan]),
  });
  for (const [file, text] of metadata) await writeFile(join(folder, file), text);
}

async function writeWhole(file: CogWriter, pixels: Uint16Array, height: number): Promise<void> {
  await file.writeRows([pixels], height);
  await file.finish();
}
