import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EncodedTile, Jp2Options } from '../../formats/jp2/index.ts';
import { encodeJp2Tile, makeJp2Encoder, writeJp2 } from '../../formats/jp2/index.ts';
import type { Painting } from './virtual-cog.ts';
import type { VirtualFile } from './virtual-file.ts';
import { makeVirtualFile } from './virtual-file.ts';

const encoder = makeJp2Encoder();

/** A JP2 file with the project's own layout. Tiles that look the same are encoded once; the file is small enough to hold. */
export async function makeJp2File(options: Jp2Options, painting: Painting): Promise<VirtualFile> {
  const folder = await mkdtemp(join(tmpdir(), 'swath-fake-jp2-'));
  try {
    const path = join(folder, 'image.jp2');
    await writeJp2(path, options, encodeTiles(options, painting));
    return makeVirtualFile([await readFile(path)], 'image/jp2');
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function* encodeTiles(options: Jp2Options, painting: Painting): AsyncGenerator<EncodedTile> {
  const { width, height, tileSize } = options;
  const made = new Map<string, EncodedTile>();
  for (let top = 0; top < height; top += tileSize) {
    for (let left = 0; left < width; left += tileSize) {
      const size = { width: Math.min(tileSize, width - left), height: Math.min(tileSize, height - top) };
      const key = `${size.width} ${size.height} ${painting.blockKey(left, top, tileSize)}`;
      const samples = (): Uint8Array => paintTile(options, painting, { left, top, ...size });
      const tile = made.get(key) ?? (await encodeJp2Tile(samples(), size, options, encoder));
      made.set(key, tile);
      yield tile;
    }
  }
}

interface Tile {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The samples of a tile, its bands pixel by pixel. */
function paintTile(
  { bandCount, bitsPerSample }: Jp2Options,
  painting: Painting,
  { left, top, width, height }: Tile,
): Uint8Array {
  const count = width * height * bandCount;
  const samples = bitsPerSample > 8 ? new Uint16Array(count) : new Uint8Array(count);
  const rows = new Map<string, number>();
  const rowLength = width * bandCount;
  for (let row = 0; row < height; row++) {
    const y = top + row + 0.5;
    const same = rows.get(painting.rowKey(y));
    const at = row * rowLength;
    if (same !== undefined) {
      samples.copyWithin(at, same, same + rowLength);
      continue;
    }
    rows.set(painting.rowKey(y), at);
    for (let i = 0; i < rowLength; i++) {
      samples[at + i] = painting.valueAt(left + Math.floor(i / bandCount) + 0.5, y, i % bandCount);
    }
  }
  return new Uint8Array(samples.buffer);
}
