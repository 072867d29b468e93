/** Files of mosaics of scenes in memory, on this thread. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { makeBlockCache, makeThreadTools } from '../../../blocks/index.ts';
import { makeMemorySource } from '../../../formats/testing/memory-source.ts';
import { openTiff, readBlock, toBandPixels } from '../../../formats/tiff/index.ts';
import type { Bounds, Grid } from '../../../geo/index.ts';
import { gridBounds } from '../../../geo/index.ts';
import type { Mosaics } from '../../../mosaic/index.ts';
import { july, newest } from '../../../mosaic/testing/a-mosaic.ts';
import type { TestScene } from '../../../mosaic/testing/mosaics-here.ts';
import { everywhere, NATIVE } from '../../../mosaic/testing/mosaics-here.ts';
import { aTicket, makeRunnerHere } from '../../../pool/testing/run-here.ts';
import { projectBounds } from '../../../proj/index.ts';
import type { ExportRun } from '../../export.ts';
import type { ExportJobs } from '../../export-jobs.ts';
import { makeExportJobs } from '../../export-jobs.ts';
import type { MosaicOrder } from '../mosaic-order.ts';
import { makePlanMosaicFile } from '../plan-mosaic-file.ts';

/** A scene of the square kilometres around the others. */
export const sceneOf = (day: number, more: Partial<TestScene> = {}): TestScene => ({
  day,
  grid: NATIVE,
  bands: { B04: everywhere(100 * day), B08: everywhere(1_000 + day) },
  ...more,
});

/** The rectangle of a grid in degrees, a little smaller, so that its pixels are those of the grid. */
export function boundsOf(grid: Grid): Bounds {
  const { minX, minY, maxX, maxY } = gridBounds(grid);
  const inner = { minX: minX + 2, minY: minY + 2, maxX: maxX - 2, maxY: maxY - 2 };
  return projectBounds(inner, grid.epsg, 4326)!;
}

/** B04 of July on the ground of the scenes. */
export const anOrder: MosaicOrder = {
  mosaic: {
    search: july,
    composition: newest,
  },
  bands: 'B04',
  nameAlias: null,
  area: { kind: 'bounds', bounds: boundsOf(NATIVE) },
  pixelM: null,
  epsg: null,
  content: { kind: 'values', areBands: true, calibrated: false },
};

/** An order with another selection. */
export const by = (
  selection: MosaicOrder['mosaic']['composition']['selection'],
  more: Partial<MosaicOrder> = {},
): MosaicOrder => ({
  ...anOrder,
  mosaic: { ...anOrder.mosaic, composition: { ...newest, selection } },
  ...more,
});

/** A run that no one watches. */
export const aRun: ExportRun = { ticket: { ...aTicket, lane: 'task' }, onProgress() {} };

/** Writes files of mosaics into folders that are gone after the tests. */
export function useMosaicFiles() {
  const folder = mkdtempSync(join(tmpdir(), 'swath-mosaic-files-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const files = { dataDir: folder, folders: [] };
  const tools = makeThreadTools({ files, blocks: makeBlockCache(2 ** 20).handle });
  const pool = makeRunnerHere<ExportJobs>(makeExportJobs(tools));
  return {
    pool,
    makeFolder: () => mkdtempSync(join(folder, 'out-')),
    makePlan: (mosaics: Mosaics, filePx?: number) =>
      makePlanMosaicFile({ mosaics, pool, ...(filePx === undefined ? {} : { filePx }) }),
  };
}

/** A file that was written: its facts, its bands, and its bytes as text. */
export async function readTiff(file: string | Uint8Array) {
  const bytes = typeof file === 'string' ? readFileSync(file) : file;
  const tiff = await openTiff(makeMemorySource(bytes));
  const [image] = tiff.images;
  const readLevel = async (level: number): Promise<readonly number[][]> => {
    const own = tiff.images[level]!;
    const bands: number[][] = [];
    for (let band = 0; band < own.bandCount; band += 1) {
      const out: number[] = new Array(own.width * own.height);
      for (let row = 0; row * 512 < own.height; row += 1) {
        for (let column = 0; column * 512 < own.width; column += 1) {
          const block = await readBlock(tiff, own, { band, column, row });
          const [pixels, width] = [toBandPixels(block, band), block.width];
          for (let y = 0; y < Math.min(512, own.height - row * 512); y += 1)
            for (let x = 0; x < Math.min(512, own.width - column * 512); x += 1)
              out[(row * 512 + y) * own.width + column * 512 + x] = pixels[y * width + x]!;
        }
      }
      bands.push(out);
    }
    return bands;
  };
  return { tiff, image, bands: await readLevel(0), readLevel, text: Buffer.from(bytes).toString('latin1') };
}
