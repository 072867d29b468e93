import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { cancelled } from '../../src/errors.ts';
import { createCog } from '../../src/formats/cog/index.ts';
import type { Ground } from '../ground/ground.ts';
import { frame } from '../setting/frame.ts';
import { makeToLocal } from './degree-grid.ts';
import { hasDefects, toDefectiveHeight } from './height-defects.ts';

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
