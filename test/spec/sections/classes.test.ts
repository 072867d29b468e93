/** Areas of classes through the service. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBand } from '../pixels.ts';
import { call, sceneOf } from '../service.ts';
import { middleOf, ndviOf, near, toPolygon } from '../statistics.ts';

interface ClassesAnswer {
  readonly thresholds: readonly number[];
  readonly separability: number | null;
  readonly epsg: number;
  readonly pixel_m: number;
  readonly area: { readonly pixels: number; readonly hectares: number; readonly clear_percent: number };
  readonly histogram: { readonly counts: readonly number[]; readonly below: number; readonly above: number };
  readonly classes: readonly ClassAnswer[];
  readonly features: readonly { readonly geometry: unknown; readonly properties: ClassAnswer }[];
}

interface ClassAnswer {
  readonly label?: string;
  readonly pixels: number;
  readonly hectares: number;
  readonly km2: number;
}

/** The middle of the scene before the fire. */
async function toBody(more: object = {}) {
  const band = await readBand('beforeFire', 'B04');
  const box = middleOf(band);
  const geometry = toPolygon(band, box);
  const view_id = sceneOf('beforeFire').viewId;
  return { box, body: { geometry, view_id, expression: 'NDVI', thresholds: [0.5, 0.7], ...more } };
}

async function measure(body: object): Promise<ClassesAnswer> {
  const response = await call('/api/classes', { body });
  const answer = (await response.json()) as ClassesAnswer;
  assert.equal(response.status, 200, JSON.stringify(answer).slice(0, 500));
  return answer;
}

test('classes POST: pixels and hectares between thresholds equal those computed from the pixels', async () => {
  const { box, body } = await toBody({ mask_clouds: false });
  const answer = await measure(body);
  const values = await ndviOf('beforeFire', box);
  const counts = [
    values.filter((value) => value < 0.5).length,
    values.filter((value) => value >= 0.5 && value < 0.7).length,
    values.filter((value) => value >= 0.7).length,
  ];
  assert.deepEqual(
    answer.classes.map(({ pixels }) => pixels),
    counts,
  );
  assert.deepEqual([answer.epsg, answer.pixel_m, answer.thresholds], [32_610, 60, [0.5, 0.7]]);
  for (const [i, { hectares, km2 }] of answer.classes.entries()) {
    near(hectares, 0.36 * counts[i]!, 0.001 * counts[i]! + 1e-9);
    near(km2, hectares / 100, 1e-6);
  }
  const { counts: bins, below, above } = answer.histogram;
  assert.equal(
    bins.reduce((sum, count) => sum + count, below + above),
    values.length,
  );
});

test('classes formats: polygons and image contain the same pixels as the table', async () => {
  const { body } = await toBody();
  const [table, polygons] = [await measure(body), await measure({ ...body, format: 'geojson' })];
  for (const [i, { properties }] of polygons.features.entries()) {
    assert.equal(properties.pixels, table.classes[i]?.pixels);
  }
  const image = await call('/api/classes', { body: { ...body, format: 'geotiff' } });
  assert.match(image.headers.get('content-type') ?? '', /^image\/tiff/);
  assert.equal(image.headers.get('content-disposition'), 'attachment; filename="classes.tif"');
  assert.equal(Buffer.from(await image.arrayBuffer()).toString('latin1', 0, 2), 'II');
});

test('classes presets: a preset names its classes, and one that compares needs an earlier scene', async () => {
  const response = await call('/api/classes/presets');
  const { presets } = (await response.json()) as {
    readonly presets: readonly { readonly id: string; readonly reference: string; readonly about: string }[];
  };
  assert.ok(presets.some(({ id }) => id === 'burn-severity'));
  for (const { reference, about } of presets) {
    assert.match(reference, /https:\/\/doi\.org\//);
    assert.equal(about.match(/[.!]( |$)/g)?.length, 2, about);
  }
  const { body } = await toBody({ expression: undefined, thresholds: undefined, preset: 'burn-severity' });
  const compared = { ...body, view_id: sceneOf('afterFire').viewId, before_view_id: body.view_id };
  const { classes, thresholds } = await measure(compared);
  assert.deepEqual([classes.length, classes[6]?.label, thresholds[3]], [7, 'high severity', 0.27]);
  const water = await measure({ ...body, preset: 'ndwi-water', thresholds: 'otsu' });
  assert.ok(water.separability !== null && water.thresholds.length === 1);
});

test('classes mosaic: the newest scene of a period has the classes of that scene', async () => {
  const { body } = await toBody({ expression: 'NDVI', thresholds: [0.5] });
  const { view_id: _, ...rest } = body;
  const mosaic = { sensors: 'S2L2A', period: '2026-08-01..2026-08-10' };
  const [one, many] = [
    await measure({ ...body, mask_clouds: true }),
    await measure({ ...rest, mosaic, pixel_m: 60 }),
  ];
  near(many.classes[1]?.hectares, one.classes[1]!.hectares, 0.1 * one.area.hectares);
});

test('classes refusals: each says what is wrong', async () => {
  const { body } = await toBody();
  for (const [more, status, code] of [
    [{ thresholds: undefined }, 400, 'bad-thresholds'],
    [{ thresholds: [0.5, 0.5] }, 400, 'bad-thresholds'],
    [{ thresholds: 'auto' }, 400, 'bad-thresholds'],
    [{ expression: undefined }, 400, 'bad-expression'],
    [{ preset: 'gold' }, 400, 'bad-preset'],
    [{ preset: 'burn-severity' }, 400, 'bad-before-view-id'],
    [{ preset: 'snow', before_view_id: body.view_id }, 400, 'bad-before-view-id'],
    [{ difference: 'after-before' }, 400, 'bad-before-view-id'],
    [{ view_id: undefined }, 400, 'bad-view-id'],
    [{ mosaic: { sensors: 'S2L2A', period: '2026-07' } }, 400, 'bad-view-id'],
    [{ view_id: undefined, mosaic: 'S2L2A' }, 400, 'bad-mosaic'],
    [{ before_mosaic: [] }, 400, 'bad-before-mosaic'],
    [{ view_id: undefined, mosaic: { sensors: 'X', period: '2026-07' } }, 400, 'unknown-sensor'],
    [{ difference: 'both' }, 400, 'bad-difference'],
    [{ mask_clouds: 'perhaps' }, 400, 'bad-mask-clouds'],
    [{ speckle: 'median' }, 400, 'bad-speckle'],
    [{ pixel_m: 0 }, 400, 'bad-pixel-m'],
    [{ min_area_ha: -1 }, 400, 'bad-min-area-ha'],
    [{ bins: 1 }, 400, 'bad-bins'],
    [{ range: [1, 0] }, 400, 'bad-range'],
    [{ format: 'png' }, 400, 'bad-format'],
    [{ group: 'nobody', geometry: undefined }, 404, 'no-such-group'],
    [{ view_id: 'S2L2A/10/U/EU/1999/1/1/0' }, 404, 'unknown-scene'],
    [{ expression: 'NOPE' }, 422, 'unknown-band'],
  ] as const) {
    const response = await call('/api/classes', { body: { ...body, ...more } });
    const answer = (await response.json()) as { readonly code: string };
    assert.deepEqual([response.status, answer.code], [status, code], JSON.stringify(more));
  }
});
