/** Countries: where their names are written. The names themselves are the browser's, in the language of the page. */
import type { Box } from '../scenes/footprint.ts';

/** A country, by its largest piece of land. */
export interface Country {
  /** ISO 3166 code of two letters. */
  readonly code: string;
  readonly lon: number;
  readonly lat: number;
  readonly box: Box;
  /** Square degrees, to tell large ones from small ones. */
  readonly area: number;
}

/** Names of countries in a language; a code that the browser does not know is its own name. */
export const makeCountryNames = (locale: string): ((code: string) => string) => {
  const names = new Intl.DisplayNames(locale, { type: 'region' });
  return (code) => {
    try {
      return names.of(code) ?? code;
    } catch {
      // Not a code: the gazetteer and the browser are of different years.
      return code;
    }
  };
};
