import { makeCopernicusSentinel2 } from './copernicus-sentinel2.ts';
import type { DemChoice } from './dem-items.ts';
import { makeDem } from './dem-items.ts';
import { makeEarthSearchSentinel2 } from './earth-search-sentinel2.ts';
import { makePlanetaryLandsat, makeUsgsLandsat } from './landsat-items.ts';
import type { LandsatChoice } from './landsat-scene.ts';
import type { FilePlace, MadeItem } from './made-item.ts';
import type { ModisChoice } from './modis-items.ts';
import { makeModis } from './modis-items.ts';
import type { NaipChoice } from './naip-items.ts';
import { makeNaip } from './naip-items.ts';
import { makePlanetarySentinel2 } from './planetary-sentinel2.ts';
import type { Sentinel1Choice } from './sentinel1-items.ts';
import { makeSentinel1 } from './sentinel1-items.ts';
import type { Sentinel2Choice } from './sentinel2-scene.ts';

/** What is chosen of an item, by catalog and collection. */
export interface ItemChoices {
  'earth-search/sentinel-2-l2a': Sentinel2Choice;
  'earth-search/sentinel-2-c1-l2a': Sentinel2Choice;
  'planetary-computer/sentinel-2-l2a': Sentinel2Choice;
  'copernicus/sentinel-2-l2a': Sentinel2Choice;
  'planetary-computer/landsat-c2-l2': LandsatChoice;
  'usgs/landsat-c2l2-sr': LandsatChoice;
  'planetary-computer/sentinel-1-grd': Sentinel1Choice;
  'planetary-computer/naip': NaipChoice;
  'planetary-computer/modis-43A4-061': ModisChoice;
  'earth-search/cop-dem-glo-30': DemChoice;
  'planetary-computer/cop-dem-glo-30': DemChoice;
}

type Makers = {
  readonly [Kind in keyof ItemChoices]: (choice: ItemChoices[Kind], place: FilePlace) => MadeItem;
};

const makers: Makers = {
  'earth-search/sentinel-2-l2a': (choice, place) => makeEarthSearchSentinel2('sentinel-2-l2a', choice, place),
  'earth-search/sentinel-2-c1-l2a': (choice, place) =>
    makeEarthSearchSentinel2('sentinel-2-c1-l2a', choice, place),
  'planetary-computer/sentinel-2-l2a': makePlanetarySentinel2,
  'copernicus/sentinel-2-l2a': makeCopernicusSentinel2,
  'planetary-computer/landsat-c2-l2': makePlanetaryLandsat,
  'usgs/landsat-c2l2-sr': makeUsgsLandsat,
  'planetary-computer/sentinel-1-grd': makeSentinel1,
  'planetary-computer/naip': makeNaip,
  'planetary-computer/modis-43A4-061': makeModis,
  'earth-search/cop-dem-glo-30': (choice, place) => makeDem('earth-search', choice, place),
  'planetary-computer/cop-dem-glo-30': (choice, place) => makeDem('planetary-computer', choice, place),
};

/** Makes an item in the shape that a catalog has it in, with made-up numbers; the same choice gives the same item. */
export const makeItem = <Kind extends keyof ItemChoices>(
  kind: Kind,
  choice: ItemChoices[Kind],
  place: FilePlace,
): MadeItem => makers[kind](choice, place);
