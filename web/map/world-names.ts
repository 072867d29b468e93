/** Names of the base map: they come after land and borders, and without them the map is only poorer. */
import type { GeoJSONSource, MapLibreMap } from 'maplibre-gl';
import type { Patience } from '../api/patience.ts';
import { loadCountries, loadLargePlaces } from '../places/load-places.ts';
import { makeCountryNames, readPlaces } from '../places/places-file.ts';

type GeoJsonData = Parameters<GeoJSONSource['setData']>[0];

interface Named {
  readonly lon: number;
  readonly lat: number;
  readonly properties: Readonly<Record<string, string | number>>;
}

const toPoints = (places: readonly Named[]): GeoJsonData => ({
  type: 'FeatureCollection',
  features: places.map(({ lon, lat, properties }) => ({
    type: 'Feature',
    properties,
    geometry: { type: 'Point', coordinates: [lon, lat] },
  })),
});

/** Fills the sources of a map, one after the other; country names are those of the page's language. */
export const showNames = async (map: MapLibreMap, patience: Patience): Promise<void> => {
  const show = (source: string, data: GeoJsonData): void => {
    map.getSource<GeoJSONSource>(source)?.setData(data);
    map.triggerRepaint();
  };
  const nameCountry = makeCountryNames(document.documentElement.lang || 'en');
  const countries = await loadCountries(patience);
  show(
    'countries',
    toPoints(
      countries.map(({ code, lon, lat, area }) => ({
        lon,
        lat,
        properties: { name: nameCountry(code), area },
      })),
    ),
  );
  const towns = readPlaces(await loadLargePlaces(patience));
  show(
    'towns',
    toPoints(towns.map(({ lon, lat, name, size }) => ({ lon, lat, properties: { name, size } }))),
  );
};
