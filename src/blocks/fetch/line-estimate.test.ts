import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeLineEstimate } from './line-estimate.ts';

function makeLine() {
  let nowMs = 1_000;
  const line = makeLineEstimate(() => nowMs);
  return {
    line,
    pass(ms: number) {
      nowMs += ms;
    },
  };
}

test('nothing is known before the first read is complete', () => {
  const { line, pass } = makeLine();
  line.begin(1_000);
  pass(10);
  assert.equal(line.bytesUnderWay, 0);
});

test('what arrives side by side counts together, over the shortest time of a read', () => {
  const { line, pass } = makeLine();
  const ends = [line.begin(1_000), line.begin(1_000), line.begin(1_000)];
  pass(80);
  ends[0]!();
  assert.equal(line.bytesUnderWay, (2 * 1_000 * 80) / 80);
  pass(20);
  ends[1]!();
  ends[2]!();
  // 3000 bytes in 100 ms, and 80 ms for the shortest.
  assert.equal(line.bytesUnderWay, (2 * 3_000 * 80) / 100);
});

test('a line that became slow or near is forgotten after some seconds', () => {
  const { line, pass } = makeLine();
  const end = line.begin(10_000);
  pass(100);
  end();
  assert.equal(line.bytesUnderWay, 20_000);
  for (let i = 0; i < 3; i += 1) {
    const slow = line.begin(500);
    pass(6_000);
    slow();
  }
  assert.equal(line.bytesUnderWay, 1_000);
});
