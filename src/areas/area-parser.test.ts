import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aTicket, makeRunnerHere } from '../pool/testing/run-here.ts';
import type { AreaJobs } from './area-parser.ts';
import { areaJobs, makeAreaParser } from './area-parser.ts';
import { areaLimits } from './parse-area.ts';

const circle = (positions: number) => {
  const ring = Array.from({ length: positions - 1 }, (_, i) => {
    const angle = (2 * Math.PI * i) / (positions - 1);
    return [10 + Math.cos(angle), 50 + Math.sin(angle)];
  });
  return { type: 'Polygon', coordinates: [[...ring, ring[0]]] };
};

function makeParser() {
  const pool = makeRunnerHere<AreaJobs>(areaJobs);
  return { parser: makeAreaParser(pool), listKinds: () => pool.asked.map(({ kind }) => kind) };
}

test('small areas are parsed in place, large ones in a job, with the same result', async () => {
  for (const positions of [20, areaLimits.vertices]) {
    const isLarge = positions > 1_000;
    const { parser, listKinds } = makeParser();
    const text = JSON.stringify(circle(positions));
    assert.deepEqual(await parser.parse(text, aTicket), areaJobs['parse-area']({ text }));
    const checked = await parser.check(text, aTicket);
    assert.deepEqual(checked, areaJobs['check-area']({ text }));
    assert.deepEqual(await parser.measure(checked.geometry, aTicket), checked);
    assert.deepEqual(
      await parser.write(text, aTicket),
      areaJobs['write-area']({ text, owner: aTicket.owner }),
    );
    assert.deepEqual(listKinds(), isLarge ? ['parse-area', 'check-area', 'measure-area', 'write-area'] : []);
  }
});

test('polygons of a search may overlap; invalid input is refused', async () => {
  const { parser } = makeParser();
  const many = { type: 'MultiPolygon', coordinates: [circle(300).coordinates, circle(300).coordinates] };
  assert.equal((await parser.parse(JSON.stringify(many), aTicket)).coordinates.length, 2);
  await assert.rejects(parser.check(JSON.stringify(many), aTicket), { code: 'area-polygons-overlap' });
  for (const nonsense of [null, 1, {}, { type: 'Polygon' }, { type: 'Polygon', coordinates: [[1]] }]) {
    await assert.rejects(parser.parse(JSON.stringify(nonsense), aTicket), { tag: 'unsupported' });
  }
  await assert.rejects(parser.write('{', aTicket), { code: 'bad-json' });
});
