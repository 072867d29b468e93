import { MIB } from '../../units.ts';
/**
 * Every bound of the TIFF reader and writer, in one file (docs/operate/hardening.md). A file outside them is refused before
 * anything of that size is allocated.
 */

/** Directories followed in one file; a full pyramid of a 2³¹-pixel side has 31. */
export const MAX_DIRECTORIES = 64;
/** Entries of one directory; the largest real ones hold about a hundred. */
export const MAX_TAGS = 4_096;
/** Bytes of all tag values we need from one file, block indexes included (about 1.4 million blocks). */
export const MAX_TAG_BYTES = 16 * MIB;
/** Longer side of a tile; strips are as wide as the image and bounded by `MAX_BLOCK_BYTES` alone. */
export const MAX_TILE_SIDE_PX = 8_192;
/** Bands of one image. */
export const MAX_SAMPLES = 64;
/** Decoded bytes of one tile or strip. */
export const MAX_BLOCK_BYTES = 64 * MIB;
/** Tables that JPEG blocks share; those of a baseline picture take under 2 kB. */
export const MAX_JPEG_TABLES_BYTES = 64 * 1024;
/** Side of an image: what GDAL can address. */
export const MAX_SIDE_PX = 2 ** 31 - 1;
/** First read of a file: holds all directories and block indexes of most COGs in one request. */
export const HEAD_READ_BYTES = 64 * 1024;
/** Later reads of directories and tag values that lie elsewhere. */
export const NEXT_READ_BYTES = 16 * 1024;
/** Reads it may take to open a file; a file whose directories lie about needs one or two for each. */
export const MAX_HEAD_READS = 256;

/** Stored bytes of one block: no codec we read grows data by more than half; the rest is for tiny blocks. */
export const maxStoredBytes = (blockBytes: number): number => 2 * blockBytes + 4_096;

/** Window a zstd frame may ask for: 2²⁷ bytes is what level 22 writes and what libzstd accepts by default. */
export const MAX_ZSTD_WINDOW_LOG = 27;

/** Rows of blocks that one writer holds over all levels; a 10980-wide, 4-band float scene takes 180 MB. */
export const MAX_WRITER_BYTES = 512 * MIB;
/** Blocks of one written file over all levels: 12 bytes of index each stay within what our reader accepts. */
export const MAX_WRITER_BLOCKS = Math.floor(MAX_TAG_BYTES / 16);
/** Largest file with 32-bit offsets. */
export const MAX_CLASSIC_BYTES = 2 ** 32 - 1;
