import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aTicket, makeRunnerHere } from '../pool/testing/run-here.ts';
import type { AreaJobs } from './area-jobs.ts';
import { areaJobs } from './area-jobs.ts';
import { makeAreaParser } from './area-parser.ts';
import { areaLimits } from './limits.ts';

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

test('small areas are parsed at once, large ones by a job, with the same result', async () => {
  for (const positions of [20, areaLimits.vertices]) {
    const isLarge = positions > 1_000;
    const { parser, listKinds } = makeParser();
    const geometry = await parser.parse(circle(positions), aTicket);
    assert.deepEqual(geometry, areaJobs['parse-area']({ geometry: circle(positions) }));
    const text = JSON.stringify(circle(positions));
    assert.deepEqual(
      await parser.write(text, aTicket),
      areaJobs['write-area']({ text, owner: aTicket.owner }),
    );
    assert.deepEqual(listKinds(), isLarge ? ['parse-area', 'write-area'] : []);
  }
});

test('many positions are counted however they are nested, and invalid input is refused at once', async () => {
  const { parser, listKinds } = makeParser();
  const many = { type: 'MultiPolygon', coordinates: [circle(300).coordinates, circle(300).coordinates] };
  // A search may use polygons that overlap.
  assert.equal((await parser.parse(many, aTicket)).coordinates.length, 2);
  assert.deepEqual(listKinds(), ['parse-area']);
  for (const nonsense of [null, 1, {}, { type: 'Polygon' }, { type: 'Polygon', coordinates: [[1]] }]) {
    await assert.rejects(parser.parse(nonsense, aTicket), { tag: 'unsupported' });
  }
  await assert.rejects(parser.write('{', aTicket), { code: 'bad-json' });
});
