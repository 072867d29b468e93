import type { Area } from '../areas/index.ts';

/** An area as it lies in a table: both as JSON text. */
export interface AreaRow {
  readonly feature: string;
  readonly geometry: string;
}

/** Reads an area back; what lies in the table was checked before it got there. */
export const toArea = ({ feature, geometry }: AreaRow): Area => ({
  feature: JSON.parse(feature) as Area['feature'],
  geometry: JSON.parse(geometry) as Area['geometry'],
});
