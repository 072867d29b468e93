/** Reading values of answers, whose types no one has checked yet. */

/** The value as an object; an empty one for anything that is not. */
export const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** The value as a finite number, or `null`. */
export const asNumber = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

/** The value as a text that is not empty, or `null`. */
export const asText = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

/** True for a list of texts. */
export const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');
