import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { cancelled } from '../../src/errors.ts';
import { createCog } from '../../src/formats/cog/index.ts';
import type { Ground } from '../ground/ground.ts';
import { random } from '../numbers/noise.ts';
import { frame, spots } from '../setting.ts';
import { makeToLocal } from './degree-grid.ts';

/** How fine the terrain is: the two products of the Copernicus DEM, by seconds of arc. */
export type TerrainSeconds = 1 | 3;

interface TerrainDeps {
  readonly ground: Ground;
  /** Absolute folder to write in. */
  readonly directory: string;
  readonly seconds: TerrainSeconds;
  readonly signal?: AbortSignal;
  readonly onProgress?: (fraction: number) => void;
}

/** South-west corners of the cells of one degree that the world's frame touches. */
const cells = [
  { latitude: 48, longitude: -123 },
  { latitude: 48, longitude: -122 },
  { latitude: 47, longitude: -123 },
  { latitude: 47, longitude: -122 },
] as const;

/** Outside of the world's frame, and voids; where the real DEM has no land it has no file. */
const NODATA = -32767;
/** A degree of latitude. */
const DEGREE_M = 111_200;
/** Columns between two locations that are projected; in between a line is straight to a centimetre. */
const STRIDE = 20;

/** Writes the heights as COGs of one degree each, named and laid out like the Copernicus DEM. */
export async function writeTerrain(deps: TerrainDeps): Promise<void> {
  for (const [i, cell] of cells.entries()) {
    await writeCell(deps, cell, (fraction) => deps.onProgress?.((i + fraction) / cells.length));
  }
}

async function writeCell(
  { ground, directory, seconds, signal }: TerrainDeps,
  { latitude, longitude }: (typeof cells)[number],
  onProgress: (fraction: number) => void,
): Promise<void> {
  const size = 3600 / seconds;
  const name = `Copernicus_DSM_COG_${seconds * 10}_N${latitude}_00_W${-longitude}_00_DEM`;
  const step = 1 / size;
  await mkdir(join(directory, name), { recursive: true });
  const writer = await createCog(join(directory, name, `${name}.tif`), {
    width: size,
    height: size,
    bandCount: 1,
    type: 'float32',
    epsg: 4326,
    // Cells are centred on whole seconds, so the edge lies half a cell outside of the degree (GLO-30 handbook).
    transform: [longitude - step / 2, step, 0, latitude + 1 + step / 2, 0, -step],
    nodata: NODATA,
    compression: 'steady-deflate',
    isDurable: false,
    predictor: 3,
  });
  try {
    const toRow = makeToRow(ground, longitude, size);
    for (let row = 0; row < size; row++) {
      await writer.writeRows([toRow(latitude + 1 - row * step)], 1);
      if (row % 60 !== 59) continue;
      onProgress((row + 1) / size);
      await nextTurn();
      if (signal?.aborted) throw cancelled('demo-stopped', 'Making the terrain was stopped.');
    }
    await writer.finish();
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

/** Heights of a row of cells at a latitude. */
function makeToRow(ground: Ground, longitude: number, size: number): (latitude: number) => Float32Array {
  const toLocal = makeToLocal();
  const pixelM = DEGREE_M / size;
  return (latitude) => {
    const heights = new Float32Array(size).fill(NODATA);
    let [x0, y0] = toLocal(longitude, latitude);
    for (let start = 0; start < size; start += STRIDE) {
      const [x1, y1] = toLocal(longitude + (start + STRIDE) / size, latitude);
      for (let i = 0; i < STRIDE && start + i < size; i++) {
        const x = x0 + ((x1 - x0) * i) / STRIDE;
        const y = y0 + ((y1 - y0) * i) / STRIDE;
        const isInside = x >= 0 && y >= 0 && x <= frame.sizeM && y <= frame.sizeM;
        if (!isInside) continue;
        const height = ground.heightAt(x, y, pixelM);
        const column = Math.round((longitude + 180) * size) + start + i;
        const row = Math.round((90 - latitude) * size);
        heights[start + i] = hasDefects(x, y) ? (toDefectiveHeight(height, column, row) ?? NODATA) : height;
      }
      [x0, y0] = [x1, y1];
    }
    return heights;
  };
}

/** Side of the square around the forest in which the DEM has the defects of a bad survey. */
const DEFECTS_SIDE_M = 8_000;

/** Share of pixels that are spikes: towers and radar echoes. */
const SPIKE_SHARE = 1 / 400;
/** Blocks of pixels of which this share is a void, as in the shadow of a radar. */
const VOID_BLOCK_PX = 4;
const VOID_SHARE = 1 / 50;
const SEEDS = { spike: 7_101, size: 7_102, hole: 7_103, rim: 7_104 } as const;

/** Whether a location, in local metres, lies where the DEM has defects. */
export const hasDefects = (x: number, y: number): boolean =>
  Math.max(Math.abs(x - spots.forest.x), Math.abs(y - spots.forest.y)) <= DEFECTS_SIDE_M / 2;

/**
 * A height with the defects that real models have: whole metres, spikes of 40 to 120 m up or down, and voids (null).
 * Column and row number the pixels of the whole model.
 */
function toDefectiveHeight(height: number, column: number, row: number): number | null {
  const [blockColumn, blockRow] = [Math.floor(column / VOID_BLOCK_PX), Math.floor(row / VOID_BLOCK_PX)];
  const isHole = random(blockColumn, blockRow, SEEDS.hole) < VOID_SHARE;
  // Their rims are ragged.
  if (isHole && random(column, row, SEEDS.rim) < 0.8) return null;
  const whole = Math.round(height);
  if (random(column, row, SEEDS.spike) >= SPIKE_SHARE) return whole;
  const size = random(column, row, SEEDS.size);
  const sign = size < 0.5 ? -1 : 1;
  return whole + sign * Math.round(40 + 80 * size);
}
