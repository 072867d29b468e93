import type { Affine } from '../../geo/index.ts';
import type { PixelType } from '../../raster/index.ts';
import type { CogCompression } from '../tiff/codecs/codecs.ts';
import type { GeoKeyTags } from '../tiff/georeference/geo-key-tags.ts';
import type { ControlPoint } from '../tiff/georeference/georeference.ts';
import type { BandInfo } from '../tiff/samples/gdal-metadata.ts';

/** How the smaller copies are made: `average` for measurements, `nearest` for classes and flags. */
export type OverviewMethod = 'average' | 'nearest';

/** Options of `createCog`. */
export interface CogOptions {
  readonly width: number;
  readonly height: number;
  readonly bandCount: number;
  readonly type: PixelType;
  /** Null leaves the reference system out of the file: a catalog may know one that has no code. */
  readonly epsg: number | null;
  /** Radius of the sphere of a sinusoidal image, whose system has no code; only without `epsg`. */
  readonly sinusoidalRadiusM?: number | null;
  /** Keys of another file, for systems that have no code; only without `epsg` and `sinusoidalRadiusM`. */
  readonly geoKeys?: GeoKeyTags | null;
  /** Null leaves the transform out of the file. */
  readonly transform: Affine | null;
  /** Coordinates of single pixels, for images in the geometry of their sensor; only without a transform. */
  readonly controlPoints?: readonly ControlPoint[];
  readonly nodata: number | null;
  readonly compression: CogCompression;
  /** deflate 1–9 (default: 6), zstd 1–22 (default: 3); steady-deflate has one only. */
  readonly level?: number;
  /** 2 is for integers, 3 for floats; both need a compression. */
  readonly predictor: 1 | 2 | 3;
  /** Side of the square blocks in pixels, a multiple of 16; 512 when not given. */
  readonly blockSize?: number;
  /** `pixel` (the default) stores the bands of a pixel together, `band` stores band after band. */
  readonly interleave?: 'pixel' | 'band';
  readonly overviews?: 'auto' | 'none';
  readonly overviewMethod?: OverviewMethod;
  readonly bigTiff?: 'auto' | 'yes' | 'no';
  /** `rgb` says that the first three bands are colours. */
  readonly photometric?: 'gray' | 'rgb';
  /**
   * The last band is opacity. `cut-out`: pixels are either opaque or transparent, those are zeros in all bands, and it
   * is the same in the smaller copies; only for bytes.
   */
  readonly alpha?: boolean | 'cut-out';
  /**
   * What fills the rows of blocks below the image: its last row again (the default), or the last pixels of that row. The
   * second suits steady-deflate, which does not find repeated rows: a small image takes a tenth of the bytes.
   */
  readonly padding?: 'row' | 'flat';
  /** False when the caller syncs the file to disk; otherwise `finish` does. */
  readonly isDurable?: boolean;
  /** One for each band. */
  readonly bands?: readonly Partial<BandInfo>[];
}

/** Size and block grid of one resolution. */
export interface CogLevel {
  readonly width: number;
  readonly height: number;
  readonly blocksAcross: number;
  readonly blocksDown: number;
  /** Side of its blocks where it differs from that of the file, as in copies of files of other programs. */
  readonly blockSize?: number;
}

/** Options with everything filled in that was left open. */
export type FullOptions = Required<Omit<CogOptions, 'bands' | 'overviews'>>;

/** Options checked and completed, with all levels from full resolution to smallest. */
export interface CogPlan extends FullOptions {
  readonly bands: readonly BandInfo[];
  readonly levels: readonly CogLevel[];
  /** Blocks of one grid cell: the number of bands when they are stored apart. */
  readonly planes: number;
  /** Bands inside one block. */
  readonly samplesPerBlock: number;
  /** Value of the Compression tag: of `compression`, or of the file whose blocks are copied. */
  readonly compressionTag: number;
}
