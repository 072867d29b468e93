import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseExplanation } from './explanation.ts';

const input = (band: string, level: number | null) => ({
  role: 'band',
  band,
  view_id: 'S2L2A/x',
  file: { store: 'folder', name: `${band}.tif` },
  read: level === null ? null : { level },
  blocks: { bytes_stored: 1200 },
});
const step = (name: string) => ({ step: name, stage: name, detail: `the ${name}` });

test('the explanation of a one-scene picture has its files and steps', () => {
  const { found, files, steps, isCached } = parseExplanation({
    explains: 'picture',
    scenes: [{ view_id: 'S2L2A/x', role: 'shown' }],
    inputs: [input('B04', 1), input('B03', null)],
    steps: [step('read'), step('encode')],
    cached: true,
  });
  assert.equal(found, 1);
  assert.deepEqual(
    files.map(({ band, name, level, bytes }) => [band, name, level, bytes]),
    [
      ['B04', 'B04.tif', 1, 1200],
      ['B03', 'B03.tif', null, 1200],
    ],
  );
  assert.deepEqual(steps, [
    { name: 'read', detail: 'the read' },
    { name: 'encode', detail: 'the encode' },
  ]);
  assert.ok(isCached);
});

test('the explanation of a mosaic has those of its scenes, with the steps of a scene before its own', () => {
  const { found, files, steps } = parseExplanation({
    explains: 'mosaic',
    found: 7,
    parts: [
      { inputs: [input('B04', 0)], steps: [step('warp')] },
      { inputs: [input('B04', 0)], steps: [step('warp')] },
    ],
    steps: [step('select')],
  });
  assert.deepEqual([found, files.length, steps.map(({ name }) => name)], [7, 2, ['warp', 'select']]);
});

test('an answer with another schema explains nothing', () => {
  assert.deepEqual(parseExplanation(null), { found: 0, files: [], steps: [], isCached: false });
});
