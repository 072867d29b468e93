import type { OrderedShape } from './bulk-order.ts';
import type { ShapePack } from './shape-pack.ts';
import { makePack, makeShapePacker } from './shape-pack.ts';

/** The names of a shape. */
export type ShapeNames = Pick<OrderedShape, 'id' | 'externalId' | 'name' | 'sownOn'>;

/**
 * Shapes of an order as they were when its work began, in chunks that are measured one after the other. A chunk has a pack
 * and, behind it, the names of its shapes: a line of JSON each, which only the thread that writes the result reads.
 */
export interface SnapshotLimits {
  readonly maxShapes: number;
  readonly maxPositions: number;
}

/** With these the pixels of a chunk on a grid take some 30 MB, and its positions 64 MB at most. */
const snapshotLimits: SnapshotLimits = { maxShapes: 65_536, maxPositions: 4_194_304 };

/** Numbers of shapes, rings and positions, and bytes of names. */
const HEADER_BYTES = 16;

/** Writes shapes as chunks. */
export async function* writeSnapshot(
  pages: AsyncIterable<readonly OrderedShape[]>,
  { maxShapes, maxPositions }: SnapshotLimits = snapshotLimits,
): AsyncGenerator<Uint8Array> {
  let packer = makeShapePacker();
  let names: string[] = [];
  const take = (): Uint8Array => {
    const bytes = toBytes(packer.finish(), new TextEncoder().encode(names.join('')));
    packer = makeShapePacker();
    names = [];
    return bytes;
  };
  for await (const page of pages) {
    for (const { id, externalId, name, sownOn, geometry } of page) {
      packer.add(geometry);
      names.push(`${JSON.stringify([id, externalId, name, sownOn])}\n`);
      if (packer.count >= maxShapes || packer.positions >= maxPositions) yield take();
    }
  }
  if (packer.count > 0) yield take();
}

function toBytes({ count, positions, ringEnds, shapeEnds }: ShapePack, names: Uint8Array): Uint8Array {
  const arrays = [positions, ringEnds, shapeEnds].map(
    ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength),
  );
  const header = Uint32Array.of(count, ringEnds.length, positions.length / 2, names.length);
  const parts = [new Uint8Array(header.buffer), ...arrays, names];
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Reads the pack of a chunk. */
export function readPack(bytes: Uint8Array): ShapePack {
  const [count, rings, positions] = readHeader(bytes);
  const pack = makePack(count, rings, positions);
  let at = HEADER_BYTES;
  for (const { buffer } of [pack.positions, pack.ringEnds, pack.shapeEnds]) {
    new Uint8Array(buffer).set(bytes.subarray(at, at + buffer.byteLength));
    at += buffer.byteLength;
  }
  return pack;
}

/** Reads the names of a chunk's shapes. */
export function readNames(bytes: Uint8Array): readonly ShapeNames[] {
  const [count, rings, positions] = readHeader(bytes);
  const at = HEADER_BYTES + 16 * positions + 4 * rings + 4 * count;
  const lines = new TextDecoder().decode(bytes.subarray(at)).split('\n').slice(0, count);
  return lines.map((line) => {
    // Snapshots from before sowing dates were stored have three names.
    const [id, externalId, name, sownOn = null] = JSON.parse(line) as [
      string,
      string | null,
      string,
      string?,
    ];
    return { id, externalId, name, sownOn };
  });
}

function readHeader(bytes: Uint8Array): readonly [count: number, rings: number, positions: number] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES);
  return [view.getUint32(0, true), view.getUint32(4, true), view.getUint32(8, true)];
}
