import { makeCopernicusSentinel2 } from './copernicus-sentinel2.ts';
import { makeEarthSearchSentinel2 } from './earth-search-sentinel2.ts';
import type { FilePlace, MadeItem } from './made-item.ts';
import { makePlanetarySentinel2 } from './planetary-sentinel2.ts';
import type { Sentinel2Choice } from './sentinel2-scene.ts';

/** What is chosen of an item, by catalog and collection. */
export interface ItemChoices {
  'earth-search/sentinel-2-l2a': Sentinel2Choice;
  'earth-search/sentinel-2-c1-l2a': Sentinel2Choice;
  'planetary-computer/sentinel-2-l2a': Sentinel2Choice;
  'copernicus/sentinel-2-l2a': Sentinel2Choice;
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
};

/** Makes an item in the shape that a catalog has it in, with made-up numbers; the same choice gives the same item. */
export const makeItem = <Kind extends keyof ItemChoices>(
  kind: Kind,
  choice: ItemChoices[Kind],
  place: FilePlace,
): MadeItem => makers[kind](choice, place);
