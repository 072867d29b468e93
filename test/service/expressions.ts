/** Band math through a real service: every pixel against the files of the demo scene. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import sharp from 'sharp';
import { openTiff, readBlock } from '../../src/formats/tiff/index.ts';
import { makeOpenSource } from '../../src/sources/index.ts';
import { DEMO_SCENE } from '../support/demo-data.ts';
import type { DemoGrid } from '../support/demo-grid.ts';
import { listDemoTiles, toMercator } from '../support/demo-grid.ts';
import { serveDemo } from '../support/serve-demo.ts';
import type { RunningSwath } from '../support/start-swath.ts';
import { SERVICE_KEY } from '../support/start-swath.ts';

const { viewId: VIEW, folder: FOLDER } = DEMO_SCENE;

let swath: RunningSwath;
let grid: DemoGrid;
/** Tiles wholly inside of the scene, two neighbours, and one on its edge. */
let [INSIDE, RIGHT, EDGE]: [string, string, string] = ['', '', ''];
const demo = serveDemo(() => {
  ({ swath, grid } = demo);
  const { inside, edge } = listDemoTiles(grid, 14);
  [INSIDE = '', EDGE = ''] = [inside[0], edge[0]];
  const [z, x = 0, y] = INSIDE.split('/').map(Number);
  RIGHT = `${z}/${x + 1}/${y}`;
  assert.ok(inside.includes(RIGHT));
});

const render = (expression: string, tile: string, query = '', init: RequestInit = {}) =>
  fetch(`${swath.url}/api/render/${VIEW}/${expression}/${tile}${query}`, {
    ...init,
    headers: { 'x-api-key': SERVICE_KEY, ...init.headers },
  });

async function readPixels(response: Response): Promise<Uint8Array> {
  assert.equal(response.status, 200, await response.clone().text());
  return sharp(await response.arrayBuffer())
    .ensureAlpha()
    .raw()
    .toBuffer();
}

const draw = async (expression: string, tile: string, query: string) =>
  readPixels(await render(expression, tile, `?mimetype=image/png&RESAMPLE=near&${query}`));

/** A band's numbers at a position of the 10 m grid: as stored, and as reflectance. */
interface BandFile {
  stored(px: number, py: number): number;
  reflectance(px: number, py: number): number;
}

const bandFiles = new Map<string, Promise<BandFile>>();
function openBand(band: string): Promise<BandFile> {
  const known = bandFiles.get(band) ?? readBand(band);
  bandFiles.set(band, known);
  return known;
}

async function readBand(band: string): Promise<BandFile> {
  const source = await makeOpenSource({ dataDir: swath.dataDir })(`${FOLDER}/${band}.tif`);
  const tiff = await openTiff(source);
  const [{ width, height, blockWidth, blockHeight }] = tiff.images;
  const pixels = new Float64Array(width * height);
  for (let row = 0; row * blockHeight < height; row += 1) {
    for (let column = 0; column * blockWidth < width; column += 1) {
      const block = await readBlock(tiff, tiff.images[0], { band: 0, column, row });
      for (let y = 0; y < Math.min(blockHeight, height - row * blockHeight); y += 1) {
        for (let x = 0; x < Math.min(blockWidth, width - column * blockWidth); x += 1) {
          pixels[(row * blockHeight + y) * width + column * blockWidth + x] = Number(
            block.pixels[y * blockWidth + x],
          );
        }
      }
    }
  }
  await source.close();
  const { scale, offset } = readScale();
  const stored = (px: number, py: number): number =>
    pixels[Math.floor((py * height) / grid.height) * width + Math.floor((px * width) / grid.width)] as number;
  return { stored, reflectance: (px, py) => stored(px, py) * scale + offset };
}

/** As the provider says it; the same for all bands. */
function readScale(): { readonly scale: number; readonly offset: number } {
  const [name = ''] = globSync('*.json', { cwd: join(swath.dataDir, FOLDER) });
  const item = JSON.parse(readFileSync(join(swath.dataDir, FOLDER, name), 'utf8')) as {
    assets: { red: { 'raster:bands': [{ scale: number; offset: number }] } };
  };
  return item.assets.red['raster:bands'][0];
}

/** Numbers of all processing baselines mean the same: ten-thousandths of reflectance, at least 1 where there is data. */
async function openHarmonised(band: string): Promise<(px: number, py: number) => number> {
  const file = await openBand(band);
  return (px, py) => Math.max(1, Math.round(file.reflectance(px, py) * 10_000));
}

interface Sampling {
  readonly tile: string;
  readonly columns?: readonly number[];
}

/** Positions in the 10 m grid of pixels of a tile, without those whose nearest source pixel is a matter of rounding. */
function* samplesOf({ tile, columns = range(2, 256, 5) }: Sampling) {
  const name = tile.split('/').map(Number) as [number, number, number];
  for (const row of range(3, 256, 7)) {
    for (const column of columns) {
      const [px, py] = grid.fromMercator(toMercator(name, column + 0.5, row + 0.5));
      if ([px, py].some((position) => Math.abs(position - Math.round(position)) < 0.01)) continue;
      yield { px, py, at: (row * 256 + column) * 4, where: `column ${column}, row ${row} of ${tile}` };
    }
  }
}

const range = (from: number, to: number, step: number): number[] =>
  Array.from({ length: Math.ceil((to - from) / step) }, (_, i) => from + i * step);

/** The level of a value between two others: 0 to 255, rounded half up. */
const toLevel = (value: number, min: number, max: number): number =>
  Math.min(255, Math.max(0, Math.floor(((value - min) / (max - min)) * 255 + 0.5)));

const isNear = (level: number | undefined, wanted: number): boolean => Math.abs((level ?? -1) - wanted) <= 1;

test('NDVI is (B08 - B04) / (B08 + B04) at every pixel, also at the seam of two tiles', async () => {
  const [nir, red] = [await openHarmonised('B08'), await openHarmonised('B04')];
  const all = range(2, 256, 5);
  const samplings: Sampling[] = [
    { tile: INSIDE, columns: [...all, 251, 253, 254, 255] },
    { tile: RIGHT, columns: [0, 1, 2, 3, ...all] },
  ];
  let compared = 0;
  for (const sampling of samplings) {
    const pixels = await draw('(B08-B04)/(B08+B04)', sampling.tile, 'MIN_MAX=-1,1');
    for (const { px, py, at, where } of samplesOf(sampling)) {
      const [n, r] = [nir(px, py), red(px, py)];
      const level = toLevel((n - r) / (n + r), -1, 1);
      assert.ok(isNear(pixels[at], level), `${pixels[at]} for ${level} at ${where}`);
      assert.equal(pixels[at + 1], pixels[at]);
      assert.equal(pixels[at + 3], 255);
      compared += 1;
    }
  }
  assert.ok(compared > 3_000);
});

test('aliases, generic names and other spellings give the same picture, and share its ETag', async () => {
  const spellings = [
    '(B08-B04)/(B08+B04)',
    '(B08-B04)%2F(B08+B04)',
    '(B8%20-%20B4)/(B8%2BB4)',
    '(NIR-RED)/(nir+red)',
    'NDVI',
    'ndvi',
  ];
  const tags = new Set<string>();
  for (const spelling of spellings) {
    const response = await render(spelling, INSIDE, '?MIN_MAX=-1,1');
    assert.equal(response.status, 200, spelling);
    tags.add(response.headers.get('etag') ?? spelling);
  }
  assert.equal(tags.size, 1);
});

test('bands of different resolutions meet at the position of the pixel', async () => {
  const [nir, swir] = [await openHarmonised('B08'), await openHarmonised('B11')];
  const pixels = await draw('NDMI', INSIDE, 'MIN_MAX=-1,1');
  for (const { px, py, at, where } of samplesOf({ tile: INSIDE })) {
    const [n, s] = [nir(px, py), swir(px, py)];
    assert.ok(isNear(pixels[at], toLevel((n - s) / (n + s), -1, 1)), where);
  }
});

test('CALIBRATE computes with reflectance; an alias that needs it always does', async () => {
  const [red, nir, blue] = await Promise.all(['B04', 'B08', 'B02'].map(openBand));
  assert.ok(red && nir && blue);
  const calibrated = await draw('B04*2.0', INSIDE, 'MIN_MAX=0,0.5&CALIBRATE=true');
  const band = await draw('B04', INSIDE, 'MIN_MAX=0,0.25&CALIBRATE=1');
  const evi = await draw('EVI', INSIDE, 'MIN_MAX=-1,1&CALIBRATE=0');
  for (const { px, py, at, where } of samplesOf({ tile: INSIDE })) {
    const [r, n, b] = [red, nir, blue].map((file) => file.reflectance(px, py)) as [number, number, number];
    assert.ok(isNear(calibrated[at], toLevel(r * 2, 0, 0.5)), where);
    assert.ok(isNear(band[at], toLevel(r, 0, 0.25)), where);
    const wanted = (2.5 * (n - r)) / (n + 6 * r - 7.5 * b + 1);
    assert.ok(isNear(evi[at], toLevel(wanted, -1, 1)), where);
  }
  assert.deepEqual(await draw('EVI', INSIDE, 'MIN_MAX=-1,1&CALIBRATE=1'), evi);
});

test('three expressions with COMPOSITE=1 are red, green and blue; bands and ISTACK do not need it', async () => {
  const expressions = ['NDVI', 'B04/5000.0', 'NDWI'];
  const composite = await draw(expressions.join(), INSIDE, 'MIN_MAX=-1,1&COMPOSITE=1');
  for (const [channel, expression] of expressions.entries()) {
    const grey = await draw(expression, INSIDE, 'MIN_MAX=-1,1');
    assert.ok(
      grey.every((level, i) => i % 4 !== channel || level === composite[i]),
      expression,
    );
  }
  const bands = await draw('B08,B04,B03', INSIDE, 'MIN_MAX=0,5000');
  assert.deepEqual(await draw('B08,B04,B03', INSIDE, 'MIN_MAX=0,5000&COMPOSITE=1'), bands);
  assert.equal((await render('ISTACK', INSIDE)).status, 200);
});

test('NODATA is transparent where it is chosen, and only there', async () => {
  const [nir, red] = [await openHarmonised('B08'), await openHarmonised('B04')];
  const pixels = await draw('where(less(NDVI,0.5),NODATA,NDVI)', INSIDE, 'MIN_MAX=-1,1');
  const seen = { clear: 0, opaque: 0 };
  for (const { px, py, at, where } of samplesOf({ tile: INSIDE })) {
    const [n, r] = [nir(px, py), red(px, py)];
    const ndvi = (n - r) / (n + r);
    if (Math.abs(ndvi - 0.5) < 1e-6) continue;
    assert.equal(pixels[at + 3], ndvi < 0.5 ? 0 : 255, where);
    seen[ndvi < 0.5 ? 'clear' : 'opaque'] += 1;
  }
  assert.ok(seen.clear > 20 && seen.opaque > 20, JSON.stringify(seen));
  // A composite is seen where all of its expressions are.
  const composite = await draw(
    'NDVI,where(less(NDVI,0.5),NODATA,NDVI),NDVI',
    INSIDE,
    'MIN_MAX=-1,1&COMPOSITE=1',
  );
  assert.ok(composite.every((level, i) => level === pixels[i]));
});

test('a division by zero is drawn white or black, NaN is transparent', async () => {
  const colourOf = async (expression: string) => {
    const pixels = await draw(expression, INSIDE, 'MIN_MAX=0,1');
    return [pixels[0], pixels[3]];
  };
  assert.deepEqual(await colourOf('B04/(B04-B04)'), [255, 255]);
  assert.deepEqual(await colourOf('(0.0-B04)/(B04-B04)'), [0, 255]);
  assert.deepEqual(await colourOf('(B04-B04)/(B04-B04)'), [0, 0]);
  // All of the scene is infinite, so there is nothing to find a contrast in: it is drawn all the same.
  assert.equal((await render('B04/(B04-B04)', INSIDE)).status, 200);
});

test('functions that need the whole window are computed too', async () => {
  const same = await draw('allclose(B04,B04)', INSIDE, 'MIN_MAX=0,1');
  assert.ok(same.every((level) => level === 255));
  const other = await draw('allclose(B04,B08)', INSIDE, 'MIN_MAX=0,1');
  assert.ok(other.every((level, i) => level === (i % 4 === 3 ? 255 : 0)));
  const reflectance = await draw('unwrap(B04*1.0)', INSIDE, 'MIN_MAX=0,0.5&CALIBRATE=1');
  assert.deepEqual(reflectance, await draw('B04*1.0', INSIDE, 'MIN_MAX=0,0.5&CALIBRATE=1'));
});

test('classes are never mixed, measurements are by default', async () => {
  const levelsOf = async (bands: string, query: string) =>
    new Set(await readPixels(await render(bands, INSIDE, `?mimetype=image/png&${query}`)));
  const byDefault = await levelsOf('SCL', 'MIN_MAX=0,11');
  assert.deepEqual(byDefault, await levelsOf('SCL', 'MIN_MAX=0,11&RESAMPLE=near'));
  assert.deepEqual(byDefault, await levelsOf('SCL', 'MIN_MAX=0,11&RESAMPLE=cubic'));
  const measure = await render('NDVI', INSIDE, '?MIN_MAX=-1,1');
  const bilinear = await render('NDVI', INSIDE, '?MIN_MAX=-1,1&RESAMPLE=bilinear');
  assert.equal(measure.headers.get('etag'), bilinear.headers.get('etag'));
});

test('the contrast of an expression is measured once for all tiles', async () => {
  const countDone = async () => {
    const text = await (
      await fetch(`${swath.url}/metrics`, { headers: { 'x-api-key': SERVICE_KEY } })
    ).text();
    return Number(/swath_pool_jobs_total\{outcome="done"\} (\d+)/.exec(text)?.[1]);
  };
  const jobsFor = async (expression: string, tile: string) => {
    const before = await countDone();
    const pixels = await readPixels(await render(expression, tile, '?mimetype=image/png'));
    return { jobs: (await countDone()) - before, pixels };
  };
  const first = await jobsFor('sqrt(B08/B04)', INSIDE);
  assert.equal(first.jobs, 2, 'one to measure, one to draw');
  const mean = first.pixels.reduce((sum, level, i) => sum + (i % 4 === 0 ? level : 0), 0) / 65_536;
  assert.ok(mean > 20 && mean < 235, `the contrast leaves a mean level of ${mean}`);
  assert.equal((await jobsFor('sqrt(B08/B04)', RIGHT)).jobs, 1);
  assert.equal((await jobsFor('sqrt(NIR%20/%20B4)', EDGE)).jobs, 1, 'whatever its spelling');
  assert.equal((await render('sqrt(B08/B04)', INSIDE, '?CALIBRATE=1')).status, 200);
});

test('an expression is transparent outside the scene', async () => {
  const edge = await render('NDVI', EDGE);
  assert.equal(edge.headers.get('content-type'), 'image/png');
  const alphas = new Set((await readPixels(edge)).filter((_, i) => i % 4 === 3));
  assert.deepEqual([...alphas].sort(), [0, 255]);
  const away = await readPixels(await render('NDVI', '10/0/0'));
  assert.ok(away.every((level) => level === 0));
});

test('a change is transparent where the catalog has no earlier scene to compare with', async () => {
  const response = await render('PR_FD', INSIDE);
  assert.equal(response.headers.get('content-type'), 'image/png');
  assert.ok((await readPixels(response)).every((level) => level === 0));
});

test('HEAD and 304 work with expressions', async () => {
  const head = await render('NDVI', INSIDE, '', { method: 'HEAD' });
  assert.equal(head.status, 200);
  assert.equal(await head.text(), '');
  const etag = head.headers.get('etag') ?? '';
  assert.match(etag, /^"[0-9a-f]{32}"$/);
  const again = await render('NDVI', INSIDE, '', { headers: { 'if-none-match': etag } });
  assert.equal(again.status, 304);
  const calibrated = await render('NDVI', INSIDE, '?CALIBRATE=1', { headers: { 'if-none-match': etag } });
  assert.equal(calibrated.status, 200);
});

test('requests that cannot be drawn get 422 with the reason, and nothing hostile gets further', async () => {
  const wrong: [expression: string, words: RegExp, query?: string][] = [
    ['NDVI,NDWI,B04', /COMPOSITE=1/],
    ['B04,B08', /one expression or three/],
    ['NDVI', /COMPOSITE=1 takes three/, '?COMPOSITE=1'],
    ['B04,B03,B02,B01', /./],
    ['5', /names no band/],
    ['B99', /B99/],
    ['constructor', /./],
    ['__proto__', /./],
    ['toString(B04)', /./],
    ['eval(B04)', /./],
    ['B04;B08', /./],
    ['%60B04%60', /./],
    ['%D0%9204', /./],
    ['where(B04', /./],
    [`${'('.repeat(500)}B04${')'.repeat(500)}`, /./],
    [`B04${'+B04'.repeat(1_000)}`, /./],
    ['B04%00', /./],
  ];
  for (const [expression, words, query = ''] of wrong) {
    const response = await render(expression, INSIDE, query);
    assert.equal(response.status, 422, expression);
    const body = (await response.json()) as { status: boolean; error: string };
    assert.equal(body.status, false);
    assert.match(body.error, words, expression);
    assert.equal(response.headers.get('cache-control'), 'no-store');
  }
  assert.equal((await render('NDVI', INSIDE)).status, 200);
});
