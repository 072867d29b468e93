import type { ByteSource } from '../../../sources/index.ts';
import { sourceBroken } from '../../errors.ts';
import {
  HEAD_READ_BYTES,
  MAX_DIRECTORIES,
  MAX_HEAD_READS,
  MAX_TAG_BYTES,
  MAX_TAGS,
  NEXT_READ_BYTES,
} from '../limits.ts';
import { FIELD, fieldBytes, TAG } from './tags.ts';

/** A tag of a directory; its values are not read yet. */
interface RawTag {
  readonly type: number;
  readonly count: number;
  /** Where the values begin: inside the entry when they fit, elsewhere when not. */
  readonly valuesAt: number;
}

/** One image file directory, with the tags we know. */
export type RawDirectory = ReadonlyMap<number, RawTag>;

/** Header and directories of a file. */
interface RawTiff {
  readonly littleEndian: boolean;
  readonly bigTiff: boolean;
  readonly directories: readonly RawDirectory[];
}

/** Follows the chain of directories; a chain that bites its tail or does not end is refused. */
export async function readDirectories(head: HeadReader): Promise<RawTiff> {
  const { dialect, first } = await readHeader(head);
  const { countBytes, entryBytes, offsetBytes } = dialect;
  const visited = new Set<number>();
  const directories: RawDirectory[] = [];
  for (let at = first; at !== 0; ) {
    if (visited.has(at)) {
      throw sourceBroken(
        'tiff-circular',
        'The TIFF is damaged: its chain of directories leads back into itself.',
      );
    }
    if (directories.length === MAX_DIRECTORIES) {
      throw sourceBroken(
        'tiff-too-many-directories',
        `The TIFF has more than ${MAX_DIRECTORIES} directories.`,
      );
    }
    visited.add(at);
    const countView = await head.view(at, countBytes);
    const count = dialect.bigTiff
      ? readOffset(countView, 0, dialect)
      : countView.getUint16(0, dialect.littleEndian);
    if (count === 0 || count > MAX_TAGS) {
      throw sourceBroken(
        'tiff-bad-directory',
        `A directory of the TIFF has ${count} tags; 1 to ${MAX_TAGS} are allowed.`,
      );
    }
    const entriesAt = at + countBytes;
    const body = await head.view(entriesAt, count * entryBytes + offsetBytes);
    const entries = new DataView(body.buffer, body.byteOffset, count * entryBytes);
    directories.push(toTags(entries, entriesAt, dialect));
    at = readOffset(body, count * entryBytes, dialect);
  }
  if (directories.length === 0) throw sourceBroken('tiff-bad-directory', 'The TIFF has no directory.');
  return { littleEndian: dialect.littleEndian, bigTiff: dialect.bigTiff, directories };
}

const KNOWN_TAGS: ReadonlySet<number> = new Set(Object.values(TAG));

/** Sizes and number readers that differ between the two kinds of TIFF. */
interface Dialect {
  readonly littleEndian: boolean;
  readonly bigTiff: boolean;
  readonly countBytes: number;
  readonly entryBytes: number;
  readonly offsetBytes: number;
}

/** Offsets above 2⁵³ lose their last digits here; they are far outside every file and refused for that. */
const readOffset = (view: DataView, at: number, { bigTiff, littleEndian }: Dialect): number =>
  bigTiff ? Number(view.getBigUint64(at, littleEndian)) : view.getUint32(at, littleEndian);

async function readHeader(head: HeadReader): Promise<{ dialect: Dialect; first: number }> {
  const view = await head.view(0, 8);
  const order = view.getUint16(0);
  const littleEndian = order === 0x4949;
  const version = view.getUint16(2, littleEndian);
  if ((!littleEndian && order !== 0x4d4d) || (version !== 42 && version !== 43)) {
    throw sourceBroken('not-a-tiff', 'The file is not a TIFF: it does not begin like one.');
  }
  if (version === 42) {
    const dialect = { littleEndian, bigTiff: false, countBytes: 2, entryBytes: 12, offsetBytes: 4 };
    return { dialect, first: view.getUint32(4, littleEndian) };
  }
  if (view.getUint16(4, littleEndian) !== 8 || view.getUint16(6, littleEndian) !== 0) {
    throw sourceBroken('not-a-tiff', 'The file says it is a BigTIFF, but its header is not that of one.');
  }
  const dialect = { littleEndian, bigTiff: true, countBytes: 8, entryBytes: 20, offsetBytes: 8 };
  return { dialect, first: readOffset(await head.view(8, 8), 0, dialect) };
}

function toTags(entries: DataView, entriesAt: number, dialect: Dialect): RawDirectory {
  const { entryBytes, offsetBytes, littleEndian } = dialect;
  const tags = new Map<number, RawTag>();
  for (let at = 0; at < entries.byteLength; at += entryBytes) {
    const tag = entries.getUint16(at, littleEndian);
    // of a tag that comes twice the first counts, as in libtiff
    if (!KNOWN_TAGS.has(tag) || tags.has(tag)) continue;
    const type = entries.getUint16(at + 2, littleEndian);
    const count = readOffset(entries, at + 4, dialect);
    const valueAt = at + entryBytes - offsetBytes;
    const isInside = count * (fieldBytes.get(type) ?? 0) <= offsetBytes;
    tags.set(tag, {
      type,
      count,
      valuesAt: isInside ? entriesAt + valueAt : readOffset(entries, valueAt, dialect),
    });
  }
  return tags;
}

/** Reads small pieces of a file's metadata with few requests. */
interface HeadReader {
  /** A view of exactly these bytes; throws `tiff-truncated` when the file ends before. */
  view(offset: number, length: number): Promise<DataView>;
}

/** Error for a part of the file that lies beyond its end. */
export const truncated = (what: string) =>
  sourceBroken('tiff-truncated', `The TIFF is cut off or damaged: ${what} lies beyond its end.`);

/** One generous read at the start holds everything of a COG; what lies elsewhere costs one read each. */
export function makeHeadReader(source: ByteSource, signal?: AbortSignal): HeadReader {
  const windows: { readonly start: number; readonly bytes: Uint8Array }[] = [];

  const find = (offset: number, length: number) =>
    windows.find(({ start, bytes }) => offset >= start && offset + length <= start + bytes.length);

  const load = async (offset: number, length: number) => {
    if (windows.length === MAX_HEAD_READS) {
      throw sourceBroken(
        'tiff-scattered',
        `The header of the TIFF lies in more than ${MAX_HEAD_READS} pieces.`,
      );
    }
    const isFirst = windows.length === 0;
    const start = isFirst && offset + length <= HEAD_READ_BYTES ? 0 : offset;
    const wanted = start + Math.max(isFirst ? HEAD_READ_BYTES : NEXT_READ_BYTES, offset + length - start);
    const bytes = await source.read(start, Math.min(wanted, source.size) - start, signal);
    const window = { start, bytes };
    windows.push(window);
    return window;
  };

  return {
    async view(offset, length) {
      if (!(offset >= 0 && offset + length <= source.size)) throw truncated('part of its header');
      const { start, bytes } = find(offset, length) ?? (await load(offset, length));
      return new DataView(bytes.buffer, bytes.byteOffset + offset - start, length);
    },
  };
}

/** Reads values of tags, all together within one budget of bytes. */
export interface TagReader {
  /** All values of a tag of whole numbers; null when it is absent. More than `maxCount` values are refused. */
  counts(directory: RawDirectory, tag: number, maxCount: number): Promise<Float64Array | null>;
  /** The same for a tag of 64-bit floats. */
  doubles(directory: RawDirectory, tag: number, maxCount: number): Promise<Float64Array | null>;
  /** The whole number of a tag that has one; `fallback` when it is absent, an error when that is null. */
  count(directory: RawDirectory, tag: number, fallback: number | null): Promise<number>;
  /** Bytes of a tag that holds such, copied; null when it is absent. More than `maxBytes` are refused. */
  bytes(directory: RawDirectory, tag: number, maxBytes: number): Promise<Uint8Array | null>;
  /** Text of an ASCII tag without its closing NUL; null when the tag is absent. */
  text(directory: RawDirectory, tag: number): Promise<string | null>;
}

type NumberReader = (view: DataView, at: number, littleEndian: boolean) => number;

/** Field types that may hold whole numbers; offsets beyond 2⁵³ are refused elsewhere for lying outside the file. */
const countReaders: ReadonlyMap<number, NumberReader> = new Map<number, NumberReader>([
  [FIELD.byte, (view, at) => view.getUint8(at)],
  [FIELD.short, (view, at, little) => view.getUint16(at, little)],
  [FIELD.long, (view, at, little) => view.getUint32(at, little)],
  [FIELD.long8, (view, at, little) => Number(view.getBigUint64(at, little))],
]);

const doubleReaders: ReadonlyMap<number, NumberReader> = new Map<number, NumberReader>([
  [FIELD.double, (view, at, little) => view.getFloat64(at, little)],
]);

const badTag = (tag: number, what: string) =>
  sourceBroken('tiff-bad-tag', `The TIFF is damaged: its tag ${tag} ${what}.`);

/** A reader for one file. */
export function makeTagReader(head: HeadReader, littleEndian: boolean): TagReader {
  let bytesLeft = MAX_TAG_BYTES;

  const load = (raw: RawTag): Promise<DataView> => {
    const bytes = raw.count * fieldBytes.get(raw.type)!;
    if (bytes > bytesLeft) {
      throw sourceBroken(
        'tiff-too-much-tag-data',
        `The TIFF has more than ${MAX_TAG_BYTES} bytes of tag data.`,
      );
    }
    bytesLeft -= bytes;
    return head.view(raw.valuesAt, bytes);
  };

  const readNumbers = async (
    readers: ReadonlyMap<number, NumberReader>,
    { directory, tag, maxCount }: { directory: RawDirectory; tag: number; maxCount: number },
  ): Promise<Float64Array | null> => {
    const raw = directory.get(tag);
    if (raw === undefined) return null;
    const read = readers.get(raw.type);
    if (read === undefined) throw badTag(tag, `has field type ${raw.type}, which holds no such numbers`);
    if (raw.count === 0 || raw.count > maxCount) {
      throw badTag(tag, `has ${raw.count} values where 1 to ${maxCount} belong`);
    }
    const view = await load(raw);
    const size = fieldBytes.get(raw.type)!;
    const values = new Float64Array(raw.count);
    for (let i = 0; i < values.length; i++) values[i] = read(view, i * size, littleEndian);
    return values;
  };

  return {
    counts: (directory, tag, maxCount) => readNumbers(countReaders, { directory, tag, maxCount }),
    doubles: (directory, tag, maxCount) => readNumbers(doubleReaders, { directory, tag, maxCount }),
    async count(directory, tag, fallback) {
      const values = await readNumbers(countReaders, { directory, tag, maxCount: 1 });
      const value = values?.[0] ?? fallback;
      if (value === null) throw badTag(tag, 'is missing');
      return value;
    },
    async bytes(directory, tag, maxBytes) {
      const raw = directory.get(tag);
      if (raw === undefined) return null;
      if (raw.type !== FIELD.undefined && raw.type !== FIELD.byte) {
        throw badTag(tag, `has field type ${raw.type} where bytes belong`);
      }
      if (raw.count > maxBytes) throw badTag(tag, `has ${raw.count} bytes; at most ${maxBytes} are read`);
      const { buffer, byteOffset, byteLength } = await load(raw);
      return new Uint8Array(buffer, byteOffset, byteLength).slice();
    },
    async text(directory, tag) {
      const raw = directory.get(tag);
      if (raw === undefined) return null;
      if (raw.type !== FIELD.ascii) throw badTag(tag, `has field type ${raw.type} where text belongs`);
      const view = await load(raw);
      const text = Buffer.from(view.buffer, view.byteOffset, view.byteLength).toString('utf8');
      const end = text.indexOf('\0');
      return end < 0 ? text : text.slice(0, end);
    },
  };
}
