import assert from 'node:assert/strict';
import { test } from 'node:test';
import { discrete, makeColors } from '../testing/make-colors.ts';

interface Legend {
  readonly colors: string[];
  readonly thresholds: number[];
  readonly labels?: string[];
}

test('a legend has 256 colours and 255 thresholds between 0 and 255, or fewer', async () => {
  const { read } = makeColors();
  const { colors, thresholds, ...rest } = await read<Legend>('/api/render/legend/viridis');
  assert.deepEqual(rest, {});
  assert.deepEqual([colors.length, thresholds.length], [256, 255]);
  assert.deepEqual([colors[0], colors[64], colors[255]], ['#440154', '#3b528b', '#fde725']);
  assert.deepEqual([thresholds[0], thresholds[1], thresholds[254]], [0.99609375, 1.9921875, 254.00390625]);
  const limited = await read<Legend>('/api/render/legend/RdYlGn?MIN_MAX=-1,1&LIMIT=5');
  assert.deepEqual(limited.colors, ['#a50026', '#f88d52', '#ffffbf', '#86cb66', '#006837']);
  assert.deepEqual(
    limited.thresholds.map((value) => Math.round(value * 1e9) / 1e9),
    [-0.6, -0.2, 0.2, 0.6],
  );
});

test('a legend of a discrete colormap has its own colours only', async () => {
  const { read, create } = makeColors();
  const accent = await read<Legend>('/api/render/legend/Accent?LIMIT=3');
  assert.deepEqual([accent.colors.length, accent.thresholds.length], [8, 7]);
  const id = await create(discrete);
  assert.deepEqual(await read<Legend>(`/api/render/legend/${id}`), {
    colors: ['#1f4e9e', '#8040ff', '#3f9b3f'],
    thresholds: [0, 0.4],
    labels: discrete.labels,
  });
  const smooth = await create({ colors: discrete.colors, thresholds_type: 'absolute' });
  const { thresholds } = await read<Legend>(`/api/render/legend/${smooth}?LIMIT=2`);
  assert.deepEqual(thresholds, [-0.30000000000000004], 'absolute positions say where the colours are');
});

test('MIN_MAX and LIMIT of a legend are read strictly', async () => {
  const { refuse, read } = makeColors();
  for (const kind of ['legend', 'colorbar']) {
    for (const text of [
      '',
      '1',
      '1,2,3',
      'a,b',
      '0x1,2',
      'NaN,1',
      'Infinity,1',
      '1e39,2e39',
      '-1e308,1e308',
    ]) {
      await refuse(`/api/render/${kind}/viridis?MIN_MAX=${text}`, 400, 'bad-min-max');
    }
    for (const text of ['1,1', '2,1', '-5e-324,5e-324', '1,1.00000000001']) {
      await refuse(`/api/render/${kind}/viridis?MIN_MAX=${text}`, 422, 'flat-min-max');
    }
    await refuse(`/api/render/${kind}/viridis?MIN_MAX=0,1&MIN_MAX=0,2`, 400, 'repeated-parameter');
  }
  for (const text of ['', '0', '1', '257', '-1', '1e2', '2.5']) {
    await refuse(`/api/render/legend/viridis?LIMIT=${text}`, 422, 'bad-colors-limit');
  }
  const { thresholds } = await read<Legend>('/api/render/legend/viridis?MIN_MAX=-3.4e38,3.4e38');
  assert.ok(thresholds.every(Number.isFinite));
});
