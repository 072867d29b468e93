import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { makeJp2Encoder } from '../../jp2/encode-tile.ts';
import { makeJp2Decoder } from '../../jp2/openjpeg.ts';
import { unpackJpeg2000, unpackPng } from './unpack-pictures.ts';

interface Picture {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly colorType: number;
  readonly interlace?: number;
}

/** A PNG of rows with their filters; checksums are not looked at. */
function toPng(
  { width, height, depth, colorType, interlace = 0 }: Picture,
  rows: readonly number[],
): Uint8Array {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([depth, colorType, 0, 0, interlace], 8);
  const chunk = (type: string, body: Uint8Array): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(body.length);
    return Buffer.concat([length, Buffer.from(type), body, Buffer.alloc(4)]);
  };
  const stored = deflateSync(Uint8Array.from(rows));
  const parts = [stored.subarray(0, 3), stored.subarray(3)].map((part) => chunk('IDAT', part));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    ...parts,
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

test('PNG pixels are numbers of 1 to 32 bits, after every filter', () => {
  const grey = { width: 3, height: 5, depth: 8, colorType: 0 };
  // Filters none, left, up, mean and Paeth.
  const rows = [0, 1, 2, 3, 1, 10, 1, 1, 2, 1, 1, 1, 3, 5, 6, 7, 4, 1, 1, 1];
  const wanted = [1, 2, 3, 10, 11, 12, 11, 12, 13, 10, 17, 22, 11, 18, 23];
  assert.deepEqual([...unpackPng(toPng(grey, rows), 15)], wanted);
  const two = toPng({ width: 2, height: 1, depth: 16, colorType: 0 }, [0, 0x12, 0x34, 0xff, 0xfe]);
  assert.deepEqual([...unpackPng(two, 2)], [0x1234, 0xfffe]);
  const three = toPng({ width: 2, height: 1, depth: 8, colorType: 2 }, [1, 1, 2, 3, 4, 5, 6]);
  assert.deepEqual([...unpackPng(three, 2)], [0x010203, 0x050709]);
  const four = toPng({ width: 1, height: 2, depth: 8, colorType: 6 }, [0, 255, 2, 3, 4, 2, 0, 0, 0, 1]);
  assert.deepEqual([...unpackPng(four, 2)], [0xff020304, 0xff020305]);
  // Rows of single bits end with a whole byte.
  const bits = toPng({ width: 3, height: 2, depth: 1, colorType: 0 }, [0, 0b10100000, 0, 0b01100000]);
  assert.deepEqual([...unpackPng(bits, 6)], [1, 0, 1, 0, 1, 1]);
});

test('PNGs that are truncated, of another size, too long or of another kind are refused', () => {
  const picture = { width: 2, height: 1, depth: 8, colorType: 0 };
  const good = toPng(picture, [0, 1, 2]);
  assert.deepEqual([...unpackPng(good, 2)], [1, 2]);
  assert.throws(() => unpackPng(good, 3), { code: 'grib-damaged' });
  assert.throws(() => unpackPng(good.subarray(0, 50), 2), { code: 'grib-damaged' });
  assert.throws(() => unpackPng(good.subarray(1), 2), { code: 'grib-damaged' });
  assert.throws(() => unpackPng(toPng(picture, new Array(9_999).fill(0)), 2), { code: 'grib-damaged' });
  assert.throws(() => unpackPng(toPng(picture, [0, 1]), 2), { code: 'grib-damaged' });
  assert.throws(() => unpackPng(toPng(picture, [9, 1, 2]), 2), { code: 'grib-damaged' });
  assert.throws(() => unpackPng(toPng({ ...picture, colorType: 3 }, [0, 1, 2]), 2), { code: 'grib-png' });
  assert.throws(() => unpackPng(toPng({ ...picture, interlace: 1 }, [0, 1, 2]), 2), { code: 'grib-png' });
});

test('JPEG 2000 pixels are numbers of up to 16 bits', async () => {
  const [width, height] = [40, 30];
  const decoder = makeJp2Decoder();
  for (const bitsPerSample of [7, 12, 16]) {
    const numbers = Array.from({ length: width * height }, (_, i) => (i * 977) % 2 ** bitsPerSample);
    const samples = bitsPerSample <= 8 ? Uint8Array.from(numbers) : Uint16Array.from(numbers);
    const codestream = await makeJp2Encoder().encode({
      width,
      height,
      bandCount: 1,
      bitsPerSample,
      decompositions: 2,
      samples: new Uint8Array(samples.buffer),
    });
    assert.deepEqual(
      [...(await unpackJpeg2000(codestream, width * height, decoder))],
      numbers,
      `${bitsPerSample}`,
    );
    await assert.rejects(unpackJpeg2000(codestream, width * height + 1, decoder), { code: 'grib-damaged' });
    await assert.rejects(unpackJpeg2000(codestream.subarray(0, 200), width * height, decoder), {
      tag: 'source-broken',
    });
  }
});
