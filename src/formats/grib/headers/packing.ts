import { damaged } from '../bytes/grib-errors.ts';
import type { Scaling } from '../bytes/unpack-bits.ts';

/** Groups of complex packing (data representation templates 5.2 and 5.3 of edition 2). */
export interface Groups {
  readonly count: number;
  /** Bits of the reference of each group. */
  readonly referenceBits: number;
  readonly width: { readonly reference: number; readonly bits: number };
  readonly length: {
    readonly reference: number;
    readonly increment: number;
    readonly bits: number;
    readonly last: number;
  };
  /** How many kinds of gaps are coded in the numbers: 0, 1 or 2. */
  readonly gaps: number;
  /** Order of the spatial differences, and bytes of each number that starts them; order 0 without. */
  readonly order: number;
  readonly startBytes: number;
}

/** How the numbers of a field are stored. */
export type Packing =
  | {
      readonly kind: 'simple';
      readonly count: number | null;
      readonly bits: number;
      readonly scaling: Scaling;
    }
  | {
      readonly kind: 'second-order';
      readonly count: null;
      readonly bits: number;
      readonly scaling: Scaling;
      /** Points of a row; null where a bitmap leaves out points. */
      readonly rowLength: number | null;
    }
  | { readonly kind: 'complex'; readonly count: number; readonly scaling: Scaling; readonly groups: Groups }
  | { readonly kind: 'ieee'; readonly count: number; readonly bytes: 4 | 8 }
  | {
      readonly kind: 'jpeg2000' | 'png';
      readonly count: number;
      readonly bits: number;
      readonly scaling: Scaling;
    }
  | {
      readonly kind: 'ccsds';
      readonly count: number;
      readonly bits: number;
      readonly scaling: Scaling;
      readonly flags: number;
      readonly blockSize: number;
      readonly interval: number;
    };

/** Refuses factors that no number of a float has. */
export function checkScaling({ reference, binary, decimal }: Scaling): void {
  if (!Number.isFinite(reference) || !Number.isFinite(binary) || !Number.isFinite(decimal))
    throw damaged('the scale of its numbers is beyond all numbers');
}
