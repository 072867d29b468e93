import type { Sensor } from './sensor.ts';
import { sentinel2 } from './sentinel2.ts';

export type { Band, FieldType, Sensor } from './sensor.ts';

/** Every sensor Swath knows; a new one is one file and one entry here. */
export const sensors: readonly Sensor[] = [sentinel2];

/** The sensor a view id begins with; case-sensitive, as the interface writes it. */
export const sensorByAbbreviation = (abbreviation: string): Sensor | null =>
  sensors.find((sensor) => sensor.abbreviation === abbreviation) ?? null;

/** The sensor behind a dataset id of search. */
export const sensorByDataset = (dataset: string): Sensor | null =>
  sensors.find((sensor) => sensor.dataset === dataset) ?? null;
