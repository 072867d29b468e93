/** Classes of like pixels. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepArea, ringAround } from '../areas.ts';
import { colorAt, drawNative, readBand, TRANSPARENT, tilePath } from '../pixels.ts';
import { askJson, askRefused } from '../service.ts';

/** Values of NDVI by the class that a picture gives them, from the lowest class to the highest. */
async function listClasses(query: string): Promise<number[][]> {
  const [near, red] = [await readBand('l2a', 'B08'), await readBand('l2a', 'B04')];
  const picture = await drawNative('l2a', 'NDVI', near, `CLUSTERING=kmeans${query}`);
  const classes = new Map<string, number[]>();
  for (const [i, n] of near.values.entries()) {
    const color = colorAt(picture, i);
    assert.notEqual(color, TRANSPARENT);
    const values = classes.get(color) ?? [];
    classes.set(color, values);
    values.push((n - red.values[i]!) / (n + red.values[i]!));
  }
  return [...classes.values()].sort((a, b) => Math.min(...a) - Math.min(...b));
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, one) => sum + one, 0) / values.length;

test('tile CLUSTERING: kmeans puts every value into the class whose mean is nearest', async () => {
  const classes = await listClasses('');
  assert.equal(classes.length, 5, 'five classes by default');
  const means = classes.map(meanOf);
  for (const [i, values] of classes.entries()) {
    const next = i + 1 < classes.length ? (means[i]! + means[i + 1]!) / 2 : Infinity;
    const last = i > 0 ? (means[i - 1]! + means[i]!) / 2 : -Infinity;
    // The fit ends when means move by less than a ten thousandth.
    assert.ok(Math.max(...values) <= next + 2e-3 && Math.min(...values) >= last - 2e-3, `class ${i}`);
  }
  const path = tilePath('l2a', 'NDVI', { z: 1, x: 0, y: 0 });
  assert.equal(await askRefused(path, 422, { query: 'CLUSTERING=mean' }), 'bad-clustering');
});

test('tile CLUSTERS_NO: the number of classes, coloured from low to high', async () => {
  for (const count of [2, 3, 8]) {
    assert.equal((await listClasses(`&CLUSTERS_NO=${count}`)).length, count);
  }
  const palette = encodeURIComponent('{"1":"#ff0000","2":"#00ff00"}');
  const near = await readBand('l2a', 'B08');
  const picture = await drawNative('l2a', 'NDVI', near, `CLUSTERING=kmeans&CLUSTERS_NO=2&PALETTE=${palette}`);
  const [low, high] = await listClasses('&CLUSTERS_NO=2');
  const counts = new Map<string, number>();
  for (const i of near.values.keys()) {
    const color = colorAt(picture, i);
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  assert.deepEqual(Object.fromEntries(counts), { ff0000ff: low!.length, '00ff00ff': high!.length });
  const path = tilePath('l2a', 'NDVI', { z: 1, x: 0, y: 0 });
  for (const query of ['CLUSTERING=kmeans&CLUSTERS_NO=1', 'CLUSTERING=kmeans&CLUSTERS_NO=21']) {
    assert.equal(await askRefused(path, 422, { query }), 'bad-clusters-no');
  }
});

test('tile CLUSTERS_NO: fewer distinct values give fewer classes, spread over the whole colormap; the legend lists them', async () => {
  const band = await readBand('l2a', 'B04');
  const expression = 'where(less(B04,B08),1,2)';
  const query = 'CLUSTERING=kmeans&CLUSTERS_NO=9&COLORMAP=gray';
  const picture = await drawNative('l2a', expression, band, query);
  const colors = new Set(Array.from(band.values, (_, i) => colorAt(picture, i)));
  assert.deepEqual([...colors].sort(), ['000000ff', 'ffffffff']);
  const path = tilePath('l2a', expression, { z: 1, x: 0, y: 0 });
  const legend = await askJson<{ colors: string[]; values: number[] }>(`legend/${path}`, { query });
  assert.deepEqual(
    [legend.values, legend.colors],
    [
      [1, 2],
      ['#000000', '#ffffff'],
    ],
  );
});

test('tile MIN_AREA: no patch of a class is smaller, in square metres', async () => {
  const band = await readBand('l2a', 'B04');
  const [left, top, right, bottom] = [10, 10, 80, 80];
  const ref = await keepArea(ringAround(band, [left, top], [right, bottom]));
  const listPatches = async (query: string): Promise<number[]> => {
    const picture = await drawNative('l2a', 'NDVI', band, `CLUSTERING=kmeans&cropper_ref=${ref}${query}`);
    const colors = Array.from(band.values, (_, i) => colorAt(picture, i));
    return measurePatches(colors, band.width);
  };
  const before = await listPatches('');
  // A pixel has 100 m².
  const after = await listPatches('&MIN_AREA=2000');
  assert.ok(Math.min(...before) < 20 && Math.min(...after) >= 20, `${Math.min(...after)}`);
  const total = (right - left + 1) * (bottom - top + 1);
  for (const sizes of [before, after])
    assert.equal(
      sizes.reduce((sum, size) => sum + size, 0),
      total,
    );
});

/** Sizes of patches of one colour connected by their sides; transparent pixels belong to none. */
function measurePatches(colors: readonly string[], width: number): number[] {
  const seen = new Set<number>();
  const sizes: number[] = [];
  for (const [start, color] of colors.entries()) {
    if (color === TRANSPARENT || seen.has(start)) continue;
    seen.add(start);
    const open = [start];
    let size = 0;
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      size += 1;
      for (const next of [at - 1, at + 1, at - width, at + width]) {
        const isAdjacent = Math.abs((next % width) - (at % width)) <= 1;
        if (!isAdjacent || seen.has(next) || colors[next] !== color) continue;
        seen.add(next);
        open.push(next);
      }
    }
    sizes.push(size);
  }
  return sizes;
}
