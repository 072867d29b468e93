/**
 * Animated WebP of still ones: the browser compresses each frame, this only joins them. The container is described in
 * RFC 9649, section 2.7.
 */

/** What all frames share. */
interface WebpOptions {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly frameMs: number;
  readonly isLooping: boolean;
}

const HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;
/** Chunks of a still picture that hold its pixels. */
const PIXEL_CHUNKS = ['ALPH', 'VP8 ', 'VP8L'];
const FLAG_ANIMATION = 0x02;
const FLAG_ALPHA = 0x10;
/** A frame replaces what was there, instead of being blended with it. */
const FLAG_REPLACE = 0x02;

const readName = (bytes: Uint8Array, at: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + 4));

/** The chunks with the pixels of a still WebP, with their headers and padding. */
const parsePixelChunks = (still: Uint8Array): readonly Uint8Array[] => {
  const view = new DataView(still.buffer, still.byteOffset, still.byteLength);
  if (still.length < HEADER_BYTES || readName(still, 0) !== 'RIFF' || readName(still, 8) !== 'WEBP') {
    throw new Error('A frame is not a WebP picture.');
  }
  const chunks: Uint8Array[] = [];
  for (let at = HEADER_BYTES; at + CHUNK_HEADER_BYTES <= still.length; ) {
    const size = view.getUint32(at + 4, true);
    const end = at + CHUNK_HEADER_BYTES + size + (size % 2);
    if (end > still.length + 1) throw new Error('A frame is cut off.');
    if (PIXEL_CHUNKS.includes(readName(still, at))) chunks.push(still.subarray(at, end));
    at = end;
  }
  if (chunks.length === 0) throw new Error('A frame has no pixels.');
  return chunks;
};

/** Little-endian numbers of so many bytes. */
const toBytes = (...numbers: readonly (readonly [value: number, bytes: number])[]): Uint8Array =>
  Uint8Array.from(
    numbers.flatMap(([value, bytes]) => Array.from({ length: bytes }, (_, i) => (value >>> (8 * i)) & 255)),
  );

const join = (parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
};

const toChunk = (name: string, ...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const content = join(parts);
  const letters = Uint8Array.from(name, (letter) => letter.charCodeAt(0));
  return join([letters, toBytes([content.length, 4]), content, new Uint8Array(content.length % 2)]);
};

/** One file of all frames, which are still WebP files of the same size. */
export const joinWebp = (
  stills: readonly Uint8Array[],
  { widthPx, heightPx, frameMs, isLooping }: WebpOptions,
): Uint8Array<ArrayBuffer> => {
  const frames = stills.map((still) => parsePixelChunks(still));
  const hasAlpha = frames.flat().some((chunk) => readName(chunk, 0) !== 'VP8 ');
  const size = [
    [widthPx - 1, 3],
    [heightPx - 1, 3],
  ] as const;
  const extended = toChunk('VP8X', toBytes([FLAG_ANIMATION | (hasAlpha ? FLAG_ALPHA : 0), 4], ...size));
  // A transparent background; 0 repeats without end.
  const animation = toChunk('ANIM', toBytes([0, 4], [isLooping ? 0 : 1, 2]));
  const head = toBytes([0, 3], [0, 3], ...size, [Math.round(frameMs), 3], [FLAG_REPLACE, 1]);
  const body = [extended, animation, ...frames.map((chunks) => toChunk('ANMF', head, ...chunks))];
  const webp = Uint8Array.from('WEBP', (letter) => letter.charCodeAt(0));
  return toChunk('RIFF', webp, ...body);
};
