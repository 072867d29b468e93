import { unsupported } from '../errors.ts';

/** A band combination: one band as grey, or three as red, green and blue. */
export type BandCombination = readonly [string] | readonly [red: string, green: string, blue: string];

/** Longest text that is looked at (docs/operate.md, "Limits"). */
const MAX_CHARS = 2_048;

/** The bands a text may name. */
export interface BandNames {
  /** In full, for the message when one is wrong. */
  readonly all: readonly string[];
  /** The band's name for any way to write it; null for no band. */
  readonly find: (spelling: string) => string | null;
}

/** Reads `B04` or `B04,B03,B02`; every name must mean a band of the sensor. */
export function parseBands(text: string, bandNames: BandNames): BandCombination {
  if (text.length > MAX_CHARS) {
    throw unsupported('expression-too-long', `The band expression is longer than ${MAX_CHARS} characters.`);
  }
  const names = text.split(',').map((spelling) => {
    const name = bandNames.find(spelling);
    if (name === null) {
      throw unsupported(
        'unknown-band',
        `Unsupported band or operation: "${spelling.slice(0, 40)}". Bands are ${bandNames.all.join(', ')}.`,
      );
    }
    return name;
  });
  const [first, second, third, ...more] = names;
  if (first !== undefined && second === undefined) return [first];
  if (first !== undefined && second !== undefined && third !== undefined && more.length === 0)
    return [first, second, third];
  throw unsupported('band-count', `A picture takes one band or three; ${names.length} are given.`);
}
