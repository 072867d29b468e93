import type { LookupTable } from '../../catalog/index.ts';
import { sourceBroken, unsupported } from '../../errors.ts';
import type { BandInputPlan } from './band-input-plan.ts';
import { asStored } from './band-input-plan.ts';

/** A table goes with every plan of its scene; ingest leaves some hundred values, and the largest file has 25,000. */
const MAX_VALUES = 100_000;

/** Sigma nought = stored² / A², with A from the product's table. Noise is not removed. */
export function planSigmaNought(table: LookupTable | undefined, band: string): BandInputPlan {
  if (table === undefined) {
    throw unsupported(
      'no-calibration-table',
      `The band ${band} cannot be calibrated: this scene came without its calibration table.`,
    );
  }
  if (!isSound(table)) {
    throw sourceBroken(
      'bad-calibration-table',
      `The calibration table of the band ${band} is not one of equal lines in order.`,
    );
  }
  return { ...asStored(), rule: 'squared-ratio', table, quantity: 'sigma-nought' };
}

/** Records may come from items of others: what is divided by must be there, and in order. */
const isSound = ({ lines, pixels, values }: LookupTable): boolean =>
  values.length > 0 &&
  values.length <= MAX_VALUES &&
  values.length === lines.length * pixels.length &&
  isRising(lines) &&
  isRising(pixels) &&
  values.every((value) => value > 0);

const isRising = (numbers: readonly number[]): boolean =>
  numbers.every((number, i) => i === 0 || number > numbers[i - 1]!);
