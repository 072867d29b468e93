/** Pictures to download: formats, georeferences and names of the files. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import proj4 from 'proj4';
import type { Picture } from '../pixels.ts';
import { colorAt } from '../pixels.ts';
import { sceneOf } from '../service.ts';
import { decode, makeFile, nameOf, orderRefused, readArchive, readPixels, readTiff } from '../tasks.ts';

const make = (more: object) =>
  makeFile('jpeg', { view_id: sceneOf('s2').viewId, bm_type: 'B08,B04,B03', ...more });

/** Mean difference of the levels of a picture from those of another one, where that is opaque. */
function meanDifference(one: Picture, exact: Picture): number {
  assert.deepEqual([one.width, one.height], [exact.width, exact.height]);
  const differences = Array.from(exact.rgba, (level, i) => Math.abs(level - one.rgba[i]!)).filter(
    (_, i) => exact.rgba[i | 3] === 255,
  );
  return differences.reduce((sum, one) => sum + one, 0) / differences.length;
}

test('jpeg format: jpeg by default, tiff or png', async () => {
  const png = await make({ format: 'png' });
  assert.deepEqual([png.type, png.bytes.subarray(1, 4).toString()], ['image/png', 'PNG']);
  const exact = await decode(png.bytes);
  for (const format of [undefined, null, 'jpeg']) {
    const file = await make({ format });
    assert.deepEqual([file.type, file.bytes.readUInt16BE(0)], ['image/jpeg', 0xffd8]);
    const difference = meanDifference(await decode(file.bytes), exact);
    assert.ok(difference < 4, `${difference}`);
  }
  const tiff = await make({ format: 'tiff' });
  assert.equal(tiff.type, 'image/tiff');
  const { bands, width } = await readPixels(tiff.bytes);
  assert.equal(width, exact.width);
  for (let i = 0; i < exact.rgba.length; i++) assert.equal(bands[i % 4]![i >> 2], exact.rgba[i]);
  const params = { view_id: sceneOf('s2').viewId, bm_type: 'B04', format: 'gif' };
  assert.equal(await orderRefused('jpeg', params), 'bad-format');
});

test('jpeg georeference: world is a zip of the picture and its world file, kmz is one, tiff is a GeoTIFF', async () => {
  const tiff = await make({ georeference: 'tiff' });
  assert.equal(tiff.type, 'image/tiff');
  const { transform, epsg } = await readPixels(tiff.bytes);
  assert.equal(epsg, 3857);
  assert.equal((await readTiff(tiff.bytes)).images[0].isTiled, true);
  const [west, dx, , north, , dy] = transform!;

  const world = await make({ georeference: 'world' });
  assert.equal(world.type, 'application/zip');
  const files = readArchive(world.bytes);
  const name = `${nameOf('s2')}_B08,B04,B03`;
  assert.deepEqual([...files.keys()], [`${name}.jpeg`, `${name}.jpegw`, `${name}.prj`]);
  const lines = String(files.get(`${name}.jpegw`))
    .trim()
    .split('\n')
    .map(Number);
  assert.deepEqual(lines, [dx, 0, 0, dy, west + dx / 2, north + dy / 2]);
  assert.match(String(files.get(`${name}.prj`)), /Mercator_Auxiliary_Sphere/);
  assert.ok((await make({})).bytes.equals(files.get(`${name}.jpeg`)!));

  const kmz = await make({ georeference: 'kmz' });
  assert.equal(kmz.type, 'application/vnd.google-earth.kmz');
  const inside = readArchive(kmz.bytes);
  const kml = String(inside.get('doc.kml'));
  const [, href = ''] = /<href>(.+)<\/href>/.exec(kml) ?? [];
  const { width, height } = await decode(inside.get(href)!);
  assert.ok(width > 50 && height > 50);
  const toBox = (side: string): number => Number(new RegExp(`<${side}>([-\\d.]+)</${side}>`).exec(kml)?.[1]);
  const [lon, lat] = proj4('EPSG:3857', 'EPSG:4326', [west, north]);
  // To a pixel: the overlay lies on a lattice of degrees.
  assert.ok(Math.abs(toBox('west') - lon!) < 3e-4, `${toBox('west')} ${lon}`);
  assert.ok(Math.abs(toBox('north') - lat!) < 3e-4, `${toBox('north')} ${lat}`);
  assert.ok(toBox('west') < toBox('east') && toBox('south') < toBox('north'));
  const params = { view_id: sceneOf('s2').viewId, bm_type: 'B04', georeference: 'moon' };
  assert.equal(await orderRefused('jpeg', params), 'bad-georeference');
});

test('jpeg georeference jpeg: it has the same effect as no georeference', async () => {
  const file = await make({ georeference: 'jpeg', px_size: 60 });
  assert.equal(file.type, 'image/jpeg');
  assert.ok((await make({ px_size: 60 })).bytes.equals(file.bytes));
});

test('jpeg name_alias: the file name contains it, with underscores for spaces', async () => {
  assert.equal(
    (await make({ name_alias: 'my false colours' })).name,
    `${nameOf('s2')}_my_false_colours.jpeg`,
  );
});

test('jpeg file name: it consists of the scene, the expression, and the format or kind of georeference', async () => {
  for (const [more, end] of [
    [{}, 'B08,B04,B03.jpeg'],
    [{ format: 'png' }, 'B08,B04,B03.png'],
    [{ format: 'tiff' }, 'B08,B04,B03.tiff'],
    [{ georeference: 'tiff' }, 'B08,B04,B03.tiff'],
    [{ georeference: 'kmz' }, 'B08,B04,B03.kmz'],
    [{ georeference: 'world' }, 'B08,B04,B03.zip'],
    [{ bm_type: '(B08-B04)/(B08+B04)' }, '(B08-B04)-(B08+B04).jpeg'],
    [{ bm_type: 'NDVI' }, 'NDVI.jpeg'],
  ] as const) {
    assert.equal((await make({ ...more, px_size: 60 })).name, `${nameOf('s2')}_${end}`);
  }
});

test('jpeg outside: pixels outside the scene are transparent, or black in a JPEG', async () => {
  const params = { view_id: sceneOf('l8').viewId, bm_type: 'B5,B4,B3' };
  const [png, plain] = [
    await decode((await makeFile('jpeg', { ...params, format: 'png' })).bytes),
    await decode((await makeFile('jpeg', params)).bytes),
  ];
  assert.equal(colorAt(png, 0), '00000000');
  assert.equal(plain.rgba[3], 255);
  assert.ok(plain.rgba[0]! < 8 && plain.rgba[1]! < 8);
});
