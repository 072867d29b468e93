/** The operator's base map: raster tiles of another server, which the content policy of the page names. */
import type { MapLibreMap, RasterSourceSpecification } from 'maplibre-gl';
import type { BaseMap } from '../scenes/about.ts';
import { asRecord, isTexts } from '../scenes/read-json.ts';
import { toAttributionHtml } from './attribution.ts';

const NAME = 'base-map';
/** What it stands in place of. */
const REPLACED = ['grid', 'land', 'coast', 'lake', 'river', 'border', 'town-name', 'country-name'];

const toSource = (
  tiles: readonly string[],
  { attribution }: BaseMap,
  { tileSize = 256, maxzoom = 19 } = {},
): RasterSourceSpecification => ({
  type: 'raster',
  tiles: [...tiles],
  tileSize,
  maxzoom,
  attribution: toAttributionHtml(attribution),
});

/** The source of a template, or of the TileJSON file that the address names. */
export const toBaseMapSource = async (
  baseMap: BaseMap,
  read: (url: string) => Promise<unknown> = async (url) =>
    (await fetch(url, { referrerPolicy: 'no-referrer', credentials: 'omit' })).json(),
): Promise<RasterSourceSpecification> => {
  if (baseMap.url.includes('{z}')) return toSource([baseMap.url], baseMap);
  const { tiles, tileSize, maxzoom } = asRecord(await read(baseMap.url));
  if (!isTexts(tiles) || tiles.length === 0 || !tiles.every((tile) => tile.startsWith('https://')))
    throw new Error('The base map of this service is not a TileJSON file with https tiles.');
  return toSource(tiles, baseMap, {
    ...(tileSize === 512 ? { tileSize: 512 } : {}),
    ...(typeof maxzoom === 'number' ? { maxzoom } : {}),
  });
};

/** Puts it under everything else. */
export const putBaseMap = (map: MapLibreMap, source: RasterSourceSpecification): void => {
  if (map.getSource(NAME) !== undefined) return;
  map.addSource(NAME, source);
  map.addLayer({ id: NAME, type: 'raster', source: NAME }, 'grid');
  for (const layer of REPLACED) map.setLayoutProperty(layer, 'visibility', 'none');
};
