import assert from 'node:assert/strict';
import { inflateSync } from 'node:zlib';

/** A PNG taken apart without forgiving anything. */
interface StrictPng {
  readonly width: number;
  readonly height: number;
  readonly colorType: number;
  readonly chunkTypes: readonly string[];
  readonly palette: Uint8Array | null;
  readonly alphas: Uint8Array | null;
  /** Samples as they were before the filters, row by row. */
  readonly samples: Uint8Array;
}

const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 6: 4 };

/** Reads an 8-bit PNG; checks lengths, order, checksums and that nothing lies after the pixels. */
export function readPng(file: Uint8Array): StrictPng {
  assert.deepEqual([...file.subarray(0, 8)], [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const chunks = new Map<string, Uint8Array>();
  for (let at = 8; at < file.length; ) {
    const end = at + 8 + view.getUint32(at);
    const type = String.fromCharCode(...file.subarray(at + 4, at + 8));
    assert.equal(view.getUint32(end), toCrc(file.subarray(at + 4, end)), `checksum of ${type}`);
    const before = chunks.get(type);
    assert.ok(before === undefined || (type === 'IDAT' && [...chunks.keys()].at(-1) === type), `one ${type}`);
    const body = file.subarray(at + 8, end);
    chunks.set(type, before === undefined ? body : Buffer.concat([before, body]));
    at = end + 4;
  }
  const head = chunks.get('IHDR')!;
  const headView = new DataView(head.buffer, head.byteOffset, head.length);
  const [width, height, colorType] = [headView.getUint32(0), headView.getUint32(4), headView.getUint8(9)];
  assert.deepEqual([...head.subarray(8)], [8, colorType, 0, 0, 0]);
  assert.equal(chunks.get('IEND')?.length, 0);
  const channels = CHANNELS[colorType]!;
  const filtered = inflateWhole(chunks.get('IDAT')!);
  assert.equal(filtered.length, height * (width * channels + 1));
  return {
    width,
    height,
    colorType,
    chunkTypes: [...chunks.keys()],
    palette: chunks.get('PLTE') ?? null,
    alphas: chunks.get('tRNS') ?? null,
    samples: unfilter(filtered, width * channels, channels),
  };
}

/** zlib checks the Adler-32 itself, and stops at it: what it has not read does not belong there. */
function inflateWhole(stream: Uint8Array): Uint8Array {
  const { buffer, engine } = inflateSync(stream, { info: true }) as unknown as {
    buffer: Uint8Array;
    engine: { bytesWritten: number };
  };
  assert.equal(engine.bytesWritten, stream.length);
  return buffer;
}

/** PNG 3rd edition, clause 9.2, one sample at a time. */
function unfilter(filtered: Uint8Array, rowBytes: number, channels: number): Uint8Array {
  const rows = filtered.length / (rowBytes + 1);
  const samples = new Uint8Array(rows * rowBytes);
  for (let y = 0; y < rows; y += 1) {
    const type = filtered[y * (rowBytes + 1)]!;
    assert.ok(type <= 4, `filter ${type}`);
    for (let x = 0; x < rowBytes; x += 1) {
      const at = y * rowBytes + x;
      const a = x >= channels ? samples[at - channels]! : 0;
      const b = y > 0 ? samples[at - rowBytes]! : 0;
      const c = x >= channels && y > 0 ? samples[at - rowBytes - channels]! : 0;
      samples[at] = filtered[at + y + 1]! + predict(type, a, b, c);
    }
  }
  return samples;
}

function predict(...[type, a, b, c]: [type: number, a: number, b: number, c: number]): number {
  if (type === 3) return Math.floor((a + b) / 2);
  if (type < 3) return [0, a, b][type]!;
  const guess = a + b - c;
  const [toA, toB, toC] = [Math.abs(guess - a), Math.abs(guess - b), Math.abs(guess - c)];
  if (toA <= toB && toA <= toC) return a;
  return toB <= toC ? b : c;
}

/** PNG 3rd edition, annex D, bit by bit: not the implementation that the encoder uses. */
function toCrc(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
