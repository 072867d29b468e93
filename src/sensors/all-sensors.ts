import { cbers4awfi, cbers4mux, cbers4pan5m, cbers4pan10m } from './cbers4/cameras.ts';
import type { HitValues } from './definition/hit-fields.ts';
import type { Sensor } from './definition/sensor.ts';
import { landsat7 } from './landsat/etm.ts';
import { landsat4mss, landsat5mss } from './landsat/mss.ts';
import { landsat8, landsat9 } from './landsat/oli.ts';
import { landsat4tm, landsat5tm } from './landsat/tm.ts';
import { modis } from './modis.ts';
import { naip } from './naip.ts';
import { planetscope } from './planetscope.ts';
import { sentinel1 } from './sentinel1.ts';
import { sentinel2 } from './sentinel2/l1c.ts';
import { sentinel2l2a } from './sentinel2/l2a.ts';

/** The table of sensors; a new one is a line here. */
const table = [
  sentinel2,
  sentinel2l2a,
  landsat9,
  landsat8,
  landsat7,
  landsat5tm,
  landsat5mss,
  landsat4tm,
  landsat4mss,
  cbers4mux,
  cbers4awfi,
  cbers4pan10m,
  cbers4pan5m,
  modis,
  naip,
  sentinel1,
  planetscope,
] as const;

/** All sensors. */
export const sensors: readonly Sensor[] = table;

type Known = (typeof table)[number];

/** The id of a dataset of one sensor. */
export type DatasetId = Known['dataset'];

/** Values of the fields that only hits of this dataset have, by name; a misspelt name does not compile. */
export type FieldsOf<Dataset extends DatasetId> = HitValues<
  Extract<Known, { readonly dataset: Dataset }>['hit']
>;
