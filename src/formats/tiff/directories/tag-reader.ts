import { sourceBroken } from '../../../errors.ts';
import { MAX_TAG_BYTES } from '../limits.ts';
import type { RawDirectory, RawTag } from './directory-reader.ts';
import type { HeadReader } from './head-reader.ts';
import { FIELD, fieldBytes } from './tags.ts';

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
