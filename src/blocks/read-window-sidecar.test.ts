import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeJp2Decoder } from '../formats/jp2/index.ts';
import { makeMemorySource } from '../formats/testing/memory-source.ts';
import { openTiff } from '../formats/tiff/index.ts';
import { readBand } from '../formats/tiff/testing/read-band.ts';
import { makeOpenSource } from '../sources/index.ts';
import { joinBlockCache, makeBlockCache } from './cache/block-cache.ts';
import type { WindowRequest } from './image-files.ts';
import { makeReadWindow } from './read-window.ts';
import { readBandWindow } from './testing/window-assembly.ts';

const dataDir = fileURLToPath(new URL('../../test/golden/tiff/reader/', import.meta.url));
const href = 'external-overviews-int16.tif';

test('overviews in a sidecar are read where the catalog lists it, and only there', async () => {
  const reader = makeReadWindow({
    open: makeOpenSource({ dataDir }),
    blocks: joinBlockCache(makeBlockCache(2 ** 22).handle, 0),
    jp2Decoder: makeJp2Decoder(),
  });
  const readWindow = (wanted: WindowRequest, stop: AbortSignal) => readBandWindow(reader, wanted, stop);
  const overviews = await openTiff(makeMemorySource(readFileSync(`${dataDir}${href}.ovr`)));
  const [first] = overviews.images;
  const wanted = await readBand(overviews, first, 0);
  const request = {
    record: { name: 'S2/x', version: 'v1' },
    band: 'B04',
    href,
    bandIndex: 0,
    nodata: null,
    shift: 0,
    read: { level: 1, window: { x: 0, y: 0, width: first.width, height: first.height } },
  };
  const { signal } = new AbortController();
  const { pixels } = await readWindow({ ...request, sidecars: ['.ovr'] }, signal);
  assert.deepEqual(pixels, wanted);
  await assert.rejects(readWindow(request, signal), { code: 'source-differs' }, 'not the one that is open');
});
