import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tileGrid } from '../../../src/geo/index.ts';
import { aTicket } from '../../../src/pool/testing/run-here.ts';
import { aspectRelief, slopeRelief } from '../../../src/terrain/heights/relief.ts';

import { groundSizes, widenGrid } from '../../../src/terrain/plan/mercator.ts';
import type { WantedTile } from './choose-tiles.ts';
import type { OpenedDem } from './serve-dem.ts';

/** Files of float32 numbers in degrees, NaN where they are unknown. */
export interface SlopeFiles {
  readonly slope: string;
  readonly aspect: string;
}

/** Computes and writes the slope and aspect of a tile: the numbers that its pictures are painted from. */
export async function writeSlopes(
  { readGrid, kernels }: OpenedDem,
  tile: WantedTile,
  folder: string,
): Promise<SlopeFiles> {
  const grid = tileGrid(tile, tile.sizePx);
  const heights = await readGrid({ grid: widenGrid(grid, 1), isFiltered: false }, aTicket);
  const allocate = kernels.begin();
  const heightsAt = allocate(heights.byteLength);
  const maskAt = allocate(heights.length);
  new Float32Array(kernels.buffer(), heightsAt, heights.length).set(heights);
  new Uint8Array(kernels.buffer(), maskAt, heights.length).set(
    Uint8Array.from(heights, (heightM) => (Number.isNaN(heightM) ? 0 : 1)),
  );
  const sizes = groundSizes(grid);
  const { width, height } = grid;
  const relief = { heightsAt, maskAt, width, height, pixelWidthsM: sizes, pixelHeightsM: sizes };
  const write = (kind: string, { valuesAt, maskAt: knownAt }: ReturnType<typeof slopeRelief>): string => {
    const known = new Uint8Array(kernels.buffer(), knownAt, width * height);
    const degrees = new Float32Array(kernels.buffer(), valuesAt, width * height);
    const file = join(folder, `${tile.z}_${tile.x}_${tile.y}.${kind}`);
    writeFileSync(
      file,
      degrees.map((value, i) => (known[i] === 1 ? value : Number.NaN)),
    );
    return file;
  };
  return {
    slope: write('slope', slopeRelief(kernels, allocate, relief)),
    aspect: write('aspect', aspectRelief(kernels, allocate, relief)),
  };
}
