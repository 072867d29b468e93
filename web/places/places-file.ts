/** The gazetteer as the build writes it and the page reads it: places, countries, and how their names are compared. */
import type { Box } from '../scenes/footprint.ts';

/** A file of places, ordered by country and then from south to north; in columns, because equal things next to each other compress well. */
export interface PlacesFile {
  readonly attribution: string;
  /** One name per line. */
  readonly names: string;
  /** Codes of countries with how many places follow, `AD 12`. */
  readonly countries: readonly (readonly [code: string, count: number])[];
  /** Hundredths of a degree; every one but the first is a difference from the one before. */
  readonly lats: readonly number[];
  readonly lons: readonly number[];
  /** The logarithm of the population, in steps of a quarter of a doubling. */
  readonly sizes: readonly number[];
}

/** Other names of the places of a file, by line: `[12, 'Kiev\tKijów']`. */
export type OtherNames = readonly (readonly [line: number, names: string])[];

/** A place of the gazetteer. */
export interface Place {
  readonly name: string;
  /** ISO 3166 code of two letters. */
  readonly country: string;
  readonly lon: number;
  readonly lat: number;
  /** Larger for more people. */
  readonly size: number;
}

/** Steps of `sizes` for a population. */
export const toSize = (population: number): number => Math.round(Math.log2(Math.max(1, population)) * 4);

const addUp = (differences: readonly number[]): number[] => {
  let sum = 0;
  return differences.map((difference) => {
    sum += difference;
    return sum / 100;
  });
};

/** The places of a file, in its order. */
export const readPlaces = (file: PlacesFile): readonly Place[] => {
  const lats = addUp(file.lats);
  const lons = addUp(file.lons);
  const countries = file.countries.flatMap(([code, count]) => new Array<string>(count).fill(code));
  return file.names.split('\n').map((name, i) => ({
    name,
    country: countries[i] ?? '',
    lon: lons[i] ?? 0,
    lat: lats[i] ?? 0,
    size: file.sizes[i] ?? 0,
  }));
};

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

/** Names of countries in a language, as the browser has them; a code that the browser does not know is its own name. */
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

/** Letters that are not a base letter with a mark. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
  ə: 'a',
};
const SPECIAL = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');

/**
 * The form in which names and queries are compared: without what people leave out when they type, which are accents, case,
 * hyphens and apostrophes. Lines stay lines.
 */
export const foldName = (name: string): string =>
  name
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(SPECIAL, (letter) => LETTERS[letter] ?? letter)
    .replaceAll(/['’‘ʻʼʿ`´.]/g, '')
    .replaceAll(/[^\S\n]*[-‐–—/][^\S\n]*|[^\S\n]+/g, ' ');
