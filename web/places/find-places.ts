/** What a search box offers: coordinates, places of the demo world, and the gazetteer, which is loaded with the first query. */
import type { Patience } from '../api/patience.ts';
import type { Box } from '../scenes/footprint.ts';
import type { MapView } from '../state/map-view.ts';
import type { Texts } from '../texts/en.ts';
import { loadCountries, loadLargePlaces, loadOtherNames, loadSmallPlaces } from './load-places.ts';
import { parseCoordinates } from './parse-coordinates.ts';
import { foldName, makeCountryNames, readPlaces } from './places-file.ts';
import { makePart, searchPlaces, toTownZoom } from './search-places.ts';

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

/** Something to choose: its name, what tells it apart from others, and where the map goes. */
export interface Suggestion {
  readonly name: string;
  readonly detail: string;
  readonly lon: number;
  readonly lat: number;
  readonly goal: { readonly box: Box } | { readonly view: MapView };
}

const MAX_SUGGESTIONS = 8;
/** About 10 m in a pixel: a position that was typed is looked at closely. */
const COORDINATES_ZOOM = 14;

/** Five digits are about a metre. */
const toDegreesText = (lon: number, lat: number): string => `${lat.toFixed(5)}, ${lon.toFixed(5)}`;

interface FinderOptions {
  readonly patience: Patience;
  readonly texts: Texts;
  readonly hasDemo: () => boolean;
}

/** Answers suggestions for a query. */
export interface PlaceFinder {
  /** What needs no gazetteer. */
  findAtOnce(query: string): readonly Suggestion[];
  /** All; `onMore` is called when the small places have come, after which the same query may find more. */
  find(query: string, onMore: () => void): Promise<readonly Suggestion[]>;
}

/** Makes the finder; nothing is loaded before the first `find`. */
export const makePlaceFinder = ({ patience, texts, hasDemo }: FinderOptions): PlaceFinder => {
  const { places: words, readout, locale } = texts;
  const nameCountry = makeCountryNames(locale);
  const nameCountryInEnglish = makeCountryNames('en');
  const parts: ReturnType<typeof makePart>[] = [];
  let loading: Promise<void> | null = null;
  let loadingSmall: Promise<void> | null = null;

  const load = async (): Promise<void> => {
    const [large, others] = await Promise.all([
      loadLargePlaces(patience),
      loadOtherNames(patience),
      loadCountries(patience),
    ]);
    parts[0] = makePart(readPlaces(large), others);
  };
  const loadMore = async (): Promise<void> => {
    parts[1] = makePart(readPlaces(await loadSmallPlaces(patience)), []);
  };

  const findAtOnce = (query: string): readonly Suggestion[] => {
    const coordinates = parseCoordinates(query, readout).map(
      ({ lon, lat, form }): Suggestion => ({
        name: form === 'degrees' ? toDegreesText(lon, lat) : query.trim().toUpperCase(),
        detail: form === 'degrees' ? words.coordinates : `${words.forms[form]}, ${toDegreesText(lon, lat)}`,
        lon,
        lat,
        goal: { view: { lon, lat, zoom: COORDINATES_ZOOM } },
      }),
    );
    const demo = hasDemo() ? findDemoPlaces(query, words.demo) : [];
    return [
      ...coordinates,
      ...demo.map(
        ({ name, lon, lat, zoom }): Suggestion => ({
          name: words.demo[name],
          detail: words.ofDemo,
          lon,
          lat,
          goal: { view: { lon, lat, zoom } },
        }),
      ),
    ];
  };

  return {
    findAtOnce,
    async find(query, onMore) {
      const atOnce = findAtOnce(query);
      if (query.trim() === '') return atOnce;
      loading ??= load();
      try {
        await loading;
      } catch (error) {
        // The next query tries again.
        loading = null;
        throw error;
      }
      loadingSmall ??= loadMore();
      loadingSmall.then(onMore, () => {
        loadingSmall = null;
      });
      const found = searchPlaces(query, MAX_SUGGESTIONS, {
        parts: parts.filter((part) => part !== undefined),
        countries: await loadCountries(patience),
        nameCountry,
        nameCountryInEnglish,
      });
      const others = found.map(
        ({ name, otherName, country, lon, lat, box, size }): Suggestion => ({
          name: otherName === null ? name : `${otherName} (${name})`,
          detail: country === null ? words.country : nameCountry(country),
          lon,
          lat,
          goal: box === null ? { view: { lon, lat, zoom: toTownZoom(size) } } : { box },
        }),
      );
      return [...atOnce, ...others].slice(0, MAX_SUGGESTIONS);
    },
  };
};
