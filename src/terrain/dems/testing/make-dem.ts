import type { Dem, DemFile } from '../dem.ts';

/** A model of plain facts; everything can be overridden. */
export const makeDem = (name: string, more: Partial<Dem> = {}): Dem => ({
  name,
  order: 0,
  gaps: 'unknown',
  attribution: null,
  overviews: [],
  ingestedAt: '2026-06-01T00:00:00.000Z',
  ...more,
});

/** A file of one square degree, from its south-western corner; everything can be overridden. */
export function makeDemFile(dem: string, west: number, south: number, more: Partial<DemFile> = {}): DemFile {
  const { overview = 0, href = `terrain/${dem}/${overview}/${west}_${south}.tif` } = more;
  return {
    id: more.href === undefined ? `${dem} ${overview} ${west} ${south}` : `${dem} ${overview} ${href}`,
    dem,
    overview,
    format: 'tiff',
    href,
    bandIndex: 0,
    epsg: 4326,
    transform: [west, 1 / 3600, 0, south + 1, 0, -1 / 3600],
    width: 3600,
    height: 3600,
    levels: [{ width: 1800, height: 1800 }],
    nodata: -32_768,
    scale: 1,
    offset: 0,
    stepM: 1,
    resolutionM: 30,
    bounds: { west, south, east: west + 1, north: south + 1 },
    stamps: ['state'],
    ...more,
  };
}
