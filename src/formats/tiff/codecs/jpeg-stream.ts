/** Markers of a JPEG stream (ITU-T T.81, table B.1). */
const MARKER = {
  soi: 0xd8,
  eoi: 0xd9,
  sos: 0xda,
  dqt: 0xdb,
  dht: 0xc4,
  dri: 0xdd,
  app0: 0xe0,
  com: 0xfe,
} as const;

/** What the frame header of a stream says. */
interface JpegFrame {
  readonly width: number;
  readonly height: number;
  readonly bitDepth: number;
  readonly components: number;
}

interface Segments {
  /** Those that decoding needs, up to the first scan. */
  readonly needed: readonly Uint8Array[];
  readonly frame: JpegFrame | null;
  /** The first scan and all after it. */
  readonly scans: Uint8Array | null;
}

const broken = (what: string) => new Error(`the JPEG stream ${what}`);

const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== MARKER.dht && marker !== 0xc8 && marker !== 0xcc;

/** Frames we decode: baseline, extended and progressive, all with Huffman coding. */
const isReadableFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xc2;

/** Walks the segments in front of the first scan. Comments, colour profiles and vendors' words are dropped. */
function splitSegments(bytes: Uint8Array): Segments {
  if (bytes[0] !== 0xff || bytes[1] !== MARKER.soi) throw broken('does not begin like one');
  const needed: Uint8Array[] = [];
  let frame: JpegFrame | null = null;
  for (let at = 2; at < bytes.length; ) {
    if (bytes[at] !== 0xff) throw broken('has bytes between its segments');
    const marker = bytes[at + 1];
    // fill bytes may stand before a marker
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === MARKER.eoi) return { needed, frame, scans: null };
    if (marker === MARKER.sos) return { needed, frame, scans: bytes.subarray(at) };
    const length = ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
    if (marker === undefined || length < 2 || at + 2 + length > bytes.length) throw broken('is cut off');
    const segment = bytes.subarray(at, at + 2 + length);
    if (isFrame(marker)) {
      if (frame !== null || !isReadableFrame(marker) || length < 8)
        throw broken(`has a frame of kind ${marker}`);
      frame = {
        bitDepth: segment[4]!,
        height: (segment[5]! << 8) | segment[6]!,
        width: (segment[7]! << 8) | segment[8]!,
        components: segment[9]!,
      };
    }
    if (marker < MARKER.app0) needed.push(segment);
    at += 2 + length;
  }
  return { needed, frame, scans: null };
}

/**
 * Progressive pictures have about ten scans. Each costs the time of a whole picture and may take twenty bytes, so that a
 * small stream could keep a decoder busy for hours.
 */
const MAX_SCANS = 64;

/** Scans of a stream: inside a scan's data, this pair of bytes cannot stand. */
function countScans(scans: Uint8Array): number {
  let count = 0;
  for (let at = scans.indexOf(0xff); at >= 0; at = scans.indexOf(0xff, at + 1)) {
    if (scans[at + 1] === MARKER.sos) count++;
  }
  return count;
}

/** Adobe's note, by which decoders decide whether three components are RGB (0) or YCbCr (1). */
const colourNote = (transform: 0 | 1): Uint8Array =>
  Uint8Array.of(0xff, 0xee, 0, 14, 0x41, 0x64, 0x6f, 0x62, 0x65, 0, 100, 0, 0, 0, 0, transform);

/**
 * A block's stream made whole: with the tables that all blocks share and with its colours named, since in a TIFF the
 * tags say what they are and the stream need not.
 */
export function joinJpeg(
  stored: Uint8Array,
  tables: Uint8Array | null,
  isYcbcr: boolean,
): { readonly stream: Uint8Array; readonly frame: JpegFrame } {
  const shared = tables === null ? [] : splitSegments(tables).needed.filter((part) => !isFrame(part[1]!));
  const { needed, frame, scans } = splitSegments(stored);
  if (frame === null || scans === null) throw broken('holds no picture');
  if (countScans(scans) > MAX_SCANS) throw broken(`has more than ${MAX_SCANS} scans`);
  const note = frame.components === 3 ? [colourNote(isYcbcr ? 1 : 0)] : [];
  const start = Uint8Array.of(0xff, MARKER.soi);
  return { stream: Buffer.concat([start, ...note, ...shared, ...needed, scans]), frame };
}
