/** Explanations: what they say must be so. */
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { test } from 'node:test';
import { drawTile, lonLatOf, readBand, tileOf, tilePath } from '../pixels.ts';
import type { Key } from '../service.ts';
import { ask, askRefused, call, pathOf, sceneOf, verbPath } from '../service.ts';
import { toParams } from '../statistics.ts';

interface Input {
  readonly role: string;
  readonly band: string;
  readonly file: { readonly name: string };
  readonly read: {
    readonly level: number;
    readonly level_size: { readonly width: number; readonly height: number };
    readonly window: {
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
    };
    readonly resampling: string;
  };
  readonly calibration: { readonly rule: string; readonly parameters: Readonly<Record<string, number>> };
  readonly blocks: { readonly count: number; readonly cached: number; readonly bytes_stored: number };
}

interface Explained {
  readonly explains: string;
  readonly etag: string;
  readonly inputs: readonly Input[];
  readonly steps: readonly { readonly step: string; readonly stage: string }[];
  readonly channels: readonly Readonly<Record<string, unknown>>[];
  readonly samples: readonly { readonly inputs: readonly Input[] }[];
  readonly cost: Readonly<Record<string, number>>;
  readonly drawn: {
    readonly stages_ms: Readonly<Record<string, number>>;
    readonly jobs: readonly { readonly job: string; readonly bytes_read: number }[];
    readonly blocks_decoded: number;
    readonly blocks_cached: number;
    readonly bytes_read: number;
  };
}

async function explain(path: string, query = 'explain=1'): Promise<Explained> {
  const response = await ask(path, { query });
  assert.equal(response.status, 200, await response.clone().text());
  assert.equal(response.headers.get('content-type'), 'application/vnd.swath.explanation+json');
  assert.equal(response.headers.get('cache-control'), 'no-store');
  return (await response.json()) as Explained;
}

/** A file of a band on disk. */
const fileOf = (key: Key, band: string): string => pathOf(sceneOf(key).assets[band]!.href);

test('explain picture: files, windows, steps and the ETag are those of the picture', async () => {
  const tile = tileOf(await readBand('s2', 'B04'), 16);
  const path = tilePath('s2', '(B08-B04)/(B08+B04)', tile);
  const query = 'MIN_MAX=-1,1&CALIBRATE=1';
  const explained = await explain(path, `${query}&explain=1`);
  const picture = await ask(path, { query });
  await picture.body?.cancel();
  assert.equal(explained.etag, picture.headers.get('etag'));
  for (const { band, file, read, calibration, blocks } of explained.inputs) {
    assert.ok(fileOf('s2', band).endsWith(`/${file.name}`), file.name);
    const { width, height } = await readBand('s2', band);
    assert.deepEqual([read.level, read.level_size, read.resampling], [0, { width, height }, 'bilinear']);
    const { x, y } = read.window;
    assert.ok(x >= 0 && y >= 0 && x + read.window.width <= width && y + read.window.height <= height);
    assert.equal(calibration.rule, 'linear');
    assert.ok(blocks.count > 0 && blocks.cached <= blocks.count);
    assert.ok(blocks.bytes_stored <= statSync(fileOf('s2', band)).size);
  }
  assert.deepEqual(
    explained.steps.map(({ step }) => step),
    ['read', 'warp', 'math', 'colour', 'encode'],
  );
  assert.deepEqual(explained.channels, [{ contrast: 'fixed', min: -1, max: 1 }]);
  assert.ok(explained.cost.bytes! < explained.cost.bytes_limit!);
  assert.ok(explained.cost.work! < explained.cost.work_limit!);
});

test('explain drawn: it lists the stages of Server-Timing, and blocks are read only once', async () => {
  // No other test draws this band, so that nothing else decodes its blocks.
  const path = tilePath('cbers', 'BAND6', tileOf(await readBand('cbers', 'BAND6'), 13));
  const first = await explain(path, 'explain=drawn&MIN_MAX=0,255');
  const again = await explain(path, 'explain=drawn&MIN_MAX=0,255');
  for (const { drawn } of [first, again]) {
    const stages = Object.keys(drawn.stages_ms);
    assert.ok(
      stages.includes('cache') || ['read', 'warp', 'math', 'encode'].every((one) => stages.includes(one)),
    );
  }
  const [planned] = first.inputs;
  assert.equal(first.drawn.blocks_decoded, planned!.blocks.count - planned!.blocks.cached);
  assert.equal(first.drawn.bytes_read, planned!.blocks.bytes_stored);
  assert.equal(again.inputs[0]!.blocks.cached, again.inputs[0]!.blocks.count);
  assert.deepEqual([again.drawn.blocks_decoded, again.drawn.bytes_read], [0, 0]);
});

test('explain point: it shows the pixel that the value is read from', async () => {
  const band = await readBand('s2', 'B04');
  const at = 20 * band.width + 30;
  const { lat, lon } = lonLatOf(band, at);
  const { inputs } = await explain(`${verbPath('s2', 'point')}/B04/${lat.toFixed(8)}/${lon.toFixed(8)}`);
  assert.deepEqual(inputs[0]!.read.window, { x: 30, y: 20, width: 1, height: 1 });
});

test('explain pansharpening: the panchromatic band is an input, and sharpening a step', async () => {
  const tile = tileOf(await readBand('l8', 'B4'), 14);
  const { inputs, steps } = await explain(tilePath('l8', 'B4,B3,B2', tile), 'explain=1&PANSHARPENING=1');
  assert.deepEqual(
    inputs.map(({ role, band }) => `${role} ${band}`),
    ['band B4', 'band B3', 'band B2', 'panchromatic B8'],
  );
  assert.ok(steps.some(({ step, stage }) => step === 'sharpen' && stage === 'math'));
});

test('explain intensity: a measured contrast is stored for the picture', async () => {
  const { samples, explains } = await explain(`${verbPath('l7', 'ir')}/B3`);
  assert.equal(explains, 'intensity');
  assert.equal(samples[0]!.inputs[0]!.band, 'B3');
  const tile = tileOf(await readBand('l7', 'B3'), 13);
  await drawTile('l7', 'B3', tile);
  const { channels } = await explain(tilePath('l7', 'B3', tile));
  assert.equal(channels[0]!.contrast, 'stored');
});

test('explain statistics: it shows the window around the area, scene by scene', async () => {
  const { bm_type: expressions, ...params } = await toParams('l2a');
  const response = await call('/api/statistics?explain=1', { body: { ...params, expressions } });
  assert.equal(response.status, 200, await response.clone().text());
  const { scenes, scenes_found: found } = (await response.json()) as {
    readonly scenes_found: number;
    readonly scenes: readonly {
      readonly view_id: string;
      readonly stored: number;
      readonly groups: readonly { readonly inputs: readonly Input[] }[];
    }[];
  };
  assert.equal(found, 1);
  assert.equal(scenes[0]!.view_id, sceneOf('l2a').viewId);
  const inputs = scenes[0]!.groups.flatMap((group) => group.inputs);
  // Measured by another test before, perhaps.
  assert.ok(scenes[0]!.stored === 1 || inputs.some(({ band }) => band === 'B08'));
  for (const { role, read } of inputs.filter((input) => input.role === 'band')) {
    assert.equal(role, 'band');
    assert.deepEqual([read.level, read.window.width, read.window.height], [0, 42, 32]);
  }
});

test('explain refusal: the same error as without explain, and a key is required', async () => {
  const tile = tileOf(await readBand('s2', 'B04'), 16);
  const path = tilePath('s2', 'B99', tile);
  assert.equal(await askRefused(path, 422, { query: 'explain=1' }), await askRefused(path, 422));
  const known = tilePath('s2', 'B04', tile);
  assert.equal(await askRefused(known, 400, { query: 'explain=yes' }), 'bad-explain');
  assert.equal(await askRefused(known, 401, { query: 'explain=1', apiKey: null }), 'no-key');
});
