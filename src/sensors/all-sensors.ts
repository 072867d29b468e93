import { cbers4awfi } from './cbers4-awfi.ts';
import { cbers4mux } from './cbers4-mux.ts';
import { cbers4pan5m } from './cbers4-pan5m.ts';
import { cbers4pan10m } from './cbers4-pan10m.ts';
import { landsat4mss } from './landsat4-mss.ts';
import { landsat4tm } from './landsat4-tm.ts';
import { landsat5mss } from './landsat5-mss.ts';
import { landsat5tm } from './landsat5-tm.ts';
import { landsat7 } from './landsat7.ts';
import { landsat8 } from './landsat8.ts';
import { landsat9 } from './landsat9.ts';
import { modis } from './modis.ts';
import { naip } from './naip.ts';
import type { Sensor } from './sensor.ts';
import { sentinel1 } from './sentinel1.ts';
import { sentinel2 } from './sentinel2-l1c.ts';
import { sentinel2l2a } from './sentinel2-l2a.ts';

/** Every sensor Swath knows; a new one is one file and one entry here. */
export const sensors: readonly Sensor[] = [
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
];

/** The sensor of an abbreviation; case-sensitive, as the interface writes it. */
export const sensorByAbbreviation = (abbreviation: string): Sensor | null =>
  sensors.find((sensor) => sensor.abbreviation === abbreviation) ?? null;

/** The sensor behind a dataset id of search that means one sensor. */
export const sensorByDataset = (dataset: string): Sensor | null =>
  sensors.find((sensor) => sensor.dataset === dataset) ?? null;

/** All sensors behind a dataset id: one, or several for ids such as `cbers4`; none when there is no such dataset. */
export const sensorsByDataset = (dataset: string): readonly Sensor[] =>
  sensors.filter((sensor) => sensor.dataset === dataset || sensor.datasetGroups.includes(dataset));
