import type { DefaultPalette } from '../../color/index.ts';

/** A run of bits inside a quality value; two bits are a confidence: 0 none, 1 low, 2 medium, 3 high. */
export interface BitField {
  readonly name: string;
  readonly firstBit: number;
  readonly bits: number;
}

/** How quality bits are laid out: they moved with every collection of Landsat. */
export type QualityLayout = 'pre-collection' | 'collection-1' | 'collection-2';

/** A band of quality bits and how its bits are laid out. */
export interface Quality {
  readonly band: string;
  /** The layout whose bits requests name: values are shown in it, whatever layout they are stored in. */
  readonly requestLayout: QualityLayout;
  readonly layouts: Partial<Readonly<Record<QualityLayout, QualityBits>>>;
}

/** One layout, and how it becomes the one whose bits requests name. */
export interface QualityBits {
  readonly fields: readonly BitField[];
  /** Bits to copy; `values` says what a copied value becomes, where it does not stay the same. */
  readonly moves: readonly {
    readonly from: number;
    readonly bits: number;
    readonly to: number;
    readonly values?: readonly number[];
  }[];
}

/** A band of a mask image, counted from 0, and which of its values mark a pixel: some masks say where it is clear. */
export interface MaskFlag {
  readonly band: number;
  readonly marks: 'zero' | 'non-zero';
}

/** Where a sensor's clouds are known from, and which of them count by default. */
export type CloudRule =
  | { readonly kind: 'none'; readonly why: string }
  /** Only the percentage of the scene's metadata, so only whole scenes can be corrected. */
  | { readonly kind: 'scene-percent'; readonly unknownPercent: number }
  /** Clouds are nodata already. */
  | { readonly kind: 'masked' }
  /** Bits of a band, in the interface's layout: a cloud is where both bits are 1; opaque = cloud and not cirrus. */
  | {
      readonly kind: 'bits';
      readonly band: string;
      readonly cloudBits: readonly [number, number];
      readonly cirrusBits: readonly [number, number];
      readonly onlyOpaqueByDefault: boolean;
    }
  /**
   * A mask file of its own: an image with flags, any of which makes a pixel a cloud, or polygons, which say themselves
   * what they are. What is not opaque counts as cirrus: haze, thin clouds.
   */
  | {
      readonly kind: 'mask-file';
      readonly opaque: readonly MaskFlag[];
      readonly cirrus: readonly MaskFlag[];
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
      /** Never data, whatever is masked. */
      readonly invalid: readonly number[];
      readonly levels: Readonly<Record<1 | 2 | 3 | 4, readonly number[]>>;
      readonly onlyOpaqueByDefault: boolean;
    };

/** Colours of a band that holds no measure; a pixel without an entry is transparent. */
export type BandPalette = DefaultPalette;

/** A quality value in the layout of the interface, whatever layout it is stored in. */
export function toInterfaceQuality({ moves }: Pick<QualityBits, 'moves'>, stored: number): number {
  let quality = 0;
  for (const { from, bits, to, values } of moves) {
    const value = (stored >> from) & ((1 << bits) - 1);
    quality |= (values?.[value] ?? value) << to;
  }
  // Where nothing was measured, no other bit means anything.
  return (quality & 1) === 1 ? 1 : quality;
}
