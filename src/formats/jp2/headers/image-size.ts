import { unsupported } from '../../../errors.ts';
import { MAX_BITS, MAX_COMPONENTS, MAX_SIDE_PX, MAX_TILES } from '../limits.ts';
import { damaged } from './byte-window.ts';
import { MARKER } from './markers.ts';

/** What SIZ says of an image whose reference grid begins at 0, 0. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
  readonly tileWidth: number;
  readonly tileHeight: number;
  readonly tilesAcross: number;
  readonly tilesDown: number;
  readonly bandCount: number;
  readonly bitsPerSample: number;
  readonly isSigned: boolean;
}

const isSide = (value: number): boolean => value >= 1 && value <= MAX_SIDE_PX;

/** Checks the content of a SIZ segment (ISO/IEC 15444-1, A.5.1). */
export function parseImageSize(siz: DataView): ImageSize {
  if (siz.byteLength < 39) throw damaged('SIZ is too short');
  const [width, height, offsetX, offsetY, tileWidth, tileHeight, tileOffsetX, tileOffsetY] = Array.from(
    { length: 8 },
    (_, i) => siz.getUint32(2 + i * 4),
  ) as [number, number, number, number, number, number, number, number];
  if (!isSide(width) || !isSide(height)) throw damaged(`it is ${width} × ${height} pixels`);
  // High-throughput coding (bit 14) and part 2 (bit 15): other codecs in the same envelope.
  if ((siz.getUint16(0) & 0xc000) !== 0) {
    throw unsupported('jp2-capabilities', 'This JPEG 2000 file needs extensions that cannot be read.');
  }
  if ([offsetX, offsetY, tileOffsetX, tileOffsetY].some((offset) => offset !== 0)) {
    throw unsupported('jp2-offset', 'This JPEG 2000 image does not begin at 0, 0, which cannot be read.');
  }
  if (tileWidth === 0 || tileHeight === 0) throw damaged(`its tiles are ${tileWidth} × ${tileHeight} pixels`);
  const tilesAcross = Math.ceil(width / tileWidth);
  const tilesDown = Math.ceil(height / tileHeight);
  if (tilesAcross * tilesDown > MAX_TILES) {
    throw damaged(`it has ${tilesAcross * tilesDown} tiles and at most ${MAX_TILES} exist`);
  }
  return { width, height, tileWidth, tileHeight, tilesAcross, tilesDown, ...parseComponents(siz) };
}

function parseComponents(siz: DataView) {
  const bandCount = siz.getUint16(34);
  if (bandCount < 1 || bandCount > MAX_COMPONENTS) {
    throw damaged(`it has ${bandCount} bands and at most ${MAX_COMPONENTS} are read`);
  }
  if (siz.byteLength !== 36 + 3 * bandCount) throw damaged(`SIZ does not describe ${bandCount} bands`);
  const depth = siz.getUint8(36);
  for (let at = 36; at < siz.byteLength; at += 3) {
    const isLike = siz.getUint8(at) === depth && siz.getUint8(at + 1) === 1 && siz.getUint8(at + 2) === 1;
    if (!isLike) {
      throw unsupported(
        'jp2-mixed-bands',
        'The bands of this JPEG 2000 file differ in depth or size, which cannot be read.',
      );
    }
  }
  const bitsPerSample = (depth & 0x7f) + 1;
  const isSigned = (depth & 0x80) !== 0;
  // The decoder hands out one or three bands, and signed samples only in 16 bits.
  if (bitsPerSample > MAX_BITS || (isSigned && bitsPerSample <= 8)) {
    const kind = `${bitsPerSample}-bit ${isSigned ? 'signed' : 'unsigned'}`;
    throw unsupported('jp2-pixel-type', `This JPEG 2000 file has ${kind} pixels, which cannot be read.`);
  }
  if (bandCount !== 1 && bandCount !== 3) {
    throw unsupported(
      'jp2-band-count',
      `This JPEG 2000 file has ${bandCount} bands; files with one or three can be read.`,
    );
  }
  return { bandCount, bitsPerSample, isSigned };
}

/** Writes SIZ: image and tiles begin at 0 (ISO/IEC 15444-1, A.5.1). */
export function toSizSegment(size: Omit<ImageSize, 'tilesAcross' | 'tilesDown'>): Uint8Array {
  const { width, height, tileWidth, tileHeight, bandCount, bitsPerSample, isSigned } = size;
  const bytes = new Uint8Array(40 + 3 * bandCount);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, MARKER.siz);
  view.setUint16(2, bytes.length - 2);
  view.setUint32(6, width);
  view.setUint32(10, height);
  view.setUint32(22, tileWidth);
  view.setUint32(26, tileHeight);
  view.setUint16(38, bandCount);
  for (let at = 40; at < bytes.length; at += 3)
    bytes.set([(isSigned ? 0x80 : 0) + bitsPerSample - 1, 1, 1], at);
  return bytes;
}
