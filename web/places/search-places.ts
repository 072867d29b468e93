/** Finds places by name: what begins with the query goes first, then the larger place. */
import type { Texts } from '../texts/en.ts';
import type { Country, OtherNames, Place } from './places-file.ts';
import { foldName } from './places-file.ts';

/** A place that a query found. */
export interface FoundPlace {
  readonly name: string;
  /** The name that the query found it by, if it is another one. */
  readonly otherName: string | null;
  /** ISO 3166 code; `null` for a country itself. */
  readonly country: string | null;
  readonly lon: number;
  readonly lat: number;
  /** The part of the map that shows it; `null` for a town. */
  readonly box: Country['box'] | null;
  readonly size: number;
}

/** How well a name fits; smaller is better. */
const EXACT = 0;
const PREFIX = 1;
const WORD = 2;

interface Hit {
  readonly place: number;
  readonly fit: number;
  readonly otherName: string | null;
}

/** Lines of folded text, searched as one string: many times faster than a hundred thousand strings. */
interface Lines {
  /** Begins and ends with a line feed. */
  readonly text: string;
  /** Where each line begins. */
  readonly starts: Int32Array;
}

const toLines = (names: readonly string[]): Lines => {
  const text = `\n${foldName(names.join('\n'))}\n`;
  const starts = new Int32Array(names.length + 1);
  let at = 1;
  for (let line = 0; line <= names.length; line++) {
    starts[line] = at;
    at = text.indexOf('\n', at) + 1;
  }
  return { text, starts };
};

const lineAt = ({ starts }: Lines, position: number): number => {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= position) low = middle;
    else high = middle - 1;
  }
  return low;
};

/** Calls back for every line that has the query at the beginning of a word. */
const findLines = (lines: Lines, query: string, onFind: (line: number, fit: number) => void): void => {
  const { text } = lines;
  for (let at = text.indexOf(query); at >= 0; at = text.indexOf(query, at + 1)) {
    const before = text[at - 1];
    if (before !== '\n' && before !== ' ') continue;
    const isWhole = text[at + query.length] === '\n';
    onFind(lineAt(lines, at), before === ' ' ? WORD : isWhole ? EXACT : PREFIX);
  }
};

interface Part {
  readonly places: readonly Place[];
  readonly lines: Lines;
  readonly others: {
    readonly names: readonly string[];
    readonly places: readonly number[];
    readonly lines: Lines;
  };
}

/** Makes a part of the gazetteer ready for searches. */
export const makePart = (places: readonly Place[], otherNames: OtherNames): Part => {
  const pairs = otherNames.flatMap(([place, names]) =>
    names.split('\t').map((name) => [place, name] as const),
  );
  const names = pairs.map(([, name]) => name);
  return {
    places,
    lines: toLines(places.map(({ name }) => name)),
    others: { names, places: pairs.map(([place]) => place), lines: toLines(names) },
  };
};

const findInPart = ({ places, lines, others }: Part, query: string): readonly Hit[] => {
  const hits = new Map<number, Hit>();
  const add = (hit: Hit): void => {
    const known = hits.get(hit.place);
    if (known === undefined || hit.fit < known.fit) hits.set(hit.place, hit);
  };
  findLines(lines, query, (place, fit) => {
    if (place < places.length) add({ place, fit, otherName: null });
  });
  findLines(others.lines, query, (line, fit) => {
    const [place, name] = [others.places[line], others.names[line]];
    if (place !== undefined && name !== undefined) add({ place, fit, otherName: name });
  });
  return [...hits.values()];
};

interface Search {
  readonly parts: readonly Part[];
  readonly countries: readonly Country[];
  /** Names of countries in the language of the page, and in English. */
  readonly nameCountry: (code: string) => string;
  readonly nameCountryInEnglish: (code: string) => string;
}

/** Fewer letters would find a tenth of the world. */
const MIN_LETTERS = 2;
/** Countries are larger than towns. */
const COUNTRY_SIZE = 1_000;

/** The best `limit` places for a query; `Paris, US` or `Paris, Frankreich` are those of one country. */
export const searchPlaces = (
  query: string,
  limit: number,
  { parts, countries, nameCountry, nameCountryInEnglish }: Search,
): readonly FoundPlace[] => {
  const [wanted = '', ...rest] = query.split(',').map((part) => foldName(part).trim());
  if (wanted.length < MIN_LETTERS) return [];
  const within = rest.find((part) => part !== '') ?? null;
  const isWithin = (code: string): boolean =>
    within === null ||
    code.toLowerCase() === within ||
    foldName(nameCountry(code)).startsWith(within) ||
    foldName(nameCountryInEnglish(code)).startsWith(within);
  const isWithinByCode = new Map<string, boolean>();
  const isChosen = (code: string): boolean => {
    const known = isWithinByCode.get(code) ?? isWithin(code);
    isWithinByCode.set(code, known);
    return known;
  };

  const found: { readonly fit: number; readonly place: FoundPlace }[] = [];
  for (const { code, lon, lat, box } of within === null ? countries : []) {
    const names = [nameCountry(code), nameCountryInEnglish(code)];
    const fits = names
      .map(foldName)
      .flatMap((name) => (name.startsWith(wanted) ? [name === wanted ? EXACT : PREFIX] : []));
    if (fits.length === 0) continue;
    const name = names[0] ?? code;
    found.push({
      fit: Math.min(...fits),
      place: { name, otherName: null, country: null, lon, lat, box, size: COUNTRY_SIZE },
    });
  }
  for (const part of parts) {
    for (const { place, fit, otherName } of findInPart(part, wanted)) {
      const known = part.places[place];
      if (known === undefined || !isChosen(known.country)) continue;
      found.push({ fit, place: { ...known, otherName, box: null } });
    }
  }
  // An exact name of a hamlet does not beat the beginning of a city's: both begin with the query.
  const rank = (fit: number): number => (fit === WORD ? 1 : 0);
  return found
    .toSorted((a, b) => rank(a.fit) - rank(b.fit) || b.place.size - a.place.size || a.fit - b.fit)
    .slice(0, limit)
    .map(({ place }) => place);
};

/** The zoom that shows a town and what is around it: a village is closer than a city. */
export const toTownZoom = (size: number): number =>
  Math.min(13.5, Math.max(9.5, 13.5 - (size / 4 - 10) * 0.3));

/**
 * A place of the demo world by the name of its text. These places are invented, so no gazetteer has them;
 * `world/setting.ts` says where they are.
 */
interface DemoPlace {
  readonly name: keyof Texts['places']['demo'];
  readonly lon: number;
  readonly lat: number;
  readonly zoom: number;
}

/** The places, those with a story first. */
export const DEMO_PLACES: readonly DemoPlace[] = [
  { name: 'valley', lon: -122.3422, lat: 48.0899, zoom: 11.5 },
  { name: 'fire', lon: -121.8853, lat: 48.1044, zoom: 11.5 },
  { name: 'flood', lon: -122.4549, lat: 48.2344, zoom: 11.5 },
  { name: 'town', lon: -122.3598, lat: 48.1899, zoom: 12.5 },
  { name: 'lake', lon: -122.0836, lat: 48.2887, zoom: 11.5 },
  { name: 'forest', lon: -122.0136, lat: 48.4204, zoom: 12 },
  { name: 'summit', lon: -121.7008, lat: 48.4983, zoom: 11.5 },
  { name: 'shore', lon: -122.5045, lat: 48.1177, zoom: 12 },
];

/** Those whose name has a word that begins with the query; all of them for an empty one. */
export const findDemoPlaces = (query: string, names: Texts['places']['demo']): readonly DemoPlace[] => {
  const wanted = foldName(query).trim();
  return DEMO_PLACES.filter(({ name }) => ` ${foldName(names[name])}`.includes(` ${wanted}`));
};
