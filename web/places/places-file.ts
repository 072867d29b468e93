/** The gazetteer as the build writes it and the page reads it: columns, because equal things next to each other compress well. */

/** A file of places, ordered by country and then from south to north. */
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
