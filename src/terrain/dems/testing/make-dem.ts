import type { Dem, DemFile } from '../dem.ts';
import { toDemFileId } from '../dem-file-id.ts';

/** A model with default values. */
export const makeDem = (more: Partial<Dem> = {}): Dem => ({
  name: 'alps',
  order: 0,
  gaps: 'unknown',
  attribution: null,
  overviews: [],
  ingestedAt: '2026-01-01T00:00:00.000Z',
  ...more,
});

/** A file of it: a degree of the Alps with pixels of a minute. */
export function makeDemFile(more: Partial<DemFile> = {}): DemFile {
  const { dem = 'alps', overview = 0, href = 'dem/n46_e007.tif' } = more;
  return {
    id: toDemFileId({ dem, overview, href }),
    dem,
    overview,
    format: 'tiff',
    href,
    bandIndex: 0,
    epsg: 4326,
    transform: [7, 1 / 60, 0, 47, 0, -1 / 60],
    width: 60,
    height: 60,
    levels: [],
    nodata: -32_768,
    scale: 1,
    offset: 0,
    stepM: 1,
    resolutionM: 1_535,
    bounds: { west: 7, south: 46, east: 8, north: 47 },
    stamps: ['1-1'],
    ...more,
  };
}
