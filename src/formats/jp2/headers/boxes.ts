import { sourceBroken } from '../../errors.ts';
import { MAX_BOX_DEPTH, MAX_BOXES, MAX_METADATA_BYTES } from '../limits.ts';
import type { ByteWindow } from './byte-window.ts';
import { damaged, truncated } from './byte-window.ts';

/** The parts of a file that we read. */
export interface FileParts {
  readonly codestream: { readonly start: number; readonly end: number };
  /** Size and bands as the image header box states them; null in a bare codestream. */
  readonly stated: { readonly width: number; readonly height: number; readonly bandCount: number } | null;
  /** Payload of the GeoJP2 box: a TIFF without pixels worth reading. */
  readonly geoTiff: Uint8Array | null;
  /** Text of the GMLJP2 root instance. */
  readonly gml: string | null;
}

/** Box types, as 32-bit numbers (ISO/IEC 15444-1, annex I). */
const BOX = {
  signature: 0x6a502020,
  header: 0x6a703268,
  imageHeader: 0x69686472,
  uuid: 0x75756964,
  association: 0x61736f63,
  xml: 0x786d6c20,
  codestream: 0x6a703263,
} as const;

/** GeoJP2: the box that holds a degenerate GeoTIFF. */
const GEOJP2 = 'b14bf8bd083d4b43a5ae8cd7d5a6ce03';

/** First four bytes of a codestream: SOC and SIZ. */
const CODESTREAM_START = 0xff4fff51;

interface Box {
  readonly type: number;
  readonly start: number;
  readonly end: number;
}

/** One box at `offset`; its end is checked against that of its surroundings. */
async function readBox(window: ByteWindow, offset: number, end: number): Promise<Box> {
  if (offset + 8 > end) throw truncated('a box');
  const head = await window.view(offset, 8);
  const type = head.getUint32(4);
  let length = head.getUint32(0);
  let headBytes = 8;
  if (length === 1) {
    if (offset + 16 > end) throw truncated('a box');
    length = Number((await window.view(offset + 8, 8)).getBigUint64(0));
    headBytes = 16;
  } else if (length === 0) length = end - offset; // the last box may say: to the end
  if (length < headBytes) throw damaged(`a box states a length of ${length} bytes`);
  if (offset + length > end) throw truncated('the content of a box');
  return { type, start: offset + headBytes, end: offset + length };
}

async function* walkBoxes(window: ByteWindow, start: number, end: number): AsyncGenerator<Box> {
  for (let at = start, count = 0; at < end; count++) {
    if (count === MAX_BOXES) throw damaged(`it has more than ${MAX_BOXES} boxes`);
    const box = await readBox(window, at, end);
    yield box;
    at = box.end;
  }
}

async function readPayload(window: ByteWindow, { start, end }: Box): Promise<Uint8Array> {
  if (end - start > MAX_METADATA_BYTES) {
    throw damaged(`a metadata box has ${end - start} bytes and at most ${MAX_METADATA_BYTES} are read`);
  }
  const view = await window.view(start, end - start);
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

/** The first XML text inside an association box: GMLJP2 puts its root instance first. */
async function findXml(window: ByteWindow, box: Box, depth: number): Promise<string | null> {
  if (depth > MAX_BOX_DEPTH) throw damaged('its boxes are nested too deeply');
  for await (const inner of walkBoxes(window, box.start, box.end)) {
    if (inner.type === BOX.xml) return new TextDecoder().decode(await readPayload(window, inner));
    if (inner.type === BOX.association) {
      const found = await findXml(window, inner, depth + 1);
      if (found !== null) return found;
    }
  }
  return null;
}

async function readGeoTiff(window: ByteWindow, box: Box): Promise<Uint8Array | null> {
  if (box.end - box.start < 16) return null;
  const id = await window.view(box.start, 16);
  if (Buffer.from(id.buffer, id.byteOffset, 16).toString('hex') !== GEOJP2) return null;
  return (await readPayload(window, { ...box, start: box.start + 16 })).slice();
}

async function readStated(window: ByteWindow, header: Box): Promise<FileParts['stated']> {
  const box = await readBox(window, header.start, header.end);
  if (box.type !== BOX.imageHeader || box.end - box.start !== 14) {
    throw damaged('its header box does not begin with the image header');
  }
  const view = await window.view(box.start, 14);
  return { height: view.getUint32(0), width: view.getUint32(4), bandCount: view.getUint16(8) };
}

/** True for the first bytes of a JP2 file or a bare codestream. */
export const isJp2 = (head: DataView): boolean =>
  (head.byteLength >= 4 && head.getUint32(0) === CODESTREAM_START) ||
  (head.byteLength >= 12 &&
    head.getUint32(0) === 12 &&
    head.getUint32(4) === BOX.signature &&
    head.getUint32(8) === 0x0d0a870a);

/** Finds the codestream and the metadata; the boxes are walked, their contents are not read. */
export async function readFileParts(window: ByteWindow): Promise<FileParts> {
  const head = await window.view(0, Math.min(12, window.size));
  if (!isJp2(head))
    throw sourceBroken('not-a-jp2', 'The file is neither a JP2 file nor a JPEG 2000 codestream.');
  if (head.getUint32(0) === CODESTREAM_START) {
    return { codestream: { start: 0, end: window.size }, stated: null, geoTiff: null, gml: null };
  }
  let codestream: Box | null = null;
  let stated: FileParts['stated'] = null;
  let geoTiff: Uint8Array | null = null;
  let gml: string | null = null;
  for await (const box of walkBoxes(window, 0, window.size)) {
    if (box.type === BOX.codestream) codestream ??= box;
    else if (box.type === BOX.header) stated ??= await readStated(window, box);
    else if (box.type === BOX.uuid) geoTiff ??= await readGeoTiff(window, box);
    else if (box.type === BOX.association) gml ??= await findXml(window, box, 1);
    // The first of each counts, and what follows the codestream costs a request.
    if (codestream !== null && stated !== null && geoTiff !== null && gml !== null) break;
  }
  if (codestream === null || stated === null) throw damaged('it has no image header or no codestream');
  return { codestream, stated, geoTiff, gml };
}
