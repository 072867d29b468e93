import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planFileAnswer } from './file-answer.ts';

const ETAG = '"state-1"';
type Asked = Readonly<Record<string, string>>;

const plan = (headers: Asked, { method = 'GET', bytes = 1000 } = {}) =>
  planFileAnswer({ method, headers: new Headers(headers), bytes, etag: ETAG });

/** What is answered, in one word: `200`, `206 0-9` (the last byte included), `304`, `412`, `416`. */
function describe(headers: Asked, options: Parameters<typeof plan>[1] = {}): string {
  const answer = plan(headers, options);
  switch (answer.kind) {
    case 'whole':
      return '200';
    case 'part':
      return `206 ${answer.start}-${answer.end - 1}`;
    case 'not-modified':
      return '304';
    case 'other-state':
      return '412';
    case 'no-such-range':
      return '416';
  }
}

const ranges: readonly (readonly [range: string, answer: string])[] = [
  ['bytes=0-0', '206 0-0'],
  ['bytes=0-9', '206 0-9'],
  ['bytes=0-', '206 0-999'],
  ['bytes=990-', '206 990-999'],
  ['bytes=999-', '206 999-999'],
  ['bytes=0-999', '206 0-999'],
  ['bytes=0-1000', '206 0-999'],
  ['bytes=500-99999999999999999999', '206 500-999'],
  ['bytes=-1', '206 999-999'],
  ['bytes=-1000', '206 0-999'],
  ['bytes=-5000', '206 0-999'],
  ['BYTES=0-9', '206 0-9'],
  ['bytes= 0-9 ', '206 0-9'],
  ['bytes=1000-', '416'],
  ['bytes=1000-1001', '416'],
  ['bytes=99999999999999999999-', '416'],
  ['bytes=-0', '416'],
  // Not one range: the whole file.
  ['bytes=0-1,5-6', '200'],
  ['bytes=9-0', '200'],
  ['bytes=', '200'],
  ['bytes=-', '200'],
  ['bytes', '200'],
  ['bytes 0-9', '200'],
  ['items=0-9', '200'],
  ['bytes=a-9', '200'],
  ['bytes=0x0-9', '200'],
  ['bytes=1.5-9', '200'],
  ['bytes=+1-9', '200'],
  ['bytes=--9', '200'],
  [`bytes=${'9'.repeat(21)}-`, '200'],
];

test('ranges', () => {
  for (const [range, answer] of ranges) assert.equal(describe({ range }), answer, range);
});

test('ranges of an empty file', () => {
  for (const [range, answer] of [
    ['bytes=0-', '416'],
    ['bytes=0-0', '416'],
    ['bytes=-1', '200'],
  ] as const) {
    assert.equal(describe({ range }, { bytes: 0 }), answer, range);
  }
});

const conditions: readonly (readonly [Asked, string])[] = [
  [{}, '200'],
  [{ 'if-none-match': ETAG }, '304'],
  [{ 'if-none-match': `W/${ETAG}` }, '304'],
  [{ 'if-none-match': `"a", ${ETAG}` }, '304'],
  [{ 'if-none-match': '*' }, '304'],
  [{ 'if-none-match': '"other"' }, '200'],
  [{ 'if-none-match': ETAG, range: 'bytes=0-9' }, '304'],
  [{ 'if-none-match': '"other"', range: 'bytes=0-9' }, '206 0-9'],
  [{ 'if-match': ETAG }, '200'],
  [{ 'if-match': `"a", ${ETAG}` }, '200'],
  [{ 'if-match': '*' }, '200'],
  [{ 'if-match': '"other"' }, '412'],
  [{ 'if-match': `W/${ETAG}` }, '412'],
  [{ 'if-match': ETAG, range: 'bytes=0-9' }, '206 0-9'],
  [{ 'if-match': '"other"', range: 'bytes=0-9' }, '412'],
  [{ 'if-match': '"other"', 'if-none-match': ETAG }, '412'],
  [{ 'if-range': ETAG, range: 'bytes=0-9' }, '206 0-9'],
  [{ 'if-range': '"other"', range: 'bytes=0-9' }, '200'],
  [{ 'if-range': `W/${ETAG}`, range: 'bytes=0-9' }, '200'],
  [{ 'if-range': 'Sun, 21 Jun 2026 10:00:00 GMT', range: 'bytes=0-9' }, '200'],
  [{ 'if-range': '"other"', range: 'bytes=5000-' }, '200'],
  [{ 'if-range': ETAG, range: 'bytes=5000-' }, '416'],
  [{ 'if-range': ETAG }, '200'],
];

test('conditions', () => {
  for (const [headers, answer] of conditions)
    assert.equal(describe(headers), answer, JSON.stringify(headers));
});

test('HEAD takes conditions and no ranges', () => {
  const method = 'HEAD';
  assert.equal(describe({ range: 'bytes=0-9' }, { method }), '200');
  assert.equal(describe({ range: 'bytes=5000-' }, { method }), '200');
  assert.equal(describe({ 'if-none-match': ETAG }, { method }), '304');
  assert.equal(describe({ 'if-match': '"other"' }, { method }), '412');
});
