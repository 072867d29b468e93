import { z } from 'zod';
import { NUMBER_TEXT, number } from '../endpoint/body-schemas.ts';

/** A level of masking. */
export const cloudLevel = z.union([z.int().min(0).max(4), z.string().max(30).regex(NUMBER_TEXT)]);

/** Equal bins over a range. */
export const histogram = z.union([
  z.literal(false),
  z.object({
    bins: number(1, 1_000).nullish(),
    min: number(-1e300, 1e300).nullish(),
    max: number(-1e300, 1e300).nullish(),
  }),
]);
