import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../testing/any-text.ts';
import { Answer } from './answers.ts';
import { planFileAnswer, takePart, toContentDisposition } from './file-answer.ts';

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

test('a Range header selects the bytes to send', () => {
  for (const [range, answer] of ranges) assert.equal(describe({ range }), answer, range);
});

test('a range of an empty file is never 206', () => {
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

test('conditional headers decide between the file, 304 and 412', () => {
  for (const [headers, answer] of conditions)
    assert.equal(describe(headers), answer, JSON.stringify(headers));
});

test('HEAD follows conditions but ignores ranges', () => {
  const method = 'HEAD';
  assert.equal(describe({ range: 'bytes=0-9' }, { method }), '200');
  assert.equal(describe({ range: 'bytes=5000-' }, { method }), '200');
  assert.equal(describe({ 'if-none-match': ETAG }, { method }), '304');
  assert.equal(describe({ 'if-match': '"other"' }, { method }), '412');
});

const cases: readonly (readonly [name: string, plain: string, extended: string])[] = [
  ['S2_NDVI.tif', 'S2_NDVI.tif', 'S2_NDVI.tif'],
  ['S2 (B8-B4).tif', 'S2 (B8-B4).tif', 'S2%20%28B8-B4%29.tif'],
  ['(B5-B4)/(B5+B4).tiff', '(B5-B4)_(B5+B4).tiff', '%28B5-B4%29_%28B5%2BB4%29.tiff'],
  ['поле 1.zip', '____ 1.zip', '%D0%BF%D0%BE%D0%BB%D0%B5%201.zip'],
  [`a'b"c.jpg`, 'a_b_c.jpg', 'a%27b_c.jpg'],
  ['a\r\nset-cookie: x.tif', 'a__set-cookie_ x.tif', 'a__set-cookie_%20x.tif'],
  ['../../etc/passwd', '.._.._etc_passwd', '.._.._etc_passwd'],
  ['\u202egnp.exe', '_gnp.exe', '_gnp.exe'],
  ['a\0b', 'a_b', 'a_b'],
  ['..', 'result', 'result'],
  ['', 'result', 'result'],
  ['  ', 'result', 'result'],
  ['🛰\ud800.tif', '__.tif', '%F0%9F%9B%B0%EF%BF%BD.tif'],
];

test('harmless characters of a file name are sent unchanged', () => {
  for (const [name, plain, extended] of cases) {
    assert.equal(
      toContentDisposition(name),
      `attachment; filename="${plain}"; filename*=UTF-8''${extended}`,
      JSON.stringify(name),
    );
  }
});

test('a long name is cut to 120 characters and keeps its extension', () => {
  const header = toContentDisposition(`${'ä'.repeat(300)}.tiff`);
  const name = decodeURIComponent(header.split("''")[1] ?? '');
  assert.equal(name, `${'ä'.repeat(115)}.tiff`);
});

test('every name makes a single valid header', () => {
  fc.assert(
    fc.property(anyText({ maxLength: 200 }), (name) => {
      const header = toContentDisposition(name);
      assert.match(
        header,
        /^attachment; filename="[A-Za-z0-9 ._()+,=@-]{1,240}"; filename\*=UTF-8''[A-Za-z0-9!~._%-]+$/,
      );
      assert.equal(new Headers({ 'content-disposition': header }).get('content-disposition'), header);
    }),
  );
});

test('GET with a range gets that part of a complete picture, and the whole answer in all other cases', () => {
  const bytes = new Uint8Array(10).map((_, i) => i);
  const headersOf = (asked: Record<string, string>) => ({ get: (name: string) => asked[name] ?? null });
  const take = (
    asked: Record<string, string>,
    { method = 'GET', status = 200, body = bytes as Answer['body'] } = {},
  ) =>
    takePart(
      { method, headers: headersOf(asked) },
      new Answer(body, { status, headers: { etag: '"a"', 'content-type': 'image/png' } }),
    );
  const part = take({ range: 'bytes=2-4', 'if-range': '"a"' });
  assert.deepEqual([part.status, [...(part.body as Uint8Array)]], [206, [2, 3, 4]]);
  assert.equal(part.headers.get('content-range'), 'bytes 2-4/10');
  assert.equal(part.headers.get('content-type'), 'image/png');
  assert.deepEqual([...(take({ range: 'bytes=-3' }).body as Uint8Array)], [7, 8, 9]);
  for (const whole of [
    take({}),
    take({ range: 'bytes=2-4', 'if-range': '"b"' }),
    take({ range: 'bytes=1-2,4-5' }),
    take({ range: 'bytes=2-4' }, { method: 'HEAD' }),
    take({ range: 'bytes=2-4' }, { body: '{"a": 1}' }),
  ]) {
    assert.deepEqual([whole.status, whole.headers.get('content-range')], [200, undefined]);
  }
  assert.equal(take({ range: 'bytes=2-4' }, { status: 304, body: null }).status, 304);
  assert.throws(() => take({ range: 'bytes=10-' }), { code: 'no-such-range' });
});
