import type { InputRule } from '../../bandmath/index.ts';
import type { LinearScale, LookupTable } from '../../catalog/index.ts';
import type { QualityBits } from '../../sensors/index.ts';

/** What the numbers of a band mean to an expression; `stored` have no unit. */
export type Quantity = 'stored' | 'reflectance' | 'kelvin' | 'sigma-nought';

/** What becomes of a band's stored numbers before an expression sees them; plain JSON, a part of a render's plan. */
export interface BandInputPlan {
  readonly rule: InputRule;
  /** As many as the rule has, rounded to float32 as the pass computes with them. */
  readonly parameters: readonly number[];
  /** What the rule's second plane is filled with (`fillTablePlane`); null when the rule has none. */
  readonly table: LookupTable | null;
  /** How stored quality bits become those of the interface, before they are resampled; null when they are, or hold none. */
  readonly bits: QualityBits['moves'] | null;
  readonly quantity: Quantity;
  /** The product itself says that the band measured nothing: whatever its pixels hold, none of them is data. */
  readonly isAbsent: boolean;
  /** Full sentences for the user about what could not be done by the product's own metadata. */
  readonly notes: readonly string[];
}

/** The numbers as they are stored. */
export const asStored = (...notes: string[]): BandInputPlan => ({
  rule: 'plain',
  parameters: [],
  table: null,
  bits: null,
  quantity: 'stored',
  isAbsent: false,
  notes,
});

/** The numbers with an offset taken off; those without one as they are. */
export const asShifted = (shift: number): BandInputPlan =>
  shift === 0 ? asStored() : { ...asStored(), rule: 'shifted', parameters: [Math.fround(shift)] };

/** value = stored * mult + add = (stored + add / mult) * mult, all factors multiplied into the two in float64. */
export function asLinear(
  { mult, add }: LinearScale,
  quantity: Quantity,
  notes: readonly string[],
): BandInputPlan {
  if (mult === 0) return asAbsent(quantity);
  return {
    ...asStored(...notes),
    rule: 'linear',
    parameters: [add / mult, mult].map(Math.fround),
    quantity,
  };
}

/** A band that was switched off: its factor is 0 in the metadata, so that all numbers would mean the same. */
export const asAbsent = (quantity: Quantity): BandInputPlan => ({
  ...asStored('The product says that this band measured nothing.'),
  quantity,
  isAbsent: true,
});

/** Says that a scale is not the product's own. */
export const BY_CONSTANTS =
  'This band is scaled by published constants: the metadata of the product do not say it, or not reliably.';

/** Says that a scale is that of the file. */
export const BY_FILE = 'This band is scaled as its file says; the sensor itself has no physical scale.';
