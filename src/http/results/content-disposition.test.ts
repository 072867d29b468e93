import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { toContentDisposition } from './file-answer.ts';

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

test('names are shown as they are where that is harmless', () => {
  for (const [name, plain, extended] of cases) {
    assert.equal(
      toContentDisposition(name),
      `attachment; filename="${plain}"; filename*=UTF-8''${extended}`,
      JSON.stringify(name),
    );
  }
});

test('a long name is cut to 120 characters, with its extension', () => {
  const header = toContentDisposition(`${'ä'.repeat(300)}.tiff`);
  const name = decodeURIComponent(header.split("''")[1] ?? '');
  assert.equal(name, `${'ä'.repeat(115)}.tiff`);
});

test('every name makes one header that any server takes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (name) => {
      const header = toContentDisposition(name);
      assert.match(
        header,
        /^attachment; filename="[A-Za-z0-9 ._()+,=@-]{1,240}"; filename\*=UTF-8''[A-Za-z0-9!~._%-]+$/,
      );
      assert.equal(new Headers({ 'content-disposition': header }).get('content-disposition'), header);
    }),
  );
});
