/**
 * The records of a zip archive (PKWARE's APPNOTE 6.3, sections 4.3 and 4.5). Sizes and offsets that do not fit into 32
 * bits are written as all ones, and the Zip64 extra field holds the true ones.
 */

/** All that the records say of an entry. */
export interface EntryRecord {
  /** UTF-8. */
  readonly name: Uint8Array;
  readonly method: number;
  readonly crc: number;
  /** In the archive. */
  readonly storedBytes: number;
  /** After unpacking. */
  readonly bytes: number;
  /** Of the local header. */
  readonly offset: number;
}

/** The two methods that we write. */
export const METHOD = { stored: 0, deflated: 8 } as const;

/** Values from here on do not fit into 32 bits; all ones are the mark of Zip64. */
export const ALL_ONES = 0xffff_ffff;
const MANY_ENTRIES = 0xffff;

const VERSION = { plain: 20, zip64: 45 } as const;
const MADE_ON_UNIX = 3 << 8;
/** A regular file that its owner writes and everyone reads, in the upper half of the external attributes. */
const UNIX_MODE = 0o100644;
/** Bit 11: the name is UTF-8. */
const FLAGS = 1 << 11;
/** 1980-01-01, the first day that the format knows: equal contents make equal archives. */
const DATE = 0x0021;
const ZIP64_EXTRA = 1;

const clamp = (value: number): number => Math.min(value, ALL_ONES);

function toZip64Extra(values: readonly number[]): Buffer {
  if (values.length === 0) return Buffer.alloc(0);
  const extra = Buffer.alloc(4 + 8 * values.length);
  extra.writeUInt16LE(ZIP64_EXTRA, 0);
  extra.writeUInt16LE(8 * values.length, 2);
  values.forEach((value, i) => {
    extra.writeBigUInt64LE(BigInt(value), 4 + 8 * i);
  });
  return extra;
}

/** The header before the bytes of an entry. With `isLarge` its length is the same whatever the sizes turn out to be. */
export function toLocalHeader(
  { name, method, crc, storedBytes, bytes }: EntryRecord,
  isLarge: boolean,
): Uint8Array {
  const extra = isLarge ? toZip64Extra([bytes, storedBytes]) : Buffer.alloc(0);
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(isLarge ? VERSION.zip64 : VERSION.plain, 4);
  head.writeUInt16LE(FLAGS, 6);
  head.writeUInt16LE(method, 8);
  head.writeUInt16LE(DATE, 12);
  head.writeUInt32LE(crc, 14);
  head.writeUInt32LE(isLarge ? ALL_ONES : storedBytes, 18);
  head.writeUInt32LE(isLarge ? ALL_ONES : bytes, 22);
  head.writeUInt16LE(name.length, 26);
  head.writeUInt16LE(extra.length, 28);
  return Buffer.concat([head, name, extra]);
}

/** The entry as the directory at the end lists it. */
function toDirectoryRecord({ name, method, crc, storedBytes, bytes, offset }: EntryRecord): Uint8Array {
  // only the values that do not fit, in this order
  const extra = toZip64Extra([bytes, storedBytes, offset].filter((value) => value >= ALL_ONES));
  const version = extra.length === 0 ? VERSION.plain : VERSION.zip64;
  const head = Buffer.alloc(46);
  head.writeUInt32LE(0x02014b50, 0);
  head.writeUInt16LE(MADE_ON_UNIX | version, 4);
  head.writeUInt16LE(version, 6);
  head.writeUInt16LE(FLAGS, 8);
  head.writeUInt16LE(method, 10);
  head.writeUInt16LE(DATE, 14);
  head.writeUInt32LE(crc, 16);
  head.writeUInt32LE(clamp(storedBytes), 20);
  head.writeUInt32LE(clamp(bytes), 24);
  head.writeUInt16LE(name.length, 28);
  head.writeUInt16LE(extra.length, 30);
  head.writeUInt32LE((UNIX_MODE << 16) >>> 0, 38);
  head.writeUInt32LE(clamp(offset), 42);
  return Buffer.concat([head, name, extra]);
}

/** What an archive ends with: the directory, and where it is. */
export function toDirectory(entries: readonly EntryRecord[], offset: number): Uint8Array {
  const records = Buffer.concat(entries.map(toDirectoryRecord));
  const isZip64 = entries.length >= MANY_ENTRIES || offset >= ALL_ONES || records.length >= ALL_ONES;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(entries.length, MANY_ENTRIES), 8);
  end.writeUInt16LE(Math.min(entries.length, MANY_ENTRIES), 10);
  end.writeUInt32LE(clamp(records.length), 12);
  end.writeUInt32LE(clamp(offset), 16);
  if (!isZip64) return Buffer.concat([records, end]);
  const end64 = Buffer.alloc(56);
  end64.writeUInt32LE(0x06064b50, 0);
  // of the record after this field
  end64.writeBigUInt64LE(44n, 4);
  end64.writeUInt16LE(MADE_ON_UNIX | VERSION.zip64, 12);
  end64.writeUInt16LE(VERSION.zip64, 14);
  end64.writeBigUInt64LE(BigInt(entries.length), 24);
  end64.writeBigUInt64LE(BigInt(entries.length), 32);
  end64.writeBigUInt64LE(BigInt(records.length), 40);
  end64.writeBigUInt64LE(BigInt(offset), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(offset + records.length), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([records, end64, locator, end]);
}
