import type { SwathError } from '../../../errors.ts';
import type { ByteSource } from '../../../sources/index.ts';
import { damaged, over, unread } from '../bytes/grib-errors.ts';
import { HEAD_READ_BYTES, MAX_FIELDS, MAX_GAP_BYTES } from '../limits.ts';
import type { ByteWindow } from './byte-window.ts';
import { makeByteWindow } from './byte-window.ts';
import type { GribField } from './grib-field.ts';
import { readGrib1Message } from './grib1-message.ts';
import { toGrib2Grid } from './grib2-grid.ts';
import { readGrib2Message } from './grib2-message.ts';
import type { GribGrid } from './grid.ts';

/** The fields of a file, in its order. */
export interface GribIndex {
  readonly fields: readonly GribField[];
  /** Why the first field that was left out was; null if all were understood. */
  readonly refusal: SwathError | null;
}

const HEAD_BYTES = 8;

/** Offset of the first message in some bytes: GRIB and, three or more bytes later, edition 1 or 2; -1 without one. */
export function findGrib(bytes: Uint8Array): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = buffer.indexOf('GRIB'); at >= 0; at = buffer.indexOf('GRIB', at + 1)) {
    if (buffer[at + 7] === 1 || buffer[at + 7] === 2) return at;
  }
  return -1;
}

/** Reads the headers of all messages of a file, not their numbers. */
export async function readGribIndex(source: ByteSource): Promise<GribIndex> {
  const window = makeByteWindow(source);
  const fields: GribField[] = [];
  const toSharedGrid = shareGrids();
  let refusal: SwathError | null = null;
  for (let at = await findMessage(window, 0); at !== null; ) {
    const edition = (await window.take(at, HEAD_BYTES, 'the head of a message'))[7];
    const message =
      edition === 1 ? await readGrib1Message(window, at) : await readGrib2Message(window, at, toSharedGrid);
    await checkEnd(window, message.end);
    for (const field of message.fields) fields.push(field);
    if (fields.length > MAX_FIELDS) throw over('The index', fields.length, MAX_FIELDS);
    refusal ??= message.refusal;
    at = await findMessage(window, message.end);
  }
  if (fields.length === 0 && refusal === null)
    throw unread('none', 'The file has no message of GRIB edition 1 or 2.');
  return { fields, refusal };
}

async function checkEnd(window: ByteWindow, end: number): Promise<void> {
  const last = await window.take(end - 4, 4, 'a message');
  if (!last.every((byte) => byte === 0x37)) throw damaged('a message does not end with 7777');
}

/** The next message from an offset on; null at the end of the file. */
async function findMessage(window: ByteWindow, from: number): Promise<number | null> {
  for (let at = from; at + HEAD_BYTES <= window.size; at += HEAD_READ_BYTES - HEAD_BYTES + 1) {
    const length = Math.min(HEAD_READ_BYTES, window.size - at);
    // The next message begins in the bytes that are there already, or at once: no need to read more than its head.
    const next = await window.take(at, HEAD_BYTES, 'a message');
    if (findGrib(next) === 0) return at;
    const found = findGrib(await window.take(at, length, 'a message'));
    if (found >= 0) return at + found;
    if (at - from > MAX_GAP_BYTES)
      throw from === 0
        ? unread('none', 'The file has no message of GRIB edition 1 or 2.')
        : damaged(`more than ${MAX_GAP_BYTES} bytes follow a message that are no GRIB`);
  }
  return null;
}

/** Fields of a file share few grids; an index of 100,000 fields holds each of them once. */
function shareGrids(): (section: Uint8Array) => GribGrid {
  let latest: { readonly section: Uint8Array; readonly grid: GribGrid } | null = null;
  return (section) => {
    if (latest === null || Buffer.compare(latest.section, section) !== 0)
      latest = { section, grid: toGrib2Grid(section) };
    return latest.grid;
  };
}
