/** What a search box offers: coordinates, places of the demo world, and the gazetteer, which is loaded with the first query. */
import type { Patience } from '../api/patience.ts';
import type { Box } from '../scenes/footprint.ts';
import type { MapView } from '../state/map-view.ts';
import type { Texts } from '../texts/en.ts';
import { loadCountries, loadLargePlaces, loadOtherNames, loadSmallPlaces } from './load-places.ts';
import { parseCoordinates } from './parse-coordinates.ts';
import { makeCountryNames, readPlaces } from './places-file.ts';
import { findDemoPlaces, makePart, searchPlaces, toTownZoom } from './search-places.ts';

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
