import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import type { TestDem } from './make-dem-folder.ts';
import { writeDem } from './make-dem-folder.ts';

/** The bytes of a small image. */
export async function toDemBytes(image: TestDem = {}): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'swath-dem-'));
  try {
    await writeDem(join(folder, 'a.tif'), image);
    return await readFile(join(folder, 'a.tif'));
  } finally {
    await rm(folder, { recursive: true });
  }
}

interface TestTile {
  readonly width?: number;
  readonly height?: number;
  readonly channels?: 1 | 3 | 4;
}

/** The bytes of a PNG tile: all of it at sea level, in terrarium encoding. */
export function toTileBytes({
  width = 256,
  height = width,
  channels = 3,
}: TestTile = {}): Promise<Uint8Array> {
  const background = { r: 128, g: 0, b: 0, alpha: 1 };
  const image = sharp({ create: { width, height, channels: channels === 4 ? 4 : 3, background } });
  return (channels === 1 ? image.toColourspace('b-w') : image).png().toBuffer();
}
