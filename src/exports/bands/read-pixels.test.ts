import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReadWindow } from '../../blocks/index.ts';
import { tooLarge } from '../../errors.ts';
import type { StoredPixels } from './read-pixels.ts';
import { makeReadPixels } from './read-pixels.ts';

const pixels: StoredPixels = {
  record: { name: 'x', version: '1' },
  bands: [{ band: 'B04', href: 'B04.tif', bandIndex: 0, nodata: null }],
  type: 'uint16',
  window: { x: 100, y: 200, width: 50, height: 40 },
  outside: null,
  fill: 9,
};
const window = { x: 3, y: 5, width: 4, height: 8 };
const { signal } = new AbortController();

/** A file whose pixels are column + 1000 × row, hidden by a mask in column 105; it refuses windows of many rows. */
const makeReader =
  (maxRows: number, asked: number[]): ReadWindow =>
  async ({ read: { window: inFile } }, sink) => {
    asked.push(inFile.height);
    if (inFile.height > maxRows) throw tooLarge('too-much-to-decode', 'Too much.');
    const count = inFile.width * inFile.height;
    const columnOf = (i: number) => inFile.x + (i % inFile.width);
    sink.begin();
    sink.add({
      pixels: new Uint16Array(count).map(
        (_, i) => columnOf(i) + 1000 * (inFile.y + Math.floor(i / inFile.width) - 200),
      ),
      width: inFile.width,
      height: inFile.height,
      corner: { x: 0, y: 0 },
      mask: new Uint8Array(count).map((_, i) => (columnOf(i) === 105 ? 0 : 1)),
    });
  };

const expected = new Uint16Array(32).map((_, i) => {
  const [column, row] = [103 + (i % 4), 5 + Math.floor(i / 4)];
  return column === 105 ? 9 : column + 1000 * row;
});

test('a window of the image is read at its position in the file; masked pixels are filled', async () => {
  const out = new Uint16Array(32);
  await makeReadPixels({ readWindow: makeReader(100, []) })(pixels, 0, { window, out, signal });
  assert.deepEqual(out, expected);
});

test('a window whose blocks are too large to decode at once is read in parts', async () => {
  const [out, asked]: [Uint16Array, number[]] = [new Uint16Array(32), []];
  await makeReadPixels({ readWindow: makeReader(3, asked) })(pixels, 0, { window, out, signal });
  assert.deepEqual(out, expected);
  assert.deepEqual(asked, [8, 4, 2, 2, 4, 2, 2]);
  await assert.rejects(
    makeReadPixels({ readWindow: makeReader(0, []) })(pixels, 0, { window, out, signal }),
    {
      code: 'too-much-to-decode',
    },
  );
});
