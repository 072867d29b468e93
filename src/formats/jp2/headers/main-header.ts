import type { Size } from '../../../geo/index.ts';
import { unsupported } from '../../errors.ts';
import { MAX_BITS, MAX_COMPONENTS, MAX_HEADER_BYTES, MAX_SIDE_PX, MAX_TILES } from '../limits.ts';
import type { ByteWindow } from './byte-window.ts';
import { damaged, truncated } from './byte-window.ts';

/** Markers of a codestream (ISO/IEC 15444-1, table A.2) that we know by name. */
export const MARKER = {
  soc: 0xff4f,
  siz: 0xff51,
  cod: 0xff52,
  coc: 0xff53,
  tlm: 0xff55,
  plm: 0xff57,
  plt: 0xff58,
  qcd: 0xff5c,
  qcc: 0xff5d,
  rgn: 0xff5e,
  poc: 0xff5f,
  ppm: 0xff60,
  ppt: 0xff61,
  crg: 0xff63,
  com: 0xff64,
  sot: 0xff90,
  sop: 0xff91,
  eph: 0xff92,
  sod: 0xff93,
  eoc: 0xffd9,
} as const;

/** Bytes of an SOP segment, which may come before a packet. */
export const SOP_BYTES = 6;

/** How a message calls a marker: `COD`, or its number when we do not know it. */
export function markerName(marker: number): string {
  const known = Object.entries(MARKER).find(([, value]) => value === marker);
  return known === undefined
    ? `marker ${marker.toString(16).padStart(4, '0').toUpperCase()}`
    : known[0].toUpperCase();
}

/** What the main header of a codestream says. */
export interface MainHeader {
  readonly size: ImageSize;
  readonly style: CodingStyle;
  /** Marker segments that each tile needs to be decoded alone, in their order; SIZ is not among them. */
  readonly segments: readonly Uint8Array[];
  /** Contents of the TLM segments: lengths of the tile-parts. */
  readonly lengthTables: readonly Uint8Array[];
  /** Where the first tile-part begins. */
  readonly end: number;
}

/** Needed to decode any tile. */
const COPIED_MARKERS: readonly number[] = [MARKER.cod, MARKER.qcd, MARKER.qcc, MARKER.rgn];
/** Comments, and indexes of a file that a tile alone no longer is. */
const DROPPED: readonly number[] = [MARKER.com, MARKER.crg, MARKER.tlm, MARKER.plm];

/** Reads the main header: every marker segment up to the first tile-part. */
export async function readMainHeader(
  window: ByteWindow,
  { start, end }: { readonly start: number; readonly end: number },
): Promise<MainHeader> {
  if (start + 4 > end) throw truncated('its main header');
  const first = await window.view(start, 4);
  if (first.getUint16(0) !== MARKER.soc || first.getUint16(2) !== MARKER.siz) {
    throw damaged('its codestream does not begin with SOC and SIZ');
  }
  let size: ImageSize | null = null;
  let style: CodingStyle | null = null;
  const segments: Uint8Array[] = [];
  const lengthTables: Uint8Array[] = [];
  for (let at = start + 2; ; ) {
    if (at + 4 > end) throw truncated('its main header');
    const head = await window.view(at, 4);
    const marker = head.getUint16(0);
    if (marker === MARKER.sot) {
      if (size === null || style === null) throw damaged('its main header has no SIZ or no COD');
      return { size, style, segments, lengthTables, end: at };
    }
    const length = head.getUint16(2);
    if (length < 2) throw damaged(`${markerName(marker)} states a length of ${length} bytes`);
    if (at + 2 + length > end) throw truncated('its main header');
    if (at + 2 + length - start > MAX_HEADER_BYTES) {
      throw damaged(`its main header is longer than ${MAX_HEADER_BYTES} bytes`);
    }
    const view = await window.view(at, 2 + length);
    const content = new DataView(view.buffer, view.byteOffset + 4, length - 2);
    if (marker === MARKER.siz) {
      if (size !== null) throw damaged('SIZ stands twice in its main header');
      size = parseImageSize(content);
    } else if (COPIED_MARKERS.includes(marker)) {
      if (marker === MARKER.cod) {
        if (style !== null) throw damaged('COD stands twice in its main header');
        style = parseCodingStyle(content);
      }
      segments.push(toBytes(view).slice());
    } else if (marker === MARKER.tlm) lengthTables.push(toBytes(content).slice());
    else if (!DROPPED.includes(marker)) {
      throw unsupported(
        'jp2-marker',
        `This JPEG 2000 file uses ${markerName(marker)} in its main header, which cannot be read.`,
      );
    }
    at += 2 + length;
  }
}

const toBytes = ({ buffer, byteOffset, byteLength }: DataView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

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
function parseImageSize(siz: DataView): ImageSize {
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

/** Orders of packets (ISO/IEC 15444-1, B.12.1), by their numbers in COD: L is layer, R resolution, C band, P position. */
const PROGRESSIONS = ['LRCP', 'RLCP', 'RPCL', 'PCRL', 'CPRL'] as const;
/** The order of packets in a tile. */
export type Progression = (typeof PROGRESSIONS)[number];

/** What COD says of all tiles: how wavelet coefficients are cut into pieces. */
export interface CodingStyle {
  readonly progression: Progression;
  /** Whether SOP comes before each packet. */
  readonly hasSop: boolean;
  /** Whether EPH follows the header of each packet. */
  readonly hasEph: boolean;
  /** Whether a code-block has one length in a packet: coding without bypass, and without an end after each pass. */
  readonly hasLoneLengths: boolean;
  /** Times that the image was halved. */
  readonly decompositions: number;
  readonly layers: number;
  /** Code-blocks are 2ˣ wide and 2ʸ high. */
  readonly blockExponents: { readonly x: number; readonly y: number };
  /** Precincts are 2ˣ wide and 2ʸ high, smallest resolution first. */
  readonly precinctExponents: readonly { readonly x: number; readonly y: number }[];
}

/** Checks the content of a COD segment (ISO/IEC 15444-1, A.6.1). */
function parseCodingStyle(cod: DataView): CodingStyle {
  if (cod.byteLength < 10) throw damaged('COD is too short');
  const flags = cod.getUint8(0);
  const hasPrecincts = (flags & 1) !== 0;
  const progression = PROGRESSIONS[cod.getUint8(1)];
  if (progression === undefined) throw damaged(`COD states packets in the unknown order ${cod.getUint8(1)}`);
  const layers = cod.getUint16(2);
  const decompositions = cod.getUint8(5);
  const x = (cod.getUint8(6) & 0x0f) + 2;
  const y = (cod.getUint8(7) & 0x0f) + 2;
  if (layers === 0 || decompositions > 32) {
    throw damaged(`COD states ${layers} layers and ${decompositions} decompositions`);
  }
  if (x > 10 || y > 10 || x + y > 12) throw damaged(`its code-blocks are 2^${x} × 2^${y}`);
  if ((cod.getUint8(8) & 0xc0) !== 0) {
    throw unsupported(
      'jp2-capabilities',
      'This JPEG 2000 file uses high-throughput coding, which cannot be read.',
    );
  }
  if (cod.byteLength !== 10 + (hasPrecincts ? decompositions + 1 : 0))
    throw damaged('COD has a wrong length');
  const precinctExponents = Array.from({ length: decompositions + 1 }, (_, resolution) => {
    // the largest exponents mean: no precincts
    const packed = hasPrecincts ? cod.getUint8(10 + resolution) : 0xff;
    const exponents = { x: packed & 0x0f, y: packed >> 4 };
    // a precinct of one coefficient cannot be cut into the subbands of a resolution
    if (resolution > 0 && (exponents.x === 0 || exponents.y === 0)) throw damaged('its precincts are empty');
    return exponents;
  });
  return {
    progression,
    hasSop: (flags & 2) !== 0,
    hasEph: (flags & 4) !== 0,
    // Bits 0 and 2: selective bypass, termination on each pass.
    hasLoneLengths: (cod.getUint8(8) & 5) === 0,
    decompositions,
    layers,
    blockExponents: { x, y },
    precinctExponents,
  };
}

/** One axis of a tile: half-open range of pixels. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Pixels of a tile on one axis of the full image. */
export const toSpan = (tile: number, tileSide: number, imageSide: number): Span => ({
  start: tile * tileSide,
  end: Math.min((tile + 1) * tileSide, imageSide),
});

/** A coordinate of the full image at a level: the standard rounds up (ISO/IEC 15444-1, B.5). */
export const atLevel = (coordinate: number, level: number): number => Math.ceil(coordinate / 2 ** level);

/** A span of the full image at a level; it may be empty. */
export const spanAtLevel = ({ start, end }: Span, level: number): Span => ({
  start: atLevel(start, level),
  end: atLevel(end, level),
});

/** Sizes of all levels, full resolution first. */
export const toLevels = ({ width, height }: Size, decompositions: number): readonly Size[] =>
  Array.from({ length: decompositions + 1 }, (_, level) => ({
    width: atLevel(width, level),
    height: atLevel(height, level),
  }));
