import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeOpenSource } from '../../sources/index.ts';
import { makeJp2Decoder } from '../jp2/openjpeg.ts';
import type { BlockFile } from './block-file.ts';
import { openBlockFile } from './open-block-file.ts';
import { findSidecars } from './sidecars.ts';
import { toPlacement } from './testing/placement.ts';

const jp2Decoder = makeJp2Decoder();
const golden = fileURLToPath(new URL('../../../test/golden/tiff/reader/', import.meta.url));
const open = makeOpenSource({ dataDir: golden });

/** Opens a file that GDAL wrote, with all of its sidecars. */
async function openWhole<T>(href: string, use: (file: BlockFile) => T | Promise<T>): Promise<T> {
  const bare = await openBlockFile(await open(href), { jp2Decoder });
  const suffixes = (await findSidecars(bare, { href, open })).map(({ suffix }) => suffix);
  const file = await openBlockFile(bare.source, { jp2Decoder, sidecars: { href, suffixes, open } });
  try {
    return await use(file);
  } finally {
    await file.source.close();
  }
}

interface Facts {
  readonly name: string;
  readonly path: string;
  readonly images: readonly { readonly width: number; readonly height: number }[];
  readonly transform: readonly number[] | null;
  readonly gcps: readonly (readonly number[])[];
}
const { facts }: { facts: readonly Facts[] } = JSON.parse(readFileSync(`${golden}facts.json`, 'utf8'));
const factsOf = (name: string): Facts => {
  const found = facts.find(({ path }) => path === name);
  assert.ok(found, name);
  return found;
};

test('sidecars of GDAL georeference an image as in GDAL', async () => {
  for (const name of ['beside-aux.tif', 'beside-world-rotated.tif']) {
    await openWhole(name, ({ transform }) => {
      const wanted = factsOf(name).transform!;
      assert.ok(
        transform?.every((term, i) => Math.abs(term - wanted[i]!) < 1e-9 * Math.abs(wanted[i]!) + 1e-12),
      );
    });
  }
  await openWhole('beside-aux-gcps.tif', ({ gcps }) => {
    assert.equal(gcps.length, factsOf('beside-aux-gcps.tif').gcps.length);
  });
});

test('an .ovr sidecar of GDAL contains the levels of an image', async () => {
  await openWhole('external-overviews-int16.tif', ({ levels }) => {
    const wanted = factsOf('external-overviews-int16.tif').images;
    assert.deepEqual(
      levels.map(({ width, height }) => [width, height]),
      wanted.map(({ width, height }) => [width, height]),
    );
    assert.ok(levels.length > 1);
  });
});

const nowhere = { epsg: null, proj: null, transform: null, gcps: [] };
const transform = [5e5, 10, 0, 4e6, 0, -10] as const;
const sinusoidal = '+proj=sinu +R=6371007.181 +units=m +no_defs';
const corners = [0, 1, 2, 3].map((i) => ({
  column: (i % 2) * 90,
  row: (i >> 1) * 70,
  z: 12,
  x: 10 + (i % 2) * 0.9,
  y: 50 - (i >> 1) * 0.7,
}));

test('a code, a definition or control points georeference an image', () => {
  assert.deepEqual(toPlacement({ ...nowhere, epsg: 32631, transform }), { epsg: 32631, transform });
  assert.deepEqual(toPlacement({ ...nowhere, proj: sinusoidal, transform }), {
    epsg: 0,
    proj: sinusoidal,
    transform,
  });
  const { epsg, lattice, transform: nearest } = toPlacement({ ...nowhere, epsg: 4326, gcps: corners });
  assert.equal(epsg, 4326);
  assert.deepEqual(lattice?.cols, [0, 90]);
  assert.ok(nearest.every((term, i) => Math.abs(term - [10, 0.01, 0, 50, 0, -0.01][i]!) < 1e-12));
});

test('an image without a georeference, or in an unknown CRS, is refused by name', () => {
  assert.throws(() => toPlacement({ ...nowhere, transform }), { code: 'no-georeference' });
  assert.throws(() => toPlacement({ ...nowhere, epsg: 4326 }), { code: 'no-georeference' });
  assert.throws(() => toPlacement({ ...nowhere, epsg: 31467, transform }), { code: 'unknown-crs' });
  assert.throws(() => toPlacement({ ...nowhere, proj: '+proj=x', transform }), { code: 'unknown-crs' });
  assert.throws(() => toPlacement({ ...nowhere, proj: `+proj=${'x'.repeat(20_000)}`, transform }), {
    code: 'bad-crs',
  });
  assert.throws(() => toPlacement({ ...nowhere, epsg: 4326, gcps: corners.slice(1) }), {
    code: 'no-lattice',
  });
});
