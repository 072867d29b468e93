import { z } from 'zod';
import type { Stretch } from '../../color/index.ts';

/** What answers say about the curve of a range, for the documentation. */
export const curveSchema = {
  gamma: z.number().optional().describe('Exponent of the curve, if it is not 1.'),
  unit: z.literal('dB').optional().describe('The unit of min and max, if it is not that of the values.'),
};

/** Values in the unit of the range: radar in decibels. */
export const inUnits = ({ isDecibel: _, ...range }: Stretch): Stretch => range;

/** A range as it is answered. */
export const toWireRange = (range: Stretch) =>
  range.isDecibel === true ? { ...inUnits(range), unit: 'dB' } : inUnits(range);
