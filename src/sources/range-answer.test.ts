import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResponseHead } from '../net/exchange.ts';
import type { Pin } from './range-answer.ts';
import { checkRangeAnswer, parsePin, toRangeHeaders, toVersion } from './range-answer.ts';

const toHead = (status: number, headers: Record<string, string> = {}): ResponseHead => ({
  status,
  header: (name) => headers[name] ?? null,
});
const pin: Pin = { size: 1000, etag: '"a"', lastModified: 'Mon, 01 Jan 2024 00:00:00 GMT' };
const range = { offset: 100, length: 50 };
const good = { 'content-range': 'bytes 100-149/1000', etag: '"a"', 'content-length': '50' };

test('the requested range of the pinned state is accepted', () => {
  assert.equal(checkRangeAnswer(toHead(206, good), range, pin), 50);
  assert.equal(
    checkRangeAnswer(toHead(206, { ...good, 'content-range': 'bytes 100-149/*' }), range, pin),
    50,
  );
  assert.equal(checkRangeAnswer(toHead(206, { ...good, 'content-encoding': 'identity' }), range, pin), 50);
});

test('the first range may end where the file ends', () => {
  const first = { offset: 0, length: 65536 };
  assert.equal(checkRangeAnswer(toHead(206, { 'content-range': 'bytes 0-9/10' }), first), 10);
  assert.equal(checkRangeAnswer(toHead(206, { 'content-range': 'bytes 0-65535/65536' }), first), 65536);
  for (const wrong of ['bytes 0-8/10', 'bytes 1-9/10', 'bytes 0-65534/65536', 'bytes 0-65536/65537']) {
    assert.throws(() => checkRangeAnswer(toHead(206, { 'content-range': wrong }), first), wrong);
  }
});

const REFUSED: readonly (readonly [string, number, Record<string, string>])[] = [
  ['source-no-ranges', 200, { etag: '"a"', 'content-length': '1000' }],
  ['source-wrong-range', 206, { etag: '"a"' }],
  ['source-wrong-range', 206, { ...good, 'content-range': 'bytes 99-148/1000' }],
  ['source-wrong-range', 206, { ...good, 'content-range': 'bytes 100-148/1000' }],
  ['source-wrong-range', 206, { ...good, 'content-range': 'bytes 100-150/1000' }],
  ['source-wrong-range', 206, { ...good, 'content-range': 'bytes 149-100/1000' }],
  ['source-wrong-range', 206, { ...good, 'content-range': 'bytes 100-149/120' }],
  ['source-wrong-range', 206, { ...good, 'content-range': 'items 100-149/1000' }],
  ['source-wrong-range', 206, { ...good, 'content-range': 'bytes 100-149/1000, bytes 100-149/1000' }],
  ['source-wrong-range', 206, { ...good, 'content-range': 'bytes 0x64-149/1000' }],
  ['source-wrong-range', 206, { ...good, 'content-length': '49' }],
  ['source-encoded', 206, { ...good, 'content-encoding': 'gzip' }],
  ['source-encoded', 206, { ...good, 'content-encoding': 'br' }],
  ['source-changed', 206, { ...good, etag: '"b"' }],
  ['source-changed', 206, { ...good, etag: 'W/"a"' }],
  ['source-changed', 206, { 'content-range': 'bytes 100-149/1000' }],
  ['source-changed', 206, { ...good, 'content-range': 'bytes 100-149/1001' }],
  ['source-changed', 412, {}],
  ['source-changed', 416, { 'content-range': 'bytes */40' }],
  ['source-gone', 404, {}],
  ['source-gone', 410, {}],
  ['source-gone', 403, {}],
  ['source-refused', 401, {}],
  ['source-refused', 204, {}],
];
test(`${REFUSED.length} answers that are not exactly the range are refused, each with its code`, () => {
  for (const [code, status, headers] of REFUSED) {
    const what = `${status} ${JSON.stringify(headers)}`;
    assert.throws(
      () => checkRangeAnswer(toHead(status, headers), range, pin),
      { tag: 'source-broken', code },
      what,
    );
  }
});

test('absent and forbidden files have the same message', () => {
  const wordsOf = (status: number) => {
    try {
      return checkRangeAnswer(toHead(status), range);
    } catch (error) {
      return (error as Error).message;
    }
  };
  assert.equal(wordsOf(403), wordsOf(404));
});

test('a request demands the strong ETag, or else the modification time, or nothing if there is neither', () => {
  assert.deepEqual(toRangeHeaders(range), { range: 'bytes=100-149' });
  assert.deepEqual(toRangeHeaders(range, pin), { range: 'bytes=100-149', 'if-match': '"a"' });
  const weak = { ...pin, etag: 'W/"a"' };
  assert.deepEqual(toRangeHeaders(range, weak), {
    range: 'bytes=100-149',
    'if-unmodified-since': pin.lastModified,
  });
  for (const etag of ['W/"a"', '"é"', '"a', '"a\r\nx: y"', '"a"b"', `"${'x'.repeat(201)}"`]) {
    const headers = toRangeHeaders(range, { ...weak, etag, lastModified: null });
    assert.deepEqual(headers, { range: 'bytes=100-149' }, etag);
  }
  const odd = { ...weak, lastModified: 'gestern\r\n' };
  assert.deepEqual(toRangeHeaders(range, odd), { range: 'bytes=100-149' });
});

test('without an ETag the modification time is compared', () => {
  const dated: Pin = { ...pin, etag: null };
  const headers = { 'content-range': 'bytes 100-149/1000', 'last-modified': 'Mon, 01 Jan 2024 00:00:00 GMT' };
  assert.equal(checkRangeAnswer(toHead(206, headers), range, dated), 50);
  const later = { ...headers, 'last-modified': 'Mon, 01 Jan 2024 00:00:01 GMT' };
  assert.throws(() => checkRangeAnswer(toHead(206, later), range, dated), { code: 'source-changed' });
});

test('a pin needs a size, and every difference between pins gives another version', () => {
  assert.throws(() => parsePin(toHead(206, { 'content-range': 'bytes 0-9/*' })), {
    code: 'source-wrong-range',
  });
  assert.deepEqual(parsePin(toHead(206, { 'content-range': 'bytes 0-9/77', etag: '"x"' })), {
    size: 77,
    etag: '"x"',
    lastModified: null,
  });
  const versions = [
    toVersion(pin, Uint8Array.of(1)),
    toVersion({ ...pin, etag: '"b"' }, Uint8Array.of(1)),
    toVersion({ ...pin, size: 1001 }, Uint8Array.of(1)),
    toVersion({ ...pin, etag: null }, Uint8Array.of(1)),
    toVersion({ ...pin, etag: null, lastModified: null }, Uint8Array.of(1)),
    toVersion({ ...pin, etag: null, lastModified: null }, Uint8Array.of(2)),
  ];
  assert.equal(new Set(versions).size, versions.length);
});
