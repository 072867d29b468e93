import type { DefaultPalette } from '../../color/index.ts';

/** A run of bits inside a quality value; two bits are a confidence: 0 none, 1 low, 2 medium, 3 high. */
export interface BitField {
  readonly name: string;
  readonly firstBit: number;
  readonly bits: number;
}

/** Layouts of quality bits: each collection of Landsat has its own. */
export type QualityLayout = 'pre-collection' | 'collection-1' | 'collection-2';

/** A band of quality bits and its layouts. */
export interface Quality {
  readonly band: string;
  /** The layout that requests use: values are converted to it from the stored layout. */
  readonly requestLayout: QualityLayout;
  readonly layouts: Partial<Readonly<Record<QualityLayout, QualityBits>>>;
}

/** One layout, and its conversion to the layout that requests use. */
export interface QualityBits {
  readonly fields: readonly BitField[];
  /** Bits to copy; `values` maps copied values that change. */
  readonly moves: readonly {
    readonly from: number;
    readonly bits: number;
    readonly to: number;
    readonly values?: readonly number[];
  }[];
}

/** A band of a mask image, counted from 0, and the values that mark a pixel: some masks mark clear pixels. */
export interface MaskFlag {
  readonly band: number;
  readonly marks: 'zero' | 'non-zero';
}

/** The source of a sensor's clouds, and which of them count by default. */
export type CloudRule =
  | { readonly kind: 'none'; readonly why: string }
  /** Only the percentage in the metadata, so only whole scenes can be corrected. */
  | { readonly kind: 'scene-percent'; readonly unknownPercent: number }
  /** Clouds are nodata already. */
  | { readonly kind: 'masked' }
  /** Bits of a band, in the layout of requests: both bits are 1 for a cloud; opaque = cloud and not cirrus. */
  | {
      readonly kind: 'bits';
      readonly band: string;
      readonly cloudBits: readonly [number, number];
      readonly cirrusBits: readonly [number, number];
      /** Shadows of clouds: both bits are 1. */
      readonly shadowBits: readonly [number, number];
      readonly onlyOpaqueByDefault: boolean;
    }
  /**
   * A separate mask file: an image with flags, any of which makes a pixel a cloud, or polygons with a type. Clouds that
   * are not opaque count as cirrus: haze, thin clouds.
   */
  | {
      readonly kind: 'mask-file';
      readonly opaque: readonly MaskFlag[];
      readonly cirrus: readonly MaskFlag[];
      /** Shadows of clouds; empty where the mask does not mark them. */
      readonly shadow: readonly MaskFlag[];
      readonly onlyOpaqueByDefault: boolean;
    }
  /** Classes of a band; levels are the values of `cloud_masking_level`. */
  | {
      readonly kind: 'classes';
      readonly band: string;
      readonly opaque: readonly number[];
      readonly cirrus: readonly number[];
      /** Shadows of clouds. */
      readonly shadow: readonly number[];
      /** Never data, at any level of masking. */
      readonly invalid: readonly number[];
      readonly levels: Readonly<Record<1 | 2 | 3 | 4, readonly number[]>>;
      readonly onlyOpaqueByDefault: boolean;
    };

/** Colours of a band of classes or bits; a value without an entry is transparent. */
export type BandPalette = DefaultPalette;

/** Converts a quality value from its stored layout to that of requests. */
export function toInterfaceQuality({ moves }: Pick<QualityBits, 'moves'>, stored: number): number {
  let quality = 0;
  for (const { from, bits, to, values } of moves) {
    const value = (stored >> from) & ((1 << bits) - 1);
    quality |= (values?.[value] ?? value) << to;
  }
  // In nodata pixels no other bit is valid.
  return (quality & 1) === 1 ? 1 : quality;
}
