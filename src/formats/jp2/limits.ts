import { MIB } from '../../units.ts';
/**
 * Every bound of the JPEG 2000 reader, in one file (docs/operate/hardening.md). A file outside
 * them is refused before anything of that size is allocated.
 */

/** Boxes walked at the top of a file and inside a metadata box; real files have about ten. */
export const MAX_BOXES = 1_024;
/** Boxes inside boxes; GMLJP2 nests three deep. */
export const MAX_BOX_DEPTH = 4;
/** Bytes of one metadata box that is read: a GeoJP2 box has 400, a GMLJP2 box a few thousand. */
export const MAX_METADATA_BYTES = MIB;
/** Bytes of the codestream's main header, tile-part lengths included. */
export const MAX_HEADER_BYTES = MIB;
/** Side of an image: the standard allows 2³² − 1, GDAL can address this. */
export const MAX_SIDE_PX = 2 ** 31 - 1;
/** Tiles of one image: the standard's own limit, since a tile's number has 16 bits. */
export const MAX_TILES = 65_535;
/** Tile-parts of one image; the standard allows 255 a tile, products have one to six. */
export const MAX_TILE_PARTS = 262_144;
/** Bands of one image. */
export const MAX_COMPONENTS = 64;
/** Bits of one sample. */
export const MAX_BITS = 16;
/** Memory of the decoder: it starts with 50 MiB. */
export const MAX_DECODER_BYTES = 256 * MIB;
/** Side of a tile that we write: 2,048² pixels of three bands take 64 MiB in the encoder. */
export const MAX_WRITTEN_TILE_PX = 2_048;
/** Bytes of a file that we write: the lengths in its boxes have 32 bits. */
export const MAX_WRITTEN_BYTES = 2 ** 32 - 1;
/** Samples of one decode, at the resolution that is decoded; each takes up to six bytes inside the decoder. */
export const MAX_DECODED_SAMPLES = 32 * MIB;
/** Stored bytes of one tile. */
export const MAX_STORED_BYTES = 64 * MIB;
/** Precincts and code-blocks of one tile: 4 × 4 blocks, the smallest there are, of a 2,048² tile. */
export const MAX_TILE_PIECES = 512 * 1024;
/** Packets of one tile: its precincts times its quality layers. */
export const MAX_PACKETS = 4 * MIB;
/** Packets of a tile of which some are read alone: a Sentinel-2 tile has 26; a tile with more is read whole. */
export const MAX_INDEXED_PACKETS = 64 * 1024;

/** First read of a file: boxes and main header of all products that we know. */
export const HEAD_READ_BYTES = 64 * 1024;
/** Later reads of headers that lie elsewhere. */
export const NEXT_READ_BYTES = 4 * 1024;
/** First bytes of a tile-part, read for the lengths of its packets: a Sentinel-2 tile has 100. */
export const PART_HEADER_BYTES = 4 * 1024;
/** Positions from which the tile-parts of a remote file are searched at once. */
export const MAX_PART_CHAINS = 16;
/** Ranges in which the packets of a level are read; a tile with more is read whole. A Sentinel-2 tile has 16 at most. */
export const MAX_RANGES = 256;
