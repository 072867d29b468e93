import { sourceBroken } from '../../../errors.ts';
import { MAX_DIRECTORIES, MAX_TAGS } from '../limits.ts';
import type { HeadReader } from './head-reader.ts';
import { fieldBytes, TAG } from './tags.ts';

/** A tag as it stands in a directory; nothing of its values is read yet. */
export interface RawTag {
  readonly type: number;
  readonly count: number;
  /** Where the values begin: inside the entry when they fit, elsewhere when not. */
  readonly valuesAt: number;
}

/** One image file directory, with the tags we know. */
export type RawDirectory = ReadonlyMap<number, RawTag>;

/** Header and directories of a file. */
export interface RawTiff {
  readonly littleEndian: boolean;
  readonly bigTiff: boolean;
  readonly directories: readonly RawDirectory[];
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
