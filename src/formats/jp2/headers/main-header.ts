import { unsupported } from '../../../errors.ts';
import { MAX_HEADER_BYTES } from '../limits.ts';
import type { ByteWindow } from './byte-window.ts';
import { damaged, truncated } from './byte-window.ts';
import type { CodingStyle } from './coding-style.ts';
import { parseCodingStyle } from './coding-style.ts';
import type { ImageSize } from './image-size.ts';
import { parseImageSize } from './image-size.ts';
import { MARKER, markerName } from './markers.ts';

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
