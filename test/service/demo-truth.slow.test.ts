/** What `swath demo truth` says, compared with the files of the scene. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import { toLocalPoint } from '../../world/demo/truth.ts';
import type { Ground } from '../../world/ground/ground.ts';
import { makeDemoData } from '../support/demo-data.ts';
import type { DemoGrid } from '../support/demo-grid.ts';
import { readDemoGrid, readDemoPixel } from '../support/demo-grid.ts';
import { runSwath } from '../support/start-swath.ts';
import { openWorld } from '../world/shared-world.ts';

interface Truth {
  readonly heightM: number;
  readonly slopeDeg: number;
  readonly cover: string;
  readonly field: { readonly id: number; readonly meanNdvi: number } | null;
  readonly bands: readonly { readonly name: string; readonly surface: number; readonly top: number }[];
  readonly indices: Readonly<Record<string, number>>;
  readonly cloud: string | null;
  readonly at: string;
  readonly hasScene: boolean;
}

/** A position in the scene with the same field all around it. */
function findField({ width, height, toDegrees }: DemoGrid, ground: Ground): [x: number, y: number] {
  const fieldAt = (x: number, y: number): number => {
    const point = toLocalPoint(...toDegrees([x, y]));
    const survey = ground.survey({
      width: 1,
      height: 1,
      sideM: 10,
      x: Float64Array.of(point.x),
      y: Float64Array.of(point.y),
    });
    return survey.fieldId[0] ?? 0;
  };
  // Centres of pixels of 10 m whose pixels of 20 and 60 m have the same field, too.
  for (let y = 9.5; y < height - 9; y += 30) {
    for (let x = 9.5; x < width - 9; x += 30) {
      const id = fieldAt(x, y);
      const others = [-6, 6].flatMap((dx) => [-6, 6].map((dy) => fieldAt(x + dx, y + dy)));
      if (id !== 0 && others.every((other) => other === id)) return [x, y];
    }
  }
  throw new Error('no field in the demo scene');
}

test('demo truth says what the scene shows, as text and as JSON', async (t) => {
  const dataDir = await makeDemoData();
  t.after(() => rmSync(dataDir, { recursive: true }));
  const grid = await readDemoGrid(dataDir);
  const pixel = findField(grid, (await openWorld()).ground);
  const lonLat = grid.toDegrees(pixel);

  const words = ['demo', 'truth', '--at', lonLat.map((degrees) => degrees.toFixed(7)).join()];
  const { status, stdout } = await runSwath([...words, '--date', '2026-06-21', '--json']);
  assert.equal(status, 0);
  const truth = JSON.parse(stdout) as Truth;
  assert.deepEqual(Object.keys(truth).sort(), [
    ...['at', 'bands', 'cloud', 'cover', 'field', 'hasScene', 'heightM', 'indices', 'slopeDeg'],
  ]);
  assert.deepEqual([truth.at, truth.hasScene, truth.cloud], ['2026-06-21T19:10:12.000Z', true, 'none']);
  assert.ok(truth.heightM > 0 && truth.heightM < 200, `a plain near the sea at ${truth.heightM} m`);
  assert.ok(truth.slopeDeg >= 0 && truth.slopeDeg < 10);
  assert.ok(truth.field !== null && truth.field.id > 0);
  assert.ok(Math.abs(truth.field.meanNdvi) <= 1);
  assert.equal(truth.bands.length, 12);
  for (const { name, surface, top } of truth.bands) {
    // Sensor noise, and the rounding to ten-thousandths.
    const stored = (await readDemoPixel(dataDir, name, pixel)) / 10_000;
    assert.ok(Math.abs(surface - stored) < 0.01 + 0.05 * stored, `${name}: ${surface}, stored ${stored}`);
    assert.ok(top > 0 && top < 1, `${name}: ${top} at the top of the atmosphere`);
  }
  const surfaceOf = (name: string): number => truth.bands.find((band) => band.name === name)?.surface ?? 0;
  const [red, nir] = [surfaceOf('B04'), surfaceOf('B08')];
  assert.ok(Math.abs((truth.indices.NDVI ?? 9) - (nir - red) / (nir + red)) < 1e-6);
  assert.ok(Math.abs((truth.indices.NDVI ?? 9) - truth.field.meanNdvi) < 0.3);

  const text = await runSwath([...words, '--date', '2026-06-22']);
  assert.equal(text.status, 0);
  assert.match(
    text.stdout,
    /^moment +2026-06-22T\S+ \(no scene of that day: noon\)\nheight +[\d.]+ m, slope/,
  );
  assert.match(text.stdout, new RegExp(`\\nfield +${truth.field.id}, mean NDVI -?\\d\\.\\d{3}\\n`));
  assert.match(text.stdout, /\nB04 +0\.\d{4} +0\.\d{4}\n/);
  assert.match(text.stdout, /\nNDVI +-?\d\.\d{4}\n/);
});

test('demo truth refuses a location outside the world, an invalid day and an unknown sensor with an explanation', async () => {
  const ask = (...words: string[]) => runSwath(['demo', 'truth', ...words]);
  const outside = await ask('--at', '2.95,42.7', '--date', '2026-06-21');
  assert.deepEqual([outside.status, outside.stdout], [1, '']);
  assert.match(outside.stderr, /^swath: The demo world lies between .*; 2\.95, 42\.7 is outside\.\n$/);
  for (const [words, sentence] of [
    [['--at', '-122.36,48.19', '--date', 'today'], /^swath: .*--date.*\n$/],
    [
      ['--at', '-122.36,48.19', '--date', '2026-06-21', '--sensor', 'HAL'],
      /^swath: There is no sensor "HAL"/,
    ],
    [['--date', '2026-06-21'], /^swath: --at is required, such as --at /],
  ] as const) {
    const { status, stderr } = await ask(...words);
    assert.equal(status, 2, stderr);
    assert.match(stderr, sentence);
  }
});
