/** Places of the demo world. They are invented, so no gazetteer has them; `world/setting.ts` says where they are. */
import type { Texts } from '../texts/en.ts';
import { foldName } from './fold-name.ts';

/** A place of the demo world by the name of its text. */
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
