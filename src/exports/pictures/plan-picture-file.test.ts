import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import sharp from 'sharp';
import { sourceBroken } from '../../errors.ts';
import { encodeJpeg } from '../../formats/jpeg.ts';
import { readEntries } from '../../formats/testing/read-zip.ts';
import { tileGrid } from '../../geo/index.ts';
import { aTicket } from '../../pool/testing/run-here.ts';
import { loadKernels } from '../../raster/index.ts';
import type { PictureOrder } from './plan-picture-file.ts';
import { makePlanPictureFile } from './plan-picture-file.ts';
import { anOrder, aRun, scene, sensor, usePictures } from './testing/picture-kit.ts';

const kit = usePictures();
/** Several strips, the last of them short. */
const fine: PictureOrder = { ...anOrder, pixel: { mapM: tileGrid({ z: 14, x: 0, y: 0 }).transform[1] } };
const image = (format: 'jpeg' | 'png' | 'tiff') => ({ kind: 'image', format }) as const;

async function writeFile(order: PictureOrder) {
  const folder = await mkdtemp(join(kit.folder, 'out-'));
  const planned = await kit.plan(order);
  const path = join(folder, planned.fileName);
  const progress: number[] = [];
  await planned.write(path, { ...aRun, onProgress: (done) => progress.push(done) });
  assert.deepEqual(readdirSync(folder), [planned.fileName]);
  return { path, planned, progress };
}

const readRgba = (file: string | Uint8Array) =>
  sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true });

test('each kind of file has its name, type, size and blocks', async () => {
  const name = 'L8-LC81970302019218LGN00_B4,B3,B2';
  const kinds: readonly (readonly [PictureOrder['file'], string, string])[] = [
    [image('jpeg'), 'jpeg', 'image/jpeg'],
    [image('png'), 'png', 'image/png'],
    [image('tiff'), 'tiff', 'image/tiff'],
    [{ kind: 'world', format: 'jpeg' }, 'zip', 'application/zip'],
    [{ kind: 'kmz' }, 'kmz', 'application/vnd.google-earth.kmz'],
  ];
  for (const [file, extension, contentType] of kinds) {
    const { path, planned, progress } = await writeFile({ ...fine, file });
    assert.deepEqual([planned.fileName, planned.contentType], [`${name}.${extension}`, contentType]);
    const { size } = statSync(path);
    assert.ok(size > 10_000 && size <= planned.estimatedBytes, `${size} of ${planned.estimatedBytes}`);
    assert.equal(progress.at(-1), planned.blocks);
    assert.deepEqual(
      progress,
      [...new Set(progress)].toSorted((a, b) => a - b),
    );
  }
});

test('the description of a picture has its grid and one of its tiles', async () => {
  const content = await (await kit.plan(fine)).describe();
  if (content.kind !== 'picture') assert.fail(content.kind);
  assert.ok(content.grid.width > 256);
  assert.deepEqual([content.tile.plan.grid.width, content.tile.request.bands], [256, 'B4,B3,B2']);
});

test('an alias replaces the bands in the name', async () => {
  const named = await kit.plan({ ...anOrder, nameAlias: 'my field/2' });
  assert.equal(named.fileName, 'L8-LC81970302019218LGN00_my_field-2.png');
  const long = await kit.plan({
    ...anOrder,
    nameAlias: 'x'.repeat(300),
    file: { kind: 'world', format: 'png' },
  });
  assert.ok(long.fileName.length <= 120 && long.fileName.endsWith('.zip'));
});

test('a JPEG of many strips shows the same pixels as a single JPEG', async () => {
  const { data: rgba, info } = await readRgba((await writeFile(fine)).path);
  const kernels = loadKernels();
  const allocate = kernels.begin();
  const rgbaAt = allocate(rgba.length);
  new Uint8Array(kernels.buffer()).set(rgba, rgbaAt);
  const { width, height } = info;
  const whole = encodeJpeg(kernels, allocate, { rgbaAt, width, height });
  const { path, planned } = await writeFile({ ...fine, file: image('jpeg') });
  assert.ok(planned.blocks >= 5 && height % 256 !== 0);
  const [strips, one] = [await readRgba(path), await readRgba(whole)];
  assert.ok(strips.data.equals(one.data));
});

test('a world file places the picture where the COG does', async () => {
  const { path } = await writeFile({
    ...fine,
    nameAlias: 'n'.repeat(200),
    file: { kind: 'world', format: 'png' },
  });
  const entries = readEntries(path);
  const [picture = '', world = '', system = ''] = entries.keys();
  const base = picture.replace(/\.png$/, '');
  assert.deepEqual([picture, world, system], [`${base}.png`, `${base}.pngw`, `${base}.prj`]);
  assert.match(String(entries.get(system)), /^PROJCS\["WGS_1984_Web_Mercator_Auxiliary_Sphere"/);
  const lines = String(entries.get(world)).trim().split('\n').map(Number);
  const [pixel = 0, colShear, rowShear, pixelHeight, x = 0, y = 0] = lines;
  assert.deepEqual(
    [pixel, colShear, rowShear, pixelHeight],
    [fine.pixel && 'mapM' in fine.pixel && fine.pixel.mapM, 0, 0, -pixel],
  );
  // The first centre lies half a pixel from the lattice of the tiles.
  for (const value of [x, y]) assert.ok(Math.abs(Math.abs((value / pixel) % 1) - 0.5) < 1e-6);
  const { data } = await readRgba(entries.get(picture)!);
  assert.ok(data.equals((await readRgba((await writeFile(fine)).path)).data));
});

test('a KMZ contains the picture in even steps of longitude and latitude, with their box', async () => {
  const { path } = await writeFile({ ...fine, file: { kind: 'kmz' } });
  const entries = readEntries(path);
  assert.deepEqual([...entries.keys()], ['doc.kml', 'files/picture.png']);
  const kml = String(entries.get('doc.kml'));
  assert.match(kml, /<href>files\/picture\.png<\/href>/);
  const [north = 0, south = 0, east = 0, west = 0] = ['north', 'south', 'east', 'west'].map((side) =>
    Number(new RegExp(`<${side}>(.*)</${side}>`).exec(kml)?.[1]),
  );
  const { data, info } = await readRgba(entries.get('files/picture.png')!);
  const { width, height } = info;
  const [pixelWidth, pixelHeight] = [(east - west) / width, (north - south) / height];
  // The same picture by the service itself, a part of it.
  const [col, row] = [Math.floor(width / 2), Math.floor(height / 2)];
  const planned = await kit.renderer.plan({
    viewId: scene.viewId,
    sceneName: scene.sceneId,
    sensor,
    bands: fine.bands,
    grid: {
      epsg: 4326,
      transform: [west + col * pixelWidth, pixelWidth, 0, north - row * pixelHeight, 0, -pixelHeight],
      width: 200,
      height: 200,
    },
    options: { ...fine.options, method: 'cubic', format: 'png', watermark: null, area: null },
  });
  const { bytes } = await kit.renderer.render(planned, aTicket);
  const { data: part } = await readRgba(bytes);
  for (let y = 0; y < 200; y += 1) {
    for (let x = 0; x < 200 * 4; x += 1) {
      const [got, wanted] = [data[((row + y) * width + col) * 4 + x]!, part[y * 800 + x]!];
      assert.ok(Math.abs(got - wanted) <= 1, `${x} ${y}: ${got} for ${wanted}`);
    }
  }
});

test('requests that cannot be drawn are refused before anything is drawn', async () => {
  kit.pool.asked.splice(0);
  const { options } = anOrder;
  const cases: readonly (readonly [Partial<PictureOrder>, string])[] = [
    [{ bands: 'B77' }, 'unknown-band'],
    [{ bands: 'unwrap(B4)' }, 'needs-window'],
    [{ bands: 'B4,B3' }, 'band-count'],
    [{ viewId: 'L8/none' }, 'unknown-scene'],
    [{ sensor: 'XX' }, 'unknown-sensor'],
    [{ options: { ...options, color: { colors: 'ff0000', thresholds: '1,2' } } }, 'colored-composite'],
    [{ sensor: 'S2', bands: 'B04', options: { ...options, isSharpened: true } }, 'no-such-band-file'],
    [{ area: { kind: 'bounds', bounds: { minX: 50, minY: 10, maxX: 51, maxY: 11 } } }, 'area-outside-scene'],
    [{ pixel: { groundM: 0.1 } }, 'picture-too-large'],
    [{ pixel: { groundM: 0 } }, 'bad-px-size'],
  ];
  const codes = await Promise.all(
    cases.map(([more]) =>
      kit.plan({ ...anOrder, ...more }).then(
        () => 'planned',
        (error) => error.code,
      ),
    ),
  );
  assert.deepEqual(
    codes,
    cases.map(([, code]) => code),
  );
  assert.deepEqual(kit.pool.asked, []);
});

test('measurements are drawn by cubic convolution and classes by nearest neighbour, unless the caller chooses', async () => {
  const methodsOf = async (more: Partial<PictureOrder>): Promise<unknown> => {
    kit.pool.asked.splice(0);
    await writeFile({ ...anOrder, pixel: { groundM: 300 }, ...more });
    const job = kit.pool.asked.find(({ kind }) => kind === 'picture-strip');
    assert.ok(job);
    return (job.input as { painted: { options: { method: unknown } } }).painted.options.method;
  };
  const { options } = anOrder;
  assert.equal(await methodsOf({}), 'cubic');
  assert.equal(await methodsOf({ options: { ...options, method: 'lanczos' } }), 'lanczos');
  const clusters = { count: 3, minAreaM2: 0 };
  assert.equal(await methodsOf({ bands: 'B4', options: { ...options, clusters } }), null);
});

for (const file of [image('jpeg'), image('tiff'), { kind: 'kmz' } as const]) {
  const name = file.kind === 'image' ? file.format : file.kind;
  test(`${name}: a caller that cancels gets no file, and nothing is left`, async () => {
    const folder = await mkdtemp(join(kit.folder, 'given-up-'));
    const planned = await kit.plan({ ...fine, file });
    const controller = new AbortController();
    const ticket = { ...aRun.ticket, signal: controller.signal };
    // A COG this small is one part: it is given up before.
    if (name === 'tiff') controller.abort();
    const writing = planned.write(join(folder, 'file'), { ticket, onProgress: () => controller.abort() });
    await assert.rejects(writing, { tag: 'cancelled' });
    assert.deepEqual(readdirSync(folder), []);
  });

  test(`${name}: a broken file of the scene is an error, and nothing is left`, async () => {
    const folder = await mkdtemp(join(kit.folder, 'broken-'));
    const path = join(kit.folder, scene.assets.B10!.href);
    const intact = readFileSync(path);
    const order: PictureOrder = {
      ...fine,
      bands: 'B10',
      options: { ...fine.options, range: { min: 0, max: 9 } },
    };
    const planned = await kit.plan({ ...order, file });
    // The last block of the image is cut off.
    writeFileSync(path, intact.subarray(0, intact.length - 2_000));
    try {
      await assert.rejects(planned.write(join(folder, 'file'), aRun), { tag: 'source-broken' });
    } finally {
      writeFileSync(path, intact);
    }
    assert.deepEqual(readdirSync(folder), []);
  });
}

test('if files of the scene are replaced meanwhile, the whole picture is drawn again', async () => {
  let attempts = 0;
  const pool: typeof kit.pool = {
    ...kit.pool,
    run(kind, input, ticket) {
      if (kind === 'picture-strip') attempts += 1;
      if (kind === 'picture-strip' && attempts === 2)
        return Promise.reject(sourceBroken('source-changed', 'A file of this scene was replaced.'));
      return kit.pool.run(kind, input, ticket);
    },
  };
  const plan = makePlanPictureFile({ painter: kit.renderer, pool });
  const folder = await mkdtemp(join(kit.folder, 'replaced-'));
  const planned = await plan(fine);
  const path = join(folder, 'file.png');
  await planned.write(path, aRun);
  assert.ok(attempts > planned.blocks);
  const [again, once] = [readFileSync(path), readFileSync((await writeFile(fine)).path)];
  assert.ok(again.equals(once));
  rmSync(folder, { recursive: true });
});
