import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseExpressions } from '../../src/bandmath/index.ts';
import { joinBlockCache, makeBlockCache, makeReadWindow } from '../../src/blocks/index.ts';
import { makeJp2Decoder } from '../../src/formats/jp2/index.ts';
import type { PixelWindow } from '../../src/raster/index.ts';
import { loadKernels, makeComputeBands, makeStaging, makeWindowPlane } from '../../src/raster/index.ts';
import { openFileSource } from '../../src/sources/local-files.ts';
import { writeBandFile } from '../tiles/make-band.ts';

/** A whole Sentinel-2 tile. */
const SIZE_PX = 10_980;
const WINDOW_PX = 1_024;
const BANDS = ['B04', 'B08'] as const;

/** CPU seconds that NDVI of a whole scene takes on one thread: for reading its two bands, and for the math. */
export async function measureWholeScene(): Promise<{ readonly readS: number; readonly mathS: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'swath-whole-scene-'));
  try {
    const hrefs = BANDS.map((band) => join(folder, `${band}.tif`));
    for (const [i, href] of hrefs.entries()) await writeBandFile(href, i, SIZE_PX);
    return await measure(hrefs);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measure(hrefs: readonly string[]) {
  const kernels = loadKernels();
  const compute = makeComputeBands(kernels);
  const readWindow = makeReadWindow({
    open: openFileSource,
    blocks: joinBlockCache(makeBlockCache(2 ** 28).handle, 0),
    jp2Decoder: makeJp2Decoder(),
  });
  const tree = parseExpressions('(B08-B04)/(B08+B04)', {
    all: BANDS,
    find: (name) => ({ kind: 'band', name, resolutionM: 10 }),
  });
  const { signal } = new AbortController();
  const spent = { readS: 0, mathS: 0 };
  const spend = (stage: keyof typeof spent, since: NodeJS.CpuUsage): void => {
    const { user, system } = process.cpuUsage(since);
    spent[stage] += (user + system) / 1e6;
  };
  for (const window of windowsOf(SIZE_PX, WINDOW_PX)) {
    const allocate = kernels.begin();
    const staging = makeStaging(allocate);
    const count = window.width * window.height;
    const reading = process.cpuUsage();
    const planes: { readonly valuesAt: number; readonly maskAt: number }[] = [];
    for (const [i, href] of hrefs.entries()) {
      const [valuesAt, maskAt] = [allocate(4 * count), allocate(count)];
      const plane = makeWindowPlane({ kernels, staging, window, valuesAt, maskAt, nodata: 0 });
      const file = { band: BANDS[i] as string, href, bandIndex: 0, nodata: 0 };
      await readWindow(
        { ...file, record: { name: 'whole', version: '1' }, read: { level: 0, window } },
        plane,
        signal,
      );
      planes.push({ valuesAt, maskAt: plane.hasEmpty ? maskAt : 0 });
    }
    spend('readS', reading);
    const computing = process.cpuUsage();
    const inputs = tree.inputs.map(({ band }) => ({
      ...(planes[BANDS.indexOf(band as (typeof BANDS)[number])] as (typeof planes)[number]),
      rule: 'plain' as const,
      parameters: [],
      secondAt: 0,
    }));
    compute(allocate, { tree, inputs, count });
    spend('mathS', computing);
  }
  return spent;
}

function* windowsOf(sizePx: number, stepPx: number): Generator<PixelWindow> {
  for (let y = 0; y < sizePx; y += stepPx) {
    for (let x = 0; x < sizePx; x += stepPx) {
      yield { x, y, width: Math.min(stepPx, sizePx - x), height: Math.min(stepPx, sizePx - y) };
    }
  }
}
