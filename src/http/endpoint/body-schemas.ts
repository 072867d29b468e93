import { z } from 'zod';

/** Programs send numbers and switches as texts too, and an empty text for what they do not set. */
export const NUMBER_TEXT = /^([+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?)?$/;

/** A number, also as text. */
export const number = (min: number, max: number) =>
  z.union([z.number().min(min).max(max), z.string().max(30).regex(NUMBER_TEXT)]);

/** A switch. */
export const onOff = z.union([
  z.boolean(),
  z.literal(0),
  z.literal(1),
  z.string().regex(/^([Tt]rue|TRUE|[Ff]alse|FALSE|[01])?$/),
]);
