import { z } from 'zod';

/** Programs send numbers and switches as texts too, and an empty text for what they do not set. */
const NUMBER = /^([+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?)?$/;

/** A number, also as text. */
export const number = (min: number, max: number) =>
  z.union([z.number().min(min).max(max), z.string().max(30).regex(NUMBER)]);

/** A switch. */
export const onOff = z.union([
  z.boolean(),
  z.literal(0),
  z.literal(1),
  z.string().regex(/^([Tt]rue|TRUE|[Ff]alse|FALSE|[01])?$/),
]);

/** A level of masking. */
export const cloudLevel = z.union([z.int().min(0).max(4), z.string().max(30).regex(NUMBER)]);

/** Equal bins over a range. */
export const histogram = z.union([
  z.literal(false),
  z.object({
    bins: number(1, 1_000).nullish(),
    min: number(-1e300, 1e300).nullish(),
    max: number(-1e300, 1e300).nullish(),
  }),
]);
