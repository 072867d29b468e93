/** Files with bands as they were delivered, compared with the files of the products. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { keepArea, ringAround, toFeature } from '../areas.ts';
import type { BandPixels } from '../pixels.ts';
import { readBand } from '../pixels.ts';
import type { Key } from '../service.ts';
import { pathOf, sceneOf } from '../service.ts';
import type { PixelBox } from '../tasks.ts';
import {
  boxAround,
  cut,
  makeFile,
  nameOf,
  order,
  orderRefused,
  poll,
  pollToEnd,
  readArchive,
  readPixels,
  readTiff,
} from '../tasks.ts';

const lbe = (key: Key, more: object) => makeFile('lbe', { view_id: sceneOf(key).viewId, ...more });

const BOX: PixelBox = { left: 11, top: 20, right: 44, bottom: 38 };
const whole = ({ width, height }: BandPixels): PixelBox => ({
  left: 0,
  top: 0,
  right: width - 1,
  bottom: height - 1,
});

/** The pixels of a file are those of a band in a box, 0 where there is no data, and lie where they lay. */
async function expectBand(bytes: Uint8Array, index: number, band: BandPixels, box: PixelBox): Promise<void> {
  const { width, height, epsg, transform, bands } = await readPixels(bytes);
  assert.deepEqual([width, height], [box.right - box.left + 1, box.bottom - box.top + 1]);
  const [west, dx, north, dy] = band.frame;
  assert.equal(epsg, band.epsg);
  assert.deepEqual(transform, [west + box.left * dx, dx, 0, north - box.top * dy, 0, -dy]);
  const expected = cut(band, box).map((value) => (Number.isNaN(value) ? 0 : value));
  assert.deepEqual([...bands[index]!], expected);
}

test('lbe view_id: the scene is one that search finds; CBERS4 may replace the camera', async () => {
  const [, sceneName] = sceneOf('cbers').viewId.split('/');
  const file = await makeFile('lbe', { view_id: `CBERS4/${sceneName}`, bands: ['BAND5'] });
  assert.equal(file.name, `${nameOf('cbers')}_BAND5.TIF`);
  assert.equal(
    await orderRefused('lbe', { view_id: 'L8/LC80000002025195LGN00', bands: ['B4'] }, 404),
    'unknown-scene',
  );
  assert.equal(await orderRefused('lbe', { bands: ['B4'] }), 'bad-view-id');
});

test('lbe bands: the file has them by name, in the order of the list or string', async () => {
  const names = ['B4', 'B2', 'B5'];
  const { bytes, name } = await lbe('l8', { bands: names });
  assert.equal(name, `${nameOf('l8')}_B4-B2-B5.TIF`);
  const { bands, nodata, images } = await readTiff(bytes);
  assert.deepEqual([bands.map(({ description }) => description), nodata], [names, 0]);
  assert.deepEqual([images[0].type, images[0].isTiled], ['uint16', true]);
  for (const [i, one] of names.entries()) {
    const band = await readBand('l8', one);
    await expectBand(bytes, i, band, whole(band));
  }
  const written = await lbe('l8', { bands: 'B4, B2,B5' });
  assert.equal(written.name, name, 'as a text');
  assert.deepEqual((await readPixels(written.bytes)).bands, (await readPixels(bytes)).bands);
  const { viewId: view_id } = sceneOf('l8');
  assert.equal(await orderRefused('lbe', { view_id, bands: '' }), 'bad-bands');
  assert.equal(await orderRefused('lbe', { view_id, bands: 'B4,B40' }), 'unknown-band');
  assert.equal(await orderRefused('lbe', { view_id, bands: ['B4', 'B40'] }), 'unknown-band');
  assert.equal(await orderRefused('lbe', { view_id, bands: ['B4', 'B4'] }), 'band-twice');
  assert.equal(await orderRefused('lbe', { view_id, bands: [] }), 'bad-bands');
  assert.equal(await orderRefused('lbe', { view_id }), 'bad-bands');
});

test('lbe jp2: one band of Sentinel-2 is sent as JP2, unchanged if the original is a JP2', async () => {
  const original = await lbe('s2', { bands: ['B04'] });
  assert.deepEqual([original.name, original.type], [`${nameOf('s2')}_B04.jp2`, 'image/jp2']);
  assert.ok(original.bytes.equals(readFileSync(pathOf(sceneOf('s2').assets.B04!.href))));
  const ofCog = await lbe('l2a', { bands: ['B04'] });
  assert.equal(ofCog.name, `${nameOf('l2a')}_B04.jp2`);
  const band = await readBand('l2a', 'B04');
  await expectBand(ofCog.bytes, 0, band, whole(band));
  const withMetadata = await lbe('s2', {
    bands: ['B11'],
    metadata: [{ label: 'tile', url: 'metadata.xml' }],
  });
  assert.equal(withMetadata.name, `${nameOf('s2')}_B11.jp2`);
});

test('lbe TIF: one band without metadata, or merged bands of one resolution', async () => {
  for (const [key, bands] of [
    ['l8', ['B8']],
    ['modis', ['B01']],
    ['s1', ['VV']],
    ['s2', ['B04', 'B08']],
    ['l2a', ['B11', 'B12', 'SCL']],
  ] as const) {
    const { name, type, bytes } = await lbe(key, { bands });
    assert.deepEqual([name, type], [`${nameOf(key)}_${bands.join('-')}.TIF`, 'image/tiff']);
    assert.equal((await readTiff(bytes)).images[0].bandCount, bands.length);
  }
});

test('lbe zip: several resolutions, separate bands or metadata make an archive', async () => {
  for (const [more, names] of [
    [{ bands: ['B04', 'B11', 'B12'] }, ['10m.TIF', '20m.TIF']],
    [{ bands: ['B04', 'B08'], merge: false, bbox: [-180, -80, 180, 80] }, ['B04.jp2', 'B08.jp2']],
    [{ bands: ['B04', 'B08'], metadata: [{ label: 'tile', url: 'metadata.xml' }] }, ['10m.TIF', 'tile.xml']],
  ] as const) {
    const { name, type, bytes } = await lbe('s2', more);
    assert.deepEqual([name, type], [`${nameOf('s2')}_${more.bands.join('-')}.zip`, 'application/zip']);
    assert.deepEqual(
      [...readArchive(bytes).keys()].map((entry) => entry.replace(`${nameOf('s2')}_`, '')),
      names,
    );
  }
});

test('lbe merge: bands of the same resolution are merged by default, otherwise each is a file; no effect for NAIP', async () => {
  const bands = ['B4', 'B3'];
  const merged = await lbe('l8', { bands });
  assert.ok((await lbe('l8', { bands, merge: true })).bytes.equals(merged.bytes));
  const apart = await lbe('l8', { bands, merge: false });
  const files = readArchive(apart.bytes);
  assert.deepEqual(
    [...files.keys()],
    bands.map((band) => `${nameOf('l8')}_${band}.TIF`),
  );
  for (const [i, bytes] of [...files.values()].entries()) {
    const band = await readBand('l8', bands[i]!);
    await expectBand(bytes, 0, band, whole(band));
  }
  const naip = await lbe('naip', { bands: ['N', 'R'], merge: false });
  assert.match(naip.name, /\.TIF$/);
  for (const [i, name] of ['N', 'R'].entries()) {
    const band = await readBand('naip', name);
    await expectBand(naip.bytes, i, band, whole(band));
  }
  assert.equal(
    await orderRefused('lbe', { view_id: sceneOf('l8').viewId, bands, merge: 'maybe' }),
    'bad-merge',
  );
});

test('lbe metadata: the archive has exactly the labelled files of the product', async () => {
  const folder = dirname(pathOf(sceneOf('l8').assets.B4!.href));
  const { productID } = sceneOf('l8').fields;
  const metadata = [
    { label: 'MTL', url: `${productID}_MTL.txt` },
    { label: 'MTL as JSON', url: `${productID}_MTL.json` },
  ];
  const files = readArchive((await lbe('l8', { bands: ['B4'], metadata })).bytes);
  const names = ['MTL.txt', 'MTL_as_JSON.json'];
  assert.deepEqual([...files.keys()].slice(1), names);
  for (const [i, name] of names.entries()) {
    assert.ok(files.get(name)?.equals(readFileSync(join(folder, metadata[i]!.url))), name);
  }
  const { viewId: view_id } = sceneOf('l8');
  for (const [url, code] of [
    ['missing.xml', 'no-such-metadata'],
    ['http://127.0.0.1/x.xml', 'bad-metadata-url'],
    ['../../../swath.db', 'bad-metadata-url'],
    ['file:///etc/passwd', 'bad-metadata-url'],
  ] as const) {
    const params = { view_id, bands: ['B4'], metadata: [{ label: 'x', url }] };
    assert.equal(await orderRefused('lbe', params), code, url);
  }
  assert.equal(await orderRefused('lbe', { view_id, bands: ['B4'], metadata: ['x'] }), 'bad-metadata');
});

test('lbe bbox: west, south, east, north select the pixels whose centre is inside', async () => {
  for (const [key, bands] of [
    ['s2', ['B04']],
    ['l2a', ['B08', 'B02']],
    ['l8', ['B4']],
  ] as const) {
    const band = await readBand(key, bands[0]);
    const { bytes } = await lbe(key, { bands, bbox: boxAround(band, BOX) });
    for (const [i, name] of bands.entries()) await expectBand(bytes, i, await readBand(key, name), BOX);
  }
});

/** The part of a band inside of a ring around pixels, with a hole that has no data. */
async function expectHole(bytes: Uint8Array, band: BandPixels): Promise<void> {
  const { bands } = await readPixels(bytes);
  const values = Float64Array.from(band.values, (value, i) => {
    const [column, row] = [i % band.width, Math.floor(i / band.width)];
    return column >= 20 && column <= 25 && row >= 25 && row <= 30 ? 0 : value;
  });
  await expectBand(bytes, 0, { ...band, values }, BOX);
  assert.ok([...bands[0]!].filter((value) => value === 0).length >= 36);
}

const rings = (band: BandPixels) =>
  [
    ringAround(band, [BOX.left, BOX.top], [BOX.right, BOX.bottom]),
    ringAround(band, [20, 25], [25, 30]),
  ] as const;

test('lbe geometry: a Polygon or MultiPolygon crops the file; pixels outside it have no data', async () => {
  const band = await readBand('l2a', 'B04');
  const { geometry } = toFeature(...rings(band));
  await expectHole((await lbe('l2a', { bands: ['B04', 'B03'], geometry })).bytes, band);
  await expectHole((await lbe('l2a', { bands: ['B04'], geometry })).bytes, band);
  const parts = { type: 'MultiPolygon', coordinates: [geometry.coordinates] };
  await expectHole((await lbe('l2a', { bands: ['B04', 'B03'], geometry: parts })).bytes, band);
});

test('lbe cropper_ref: a stored area', async () => {
  const band = await readBand('l2a', 'B04');
  const cropper_ref = await keepArea(...rings(band));
  await expectHole((await lbe('l2a', { bands: ['B04', 'B03'], cropper_ref })).bytes, band);
});

test('lbe reference: every poll returns it', async () => {
  const params = { view_id: sceneOf('l8').viewId, bands: ['B1'], reference: 'lbe 1' };
  const { task_id: id } = await order('lbe', params);
  assert.equal((await pollToEnd(id)).body.reference, 'lbe 1');
  assert.equal(((await (await poll(id)).json()) as { reference: string }).reference, 'lbe 1');
});
