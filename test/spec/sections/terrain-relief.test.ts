/** Relief of the terrain: hillshade, slope and aspect, from the elevation model of the demo world. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spots } from '../../../world/setting.ts';
import { askJson, askRefused } from '../service.ts';
import type { Slopes } from '../terrain.ts';
import {
  askHeights,
  askPixels,
  colorOf,
  INNER,
  redsOf,
  slopesAt,
  summit,
  tileAround,
  toPath,
} from '../terrain.ts';

/** The shade of a slope, 1 to 255: the cosine of the angle between its normal and the light. */
function shadeOf({ east, north }: Slopes, azimuthDeg: number, altitudeDeg: number): number {
  const [azimuth, altitude] = [(azimuthDeg * Math.PI) / 180, (altitudeDeg * Math.PI) / 180];
  const light = [
    Math.sin(azimuth) * Math.cos(altitude),
    Math.cos(azimuth) * Math.cos(altitude),
    Math.sin(altitude),
  ] as const;
  const cosine = (-east * light[0] - north * light[1] + light[2]) / Math.hypot(east, north, 1);
  return cosine <= 0 ? 1 : 1 + 254 * cosine;
}

async function compareShades(query: string, azimuth: number, altitude: number): Promise<void> {
  const { values } = await askHeights(toPath(summit));
  const shades = redsOf(await askPixels(toPath(summit), query));
  for (const { column, row } of INNER) {
    const wanted = shadeOf(slopesAt(values, column, row, summit), azimuth, altitude);
    const found = shades[row * 256 + column]!;
    assert.ok(Math.abs(found - wanted) <= 1, `${query} ${column} ${row}: ${found}, not ${wanted}`);
  }
}

test('terrain format: hillshade by default, light from 315° and 45° above the horizon', async () => {
  await compareShades('', 315, 45);
  await compareShades('format=hillshade', 315, 45);
  assert.equal(await askRefused(toPath(summit), 400, { query: 'format=relief' }), 'bad-format');
});

test('terrain AZIMUTH: the light comes from there, clockwise from north', async () => {
  await compareShades('AZIMUTH=90', 90, 45);
  await compareShades('azimuth=200.5', 200.5, 45);
  assert.equal(await askRefused(toPath(summit), 400, { query: 'AZIMUTH=400' }), 'bad-azimuth');
});

test('terrain ALTITUDE: the height of the light above the horizon', async () => {
  await compareShades('ALTITUDE=15', 315, 15);
  await compareShades('ALTITUDE=90', 315, 90);
  assert.equal(await askRefused(toPath(summit), 400, { query: 'ALTITUDE=91' }), 'bad-altitude');
});

test('terrain THRESHOLDS: shades below, between and above them have separate colours', async () => {
  const shades = redsOf(await askPixels(toPath(summit), ''));
  const colored = await askPixels(toPath(summit), 'THRESHOLDS=120,200&COLORS=0000ff,00ff00,ff0000');
  for (const [i, shade] of shades.entries()) {
    const wanted = shade < 120 ? '0000ff' : shade < 200 ? '00ff00' : 'ff0000';
    assert.equal(colorOf(colored, i), wanted, `${i}: ${shade}`);
  }
});

test('terrain COLORS: one more than thresholds, and hexadecimal', async () => {
  for (const query of [
    'COLORS=0000ff',
    'THRESHOLDS=5',
    'THRESHOLDS=5&COLORS=0000ff',
    'THRESHOLDS=5&COLORS=x,y',
  ])
    await askRefused(toPath(summit), 422, { query });
});

test('terrain SLOPE_RANGE: the ends of the colormap, in degrees', async () => {
  const { values } = await askHeights(toPath(summit));
  const { colors } = await askJson<{ colors: string[] }>('legend/viridis');
  for (const [query, min, max] of [
    ['SLOPE_RANGE=0,45', 0, 45],
    ['slopeRange=(10.0,40.0)', 10, 40],
    ['', 0, 90],
  ] as const) {
    const drawn = await askPixels(toPath(summit), `format=slope&COLORMAP=viridis&${query}`);
    for (const { column, row } of INNER) {
      const { slopeDeg } = slopesAt(values, column, row, summit);
      const exact = ((slopeDeg - min) / (max - min)) * 256;
      // Next to the border of two colours float32 may decide otherwise.
      if (Math.abs(exact - Math.round(exact)) < 0.01) continue;
      const index = Math.min(255, Math.max(0, Math.floor(exact)));
      assert.equal(`#${colorOf(drawn, row * 256 + column)}`, colors[index], `${query} ${slopeDeg}`);
    }
  }
  await askRefused(toPath(summit), 400, { query: 'format=slope&SLOPE_RANGE=40,10' });
});

test('terrain COLORMAP: terrain by default; an unknown one is 404', async () => {
  const plain = await askPixels(toPath(summit), 'format=slope');
  const named = await askPixels(toPath(summit), 'format=slope&COLORMAP=terrain');
  const other = await askPixels(toPath(summit), 'format=slope&COLORMAP=magma');
  assert.deepEqual(plain.rgba, named.rgba);
  assert.notDeepEqual(plain.rgba, other.rgba);
  await askRefused(toPath(summit), 404, { query: 'format=slope&COLORMAP=nosuchmap' });
});

test('terrain MIN_SLOPE: gentler slopes are transparent', async () => {
  const { values } = await askHeights(toPath(summit));
  const drawn = await askPixels(toPath(summit), 'format=slope&MIN_SLOPE=20');
  let [shown, hidden] = [0, 0];
  for (const { column, row } of INNER) {
    const { slopeDeg } = slopesAt(values, column, row, summit);
    if (Math.abs(slopeDeg - 20) < 0.01) continue;
    const alpha = drawn.rgba[4 * (row * 256 + column) + 3];
    assert.equal(alpha, slopeDeg < 20 ? 0 : 255, `${slopeDeg}`);
    if (alpha === 0) hidden += 1;
    else shown += 1;
  }
  assert.ok(shown > 20 && hidden > 20, `${shown} shown, ${hidden} hidden`);
});

test('terrain FILTERING: spikes and voids of the bad survey disappear, and mountains stay', async () => {
  const forest = tileAround(spots.forest, 12);
  /** Pixels that stick out of their four neighbours: spikes, and the rims of voids. */
  const countSpikes = async (query: string): Promise<number> => {
    const shades = redsOf(await askPixels(toPath(forest), query));
    let count = 0;
    for (let i = 257; i < shades.length - 257; i++) {
      const around = shades[i - 1]! + shades[i + 1]! + shades[i - 256]! + shades[i + 256]!;
      if (Math.abs(4 * shades[i]! - around) > 120) count += 1;
    }
    return count;
  };
  const [before, after] = [await countSpikes(''), await countSpikes('FILTERING=TRUE')];
  assert.ok(before > 100 && after < before / 10, `${before} before, ${after} after`);
  const holes = async (query: string): Promise<number> => {
    const { rgba } = await askPixels(toPath(forest), query);
    return rgba.filter((_, i) => i % 4 === 3).filter((alpha) => alpha === 0).length;
  };
  assert.ok((await holes('')) > 100);
  assert.equal(await holes('FILTERING=true'), 0);
  const [raw, filtered] = [await askHeights(toPath(summit)), await askHeights(toPath(summit), 'FILTERING=1')];
  const off = raw.values.map((height, i) => Math.abs(height - filtered.values[i]!)).toSorted();
  assert.ok(off[Math.floor(off.length / 2)]! < 5, 'half of all heights move by less than five metres');
});

test('terrain z, x, y: zoom levels 1 to 16; others, and tiles outside the map, are 404', async () => {
  for (const z of [1, 5, 16]) {
    const { rgba, width } = await askPixels(toPath(tileAround(spots.summit, z)), '');
    assert.equal(width, 256);
    assert.ok(
      rgba.some((byte, i) => i % 4 === 3 && byte === 255),
      `zoom ${z} shows something`,
    );
  }
  for (const path of ['terrain/0/0/0', 'terrain/17/0/0', 'terrain/3/8/0'])
    assert.equal(await askRefused(path, 404), 'no-such-tile');
  assert.equal(await askRefused('terrain/3/0/x', 400), 'bad-y');
  const far = await askPixels('terrain/8/10/10', '');
  assert.ok(
    far.rgba.every((byte) => byte === 0),
    'transparent where nothing is known',
  );
});

test('terrain @2x: 512 pixels on the same ground', async () => {
  const { width, height } = await askPixels(`${toPath(summit)}@2x`, '');
  assert.deepEqual([width, height], [512, 512]);
});

test('terrain api_key: required', async () => {
  await askRefused(toPath(summit), 401, { apiKey: null });
  await askRefused('terrain/point/48.2/-122.4', 401, { apiKey: null });
});

test('terrain aspect: the direction in which the ground falls', async () => {
  const { values } = await askHeights(toPath(summit));
  const { colors } = await askJson<{ colors: string[] }>('legend/hsv');
  const drawn = await askPixels(toPath(summit), 'format=aspect');
  for (const { column, row } of INNER) {
    const { east, north } = slopesAt(values, column, row, summit);
    const direction = ((Math.atan2(-east, -north) * 180) / Math.PI + 360) % 360;
    const exact = (direction / 360) * 256;
    if (Math.hypot(east, north) < 0.01 || Math.abs(exact - Math.round(exact)) < 0.02) continue;
    assert.equal(`#${colorOf(drawn, row * 256 + column)}`, colors[Math.floor(exact)], `${direction}`);
  }
});

test('terrain legend: colours and thresholds of slopes and shades', async () => {
  const { z, x, y } = summit;
  const slope = await askJson<{ colors: string[]; thresholds: number[]; bands: unknown }>(
    `legend/terrain/${z}/${x}/${y}`,
    { query: 'format=slope&COLORMAP=viridis&SLOPE_RANGE=0,64' },
  );
  assert.deepEqual([slope.colors[0], slope.thresholds[0], slope.thresholds[3]], ['#440154', 0.25, 1]);
  assert.deepEqual(slope.bands, [{ band: 'slope', min: 0, max: 64 }]);
  await askRefused(`legend/terrain/${z}/${x}/${y}`, 422, { query: 'format=geotiff' });
});
