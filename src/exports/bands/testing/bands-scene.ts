import { readFile } from 'node:fs/promises';
import { makeMemorySource } from '../../../formats/testing/memory-source.ts';
import { openTiff } from '../../../formats/tiff/index.ts';
import type { Bounds } from '../../../geo/index.ts';
import { makeProjection } from '../../../proj/index.ts';
import type { PixelWindow } from '../../../raster/index.ts';
import type { ExportArea } from '../../export.ts';
import { makeBandsScene, writeTestFile } from './bands-here.ts';

const SIZE = { width: 700, height: 610 };

/** From the metres of the scene to degrees. */
export const toDegrees = makeProjection(32631, 4326).forward;

/** The box in degrees that holds just the pixels of a window; a little smaller, because it is slanted on the grid. */
export function boundsOf({ x, y, width, height }: PixelWindow, pixelM = 10): Bounds {
  const [west, south] = toDegrees(500_000 + (x + 0.2) * pixelM, 4_700_000 - (y + height - 0.2) * pixelM);
  const [east, north] = toDegrees(500_000 + (x + width - 0.2) * pixelM, 4_700_000 - (y + 0.2) * pixelM);
  return { minX: west, minY: south, maxX: east, maxY: north };
}

/** The area of these pixels. */
export const areaOf = (window: PixelWindow): ExportArea => ({ kind: 'bounds', bounds: boundsOf(window) });

/** Writes bands of two resolutions, and gives the scene and its pixels. */
export async function writeScene(folder: string) {
  const bands: Record<string, Awaited<ReturnType<typeof writeTestFile>>> = {};
  for (const [name, file] of Object.entries({
    B02: { ...SIZE, seeds: [2] },
    B03: { ...SIZE, seeds: [3] },
    B04: { ...SIZE, seeds: [4] },
    B05: { width: 350, height: 305, pixelM: 20, seeds: [5] },
    B06: { width: 350, height: 305, pixelM: 20, seeds: [6] },
  })) {
    bands[name] = await writeTestFile(folder, { name: `${name}.tif`, ...file });
  }
  const assets = Object.fromEntries(Object.entries(bands).map(([name, { asset }]) => [name, asset]));
  const pixels = Object.fromEntries(Object.entries(bands).map(([name, made]) => [name, made.bands[0]!]));
  return { scene: makeBandsScene(assets), pixels };
}

/** The stored bytes of all blocks of a TIFF, level by level. */
export async function readStored(path: string) {
  const bytes = await readFile(path);
  const tiff = await openTiff(makeMemorySource(bytes));
  return tiff.images.map(({ blockOffsets, blockSizes }) =>
    Array.from(blockOffsets, (offset, i) =>
      bytes.subarray(offset, offset + blockSizes[i]!).toString('base64'),
    ),
  );
}
