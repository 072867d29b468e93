import { isSwathError, sourceBroken, unsupported } from '../../../errors.ts';
import type { OpenSource } from '../../../sources/index.ts';

/** The signature of a PNG, and its first chunk up to the colour type (PNG 3rd edition, 5.2 and 11.2.1). */
const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const HEAD_BYTES = 26;
const COLOR_TYPES: ReadonlySet<number> = new Set([2, 6]);

/** Reads the side of a tile in pixels from its header; null if there is no such tile. */
export async function readTileSize(
  href: string,
  { open, signal }: { readonly open: OpenSource; readonly signal?: AbortSignal | undefined },
): Promise<256 | 512 | null> {
  const source = await open(href, signal).catch((error: unknown) => {
    if (isSwathError(error) && error.code === 'source-gone') return null;
    throw error;
  });
  if (source === null) return null;
  try {
    if (source.size < HEAD_BYTES) throw sourceBroken('not-a-png', 'A tile of the pyramid is not a PNG.');
    return parseTileSize(await source.read(0, HEAD_BYTES, signal));
  } finally {
    await source.close();
  }
}

function parseTileSize(head: Uint8Array): 256 | 512 {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const isPng = SIGNATURE.every((byte, i) => head[i] === byte) && view.getUint32(12) === 0x49484452;
  if (!isPng) throw sourceBroken('not-a-png', 'A tile of the pyramid is not a PNG.');
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  const [bits, colorType] = [view.getUint8(24), view.getUint8(25)];
  if (bits !== 8 || !COLOR_TYPES.has(colorType)) {
    throw unsupported('not-terrarium', 'The tiles are not 8-bit RGB, in which terrarium encodes heights.');
  }
  if (width === height && (width === 256 || width === 512)) return width;
  throw unsupported('tile-size', `A tile has ${width} × ${height} pixels; possible are 256 and 512 a side.`);
}
