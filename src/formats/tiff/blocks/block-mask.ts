import type { PixelArray } from '../../../raster/index.ts';
import type { TiffImage } from '../image-reader.ts';
import type { Tiff } from '../tiff-reader.ts';
import { maskOf } from '../tiff-reader.ts';
import type { Block, BlockPosition } from './block-reader.ts';
import { readBlock, toBandPixels } from './block-reader.ts';

/** A rectangle of pixels, all of it inside the image. */
interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Copies the part of a mask block that lies in the area; `rowLength` is that of `out`. */
function copyMask(
  out: Uint8Array,
  rowLength: number,
  area: Area,
  from: Block & { readonly x: number; readonly y: number },
): void {
  const right = Math.min(area.right, from.x + from.width);
  const bottom = Math.min(area.bottom, from.y + from.height);
  for (let y = Math.max(area.top, from.y); y < bottom; y++) {
    for (let x = Math.max(area.left, from.x); x < right; x++) {
      const value = from.pixels[(y - from.y) * from.width + x - from.x];
      out[(y - area.top) * rowLength + x - area.left] = value === 0 ? 0 : 1;
    }
  }
}

/** The mask image under a block; its own blocks may have another size. Padding outside the image counts as empty. */
async function readFromMask(
  tiff: Tiff,
  { image, mask, position }: { image: TiffImage; mask: TiffImage; position: BlockPosition },
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const [left, top] = [position.column * image.blockWidth, position.row * image.blockHeight];
  const right = Math.min(image.width, left + image.blockWidth);
  const bottom = Math.min(image.height, top + image.blockHeight);
  const rows = image.isTiled ? image.blockHeight : bottom - top;
  const out = new Uint8Array(image.blockWidth * rows);
  for (let row = Math.floor(top / mask.blockHeight); row * mask.blockHeight < bottom; row++) {
    for (let column = Math.floor(left / mask.blockWidth); column * mask.blockWidth < right; column++) {
      const block = await readBlock(tiff, mask, { band: 0, column, row }, signal);
      const at = { ...block, x: column * mask.blockWidth, y: row * mask.blockHeight };
      copyMask(out, image.blockWidth, { left, top, right, bottom }, at);
    }
  }
  return out;
}

function toValidity(pixels: PixelArray, empty: number): Uint8Array {
  const out = new Uint8Array(pixels.length);
  const isNaNEmpty = Number.isNaN(empty);
  for (let i = 0; i < out.length; i++) {
    const value = pixels[i]!;
    out[i] = value === empty || (isNaNEmpty && Number.isNaN(value)) ? 0 : 1;
  }
  return out;
}

/**
 * Where a band of a block has data: 1 where it has, null when it has everywhere. Asked in GDAL's order: the file's mask,
 * then its nodata value, then its alpha band. For a caller that already holds the block `block` saves reading it again.
 */
export async function readBlockMask(
  tiff: Tiff,
  image: TiffImage,
  position: BlockPosition,
  { block, signal }: { readonly block?: Block; readonly signal?: AbortSignal | undefined } = {},
): Promise<Uint8Array | null> {
  const mask = maskOf(tiff, image);
  if (mask !== null) return readFromMask(tiff, { image, mask, position }, signal);
  const band = tiff.nodata === null ? image.alphaBand : position.band;
  if (band === null) return null;
  const isHeld = block !== undefined && band >= block.firstBand && band < block.firstBand + block.bandCount;
  const source = isHeld ? block : await readBlock(tiff, image, { ...position, band }, signal);
  return toValidity(toBandPixels(source, band), tiff.nodata ?? 0);
}
