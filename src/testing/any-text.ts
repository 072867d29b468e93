import fc from 'fast-check';

/** The code points from here on are surrogates, which are no characters of their own. */
const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;

/**
 * Any character. `unit: 'binary'` makes the same ones, but fast-check builds a table of all of them first, which takes a
 * second of each process.
 */
const character = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES })
  .map((n) => String.fromCodePoint(n < FIRST_SURROGATE ? n : n + SURROGATES));

/** Any text without lone surrogates. */
export const anyText = (lengths: { readonly minLength?: number; readonly maxLength?: number } = {}) =>
  fc.string({ unit: character, ...lengths });
