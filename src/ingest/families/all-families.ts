import type { Sensor } from '../../sensors/index.ts';
import { sensors } from '../../sensors/index.ts';
import { unsupported } from '../errors.ts';
import { cbers4 } from './cbers4.ts';
import type { Family } from './family.ts';
import { landsat } from './landsat.ts';
import { modis } from './modis.ts';
import { naip } from './naip.ts';
import { planetscope } from './planetscope.ts';
import { sentinel1 } from './sentinel1/sentinel1.ts';
import { sentinel2 } from './sentinel2/sentinel2.ts';

/** Every family of products; a new one is a line here. */
export const families: readonly Family[] = [
  // In this order STAC items are recognised.
  sentinel2,
  landsat,
  sentinel1,
  modis,
  naip,
  cbers4,
  planetscope,
];

/** The family of a sensor; throws `no-description` for one whose products are not described. */
export function familyOf({ family: name, title }: Sensor): Family {
  const family = families.find((one) => one.name === name);
  if (family !== undefined) return family;
  throw unsupported('no-description', `Products of ${title} cannot be read.`);
}

/** A collection of a public catalog whose items become scenes of these datasets. */
interface AcceptedCollection {
  readonly collection: string;
  readonly datasets: readonly string[];
}

/** Every collection whose items are recognised by its id. */
export const acceptedCollections: readonly AcceptedCollection[] = families.flatMap(({ name, items }) => {
  const all = sensors.filter(({ family }) => family === name).map(({ dataset }) => dataset);
  return (items?.accepted ?? []).flatMap(({ collections, datasets = all }) =>
    collections.map((collection) => ({ collection, datasets })),
  );
});
