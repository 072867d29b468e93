import type { SampleType } from '../../../raster/index.ts';

/** Values of the PhotometricInterpretation tag that change how pixels are read. */
export const PHOTOMETRIC = { rgb: 2, palette: 3, ycbcr: 6 } as const;

/** What codecs that store pictures, not bytes, must know of a block before they decode it. */
export interface CodedBlock {
  readonly width: number;
  readonly rows: number;
  /** Interleaved bands. */
  readonly samples: number;
  readonly type: SampleType;
  readonly settings: CodecSettings;
}

/** Tags of an image that only some codecs look at. Plain data. */
export interface CodecSettings {
  readonly photometric: number;
  /** True when the last of the interleaved bands says how opaque a pixel is. */
  readonly endsWithAlpha: boolean;
  /** Tables that all JPEG blocks share; null when each has its own. */
  readonly jpegTables: Uint8Array | null;
  /** What LERC data are wrapped in. */
  readonly lercWrap: 'none' | 'deflate' | 'zstd';
}
