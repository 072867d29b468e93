import assert from 'node:assert/strict';
import { test } from 'node:test';
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
  const kinds: string[] = [];
  const parser = makeAreaParser(async ({ kind, input }) => {
    kinds.push(kind);
    return areaJobs[kind](input as never);
  });
  return { parser, kinds };
}

test('small areas are read at once, large ones by a job, with the same result', async () => {
  for (const positions of [20, areaLimits.vertices]) {
    const isLarge = positions > 1_000;
    const { parser, kinds } = makeParser();
    const geometry = await parser.parse(circle(positions), { owner: 'a' });
    assert.deepEqual(geometry, areaJobs['parse-area']({ geometry: circle(positions) }));
    const text = JSON.stringify(circle(positions));
    assert.deepEqual(await parser.write(text, { owner: 'a' }), areaJobs['write-area']({ text, owner: 'a' }));
    assert.deepEqual(kinds, isLarge ? ['parse-area', 'write-area'] : []);
  }
});

test('many positions are seen however they are packed, and nonsense is refused at once', async () => {
  const { parser, kinds } = makeParser();
  const many = { type: 'MultiPolygon', coordinates: [circle(300).coordinates, circle(300).coordinates] };
  await assert.rejects(parser.parse(many, { owner: 'a' }), { code: 'area-polygons-overlap' });
  assert.deepEqual(kinds, ['parse-area']);
  for (const nonsense of [null, 1, {}, { type: 'Polygon' }, { type: 'Polygon', coordinates: [[1]] }]) {
    await assert.rejects(parser.parse(nonsense, { owner: 'a' }), { tag: 'unsupported' });
  }
  await assert.rejects(parser.write('{', { owner: 'a' }), { code: 'bad-json' });
});
