import type { AreaParser } from '../index.ts';
import { areaJobs, checkArea, measureArea, parseSearchGeometry, writeArea } from '../index.ts';

/** Parses areas of any size at once. */
export const areaParser: AreaParser = {
  write: async (text, { owner }) => writeArea(text, owner),
  check: async (text) => checkArea(text),
  measure: async (geometry) => measureArea(geometry),
  parse: async (text) => parseSearchGeometry(JSON.parse(text)),
  unite: async (geometries, properties, { owner }) =>
    areaJobs['unite-areas']({ geometries, properties, owner }),
};
