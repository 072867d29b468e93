import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Asset } from '../../catalog/index.ts';
import { sourceBroken } from '../errors.ts';
import { makeFileKinds } from './file-kinds.ts';

const stated = (name: string, more: Partial<Asset> = {}): Asset => ({
  href: `https://files.example.org/${name}.tif`,
  bandIndex: 0,
  epsg: 32631,
  transform: [300_000, 10, 0, 5_000_040, 0, -10],
  width: 10_980,
  height: 10_980,
  type: 'uint16',
  nodata: 0,
  scale: 0.0001,
  offset: 0,
  overviews: [],
  ...more,
});
const overviews = [{ width: 5_490, height: 5_490 }];
const traits = ['sentinel-2-l2a'];

/** The asset of a file as its header has it, and how many headers were read. */
function makeReader() {
  const read: string[] = [];
  const toRead =
    (asset: Asset, more: Partial<Asset> = {}) =>
    async (): Promise<Asset> => {
      read.push(asset.href.split('/').at(-1) ?? '');
      return { ...asset, overviews, stamps: ['"1"'], ...more };
    };
  return { read, toRead };
}

test('files of a kind have the overviews of the first of them, and only its header is read', async () => {
  const { read, toRead } = makeReader();
  const kinds = makeFileKinds(() => 0);
  const [red, near] = [stated('B04'), stated('B08', { scale: 0.0002 })];
  const other = stated('B04-of-another-tile', { transform: [600_000, 10, 0, 5_000_040, 0, -10] });
  const found = await Promise.all(
    [red, near, other].map((asset) => kinds.find({ asset, traits }, toRead(asset))),
  );
  assert.deepEqual(found, [
    { ...red, overviews, stamps: ['"1"'] },
    { ...near, overviews },
    { ...other, overviews },
  ]);
  assert.deepEqual(read, ['B04.tif']);
});

test('type and nodata of the header take precedence over those of the item', async () => {
  const { toRead } = makeReader();
  const kinds = makeFileKinds(() => 0);
  const [red, near] = [stated('B04'), stated('B08')];
  const header = { type: 'int16', nodata: -9_999 } as const;
  await kinds.find({ asset: red, traits }, toRead(red, header));
  assert.deepEqual(await kinds.find({ asset: near, traits }, toRead(near)), {
    ...near,
    ...header,
    overviews,
  });
});

test('another size, pixel size, type, host, format or collection is another kind', async () => {
  const { read, toRead } = makeReader();
  const kinds = makeFileKinds(() => 0);
  const first = stated('first');
  await kinds.find({ asset: first, traits }, toRead(first));
  const others: readonly Partial<Asset>[] = [
    { width: 10_981 },
    { transform: [300_000, 20, 0, 5_000_040, 0, -20] },
    { type: 'uint8' },
    { nodata: 255 },
    { href: 'https://other.example.org/first.tif' },
    { href: 'https://files.example.org/first.jp2' },
  ];
  for (const more of others) {
    const asset = { ...first, ...more };
    await kinds.find({ asset, traits }, toRead(asset));
  }
  await kinds.find({ asset: first, traits: ['sentinel-2-c1-l2a'] }, toRead(first));
  assert.equal(read.length, 2 + others.length);
});

test('where a header differs from its item, or lists no overviews, the headers of all files are read', async () => {
  const differences: readonly Partial<Asset>[] = [
    { width: 10_979 },
    { epsg: 32632 },
    { transform: [300_000, 10, 0, 5_000_041, 0, -10] },
    { scale: 1 },
    { overviews: [] },
    { sidecars: ['.ovr'] },
  ];
  for (const more of differences) {
    const { read, toRead } = makeReader();
    const kinds = makeFileKinds(() => 0);
    const assets = [stated('B02'), stated('B03'), stated('B04')];
    const found = await Promise.all(
      assets.map((asset) => kinds.find({ asset, traits }, toRead(asset, more))),
    );
    assert.deepEqual(
      found.map(({ stamps }) => stamps?.length),
      [1, 1, 1],
      JSON.stringify(more),
    );
    assert.equal(read.length, 3);
  }
});

test('an unreadable file breaks its own scene and no other', async () => {
  const { read, toRead } = makeReader();
  const kinds = makeFileKinds(() => 0);
  const [broken, red] = [stated('broken'), stated('B04')];
  const failing = kinds.find({ asset: broken, traits }, async () => {
    throw sourceBroken('no-band', 'The image is broken.');
  });
  const found = kinds.find({ asset: red, traits }, toRead(red));
  await assert.rejects(failing, { code: 'no-band' });
  assert.equal((await found).overviews.length, 1);
  assert.deepEqual(read, ['B04.tif']);
});

test('after an hour a header is read again', async () => {
  const { read, toRead } = makeReader();
  let nowMs = 0;
  const kinds = makeFileKinds(() => nowMs);
  for (const minutes of [0, 59, 61]) {
    nowMs = minutes * 60_000;
    const asset = stated(`B0${minutes}`);
    await kinds.find({ asset, traits }, toRead(asset));
  }
  assert.deepEqual(read, ['B00.tif', 'B061.tif']);
});
