/** Loads the files of places once for the whole page: both maps and the search use them. */
import { toFailure } from '../api/failure.ts';
import type { Patience } from '../api/patience.ts';
import { sendWhole } from '../api/patience.ts';
import type { Country, OtherNames, PlacesFile } from './places-file.ts';

const loaded = new Map<string, Promise<unknown>>();

/** The JSON of an asset. A failed request is not remembered, so that the next one tries again. */
const loadOnce = <Value>(url: string, patience: Patience): Promise<Value> => {
  const load = async (): Promise<Value> => {
    const response = await patience(() => sendWhole(() => fetch(url)));
    if (!response.ok) throw toFailure(response.status, await response.text());
    return response.json();
  };
  const known = loaded.get(url) as Promise<Value> | undefined;
  const loading = known ?? load();
  loaded.set(url, loading);
  loading.catch(() => loaded.delete(url));
  return loading;
};

/** Countries, largest first. */
export const loadCountries = (patience: Patience): Promise<readonly Country[]> =>
  loadOnce(COUNTRIES_URL, patience);

/** Places that the map names. */
export const loadLargePlaces = (patience: Patience): Promise<PlacesFile> => loadOnce(PLACES_URL, patience);

/** Places that only a search finds. */
export const loadSmallPlaces = (patience: Patience): Promise<PlacesFile> =>
  loadOnce(SMALL_PLACES_URL, patience);

/** Other names of the large places. */
export const loadOtherNames = (patience: Patience): Promise<OtherNames> =>
  loadOnce(OTHER_NAMES_URL, patience);
