import type { LiveCatalog, LiveCollection } from '../live-catalog.ts';
import { copernicus } from './copernicus.ts';
import { earthSearch } from './earth-search.ts';
import { cbers4ById, modisByTile, sentinel1, sentinel2ByMgrs, sentinel2ByOldFields } from './items-of.ts';
import { planetaryComputer } from './planetary-computer.ts';
import { usgs } from './usgs.ts';

/** Every preset of SWATH_CATALOGS; a new one is a line here. */
export const presets: readonly LiveCatalog[] = [earthSearch, planetaryComputer, copernicus, usgs];

/** Collections that no preset has, in the form of the catalogs that have them. */
const OTHERS: readonly LiveCollection[] = [
  sentinel2ByMgrs('sentinel-2-l1c', 'sentinel2'),
  sentinel2ByMgrs('sentinel-2-c1-l2a', 'sentinel2l2a'),
  sentinel2ByMgrs('sentinel-2-pre-c1-l2a', 'sentinel2l2a'),
  sentinel2ByOldFields('sentinel-s2-l1c', 'sentinel2'),
  sentinel2ByOldFields('sentinel-s2-l2a', 'sentinel2l2a'),
  sentinel2ByOldFields('sentinel-s2-l2a-cogs', 'sentinel2l2a'),
  sentinel1('sentinel1-grd'),
  modisByTile('modis-43A4-006'),
  cbers4ById('CBERS4MUX', 'cbers4mux'),
  cbers4ById('CBERS4-MUX', 'cbers4mux'),
  cbers4ById('CBERS4AWFI', 'cbers4awfi'),
  cbers4ById('CBERS4-AWFI', 'cbers4awfi'),
  cbers4ById('CBERS4PAN10M', 'cbers4pan10m'),
  cbers4ById('CBERS4PAN5M', 'cbers4pan5m'),
];

/**
 * Collections by the ids that public catalogs have coined, for catalogs of one's own: one entry for each dataset. Ids that
 * several catalogs use, such as `sentinel-2-l2a`, are described as Earth Search describes them.
 */
export const knownCollections: readonly LiveCollection[] = [
  ...earthSearch.collections,
  ...OTHERS,
  ...presets.flatMap(({ collections }) => collections),
].filter(
  ({ collection, dataset }, index, all) =>
    all.findIndex((one) => one.collection === collection && one.dataset === dataset) === index,
);
