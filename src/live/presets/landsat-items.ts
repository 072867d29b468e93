/** Landsat: one collection of a catalog has scenes of several of our datasets, which the platform tells apart. */
import type { LiveCollection } from '../live-catalog.ts';
import { toEntry } from './items-of.ts';

/** One of our datasets of Landsat, and how catalogs tell its items apart. */
interface LandsatDataset {
  readonly dataset: string;
  readonly satellite: 4 | 5 | 7 | 8 | 9;
  /** In the spelling of the USGS. */
  readonly instrument: 'MSS' | 'TM' | 'ETM' | 'OLI';
  /** The launch, before which there is nothing. */
  readonly since: string;
}

const DATASETS: readonly LandsatDataset[] = [
  { dataset: 'landsat9', satellite: 9, instrument: 'OLI', since: '2021-09-27' },
  { dataset: 'landsat8', satellite: 8, instrument: 'OLI', since: '2013-02-11' },
  { dataset: 'landsat7', satellite: 7, instrument: 'ETM', since: '1999-04-15' },
  { dataset: 'landsat5tm', satellite: 5, instrument: 'TM', since: '1984-03-01' },
  { dataset: 'landsat5mss', satellite: 5, instrument: 'MSS', since: '1984-03-01' },
  { dataset: 'landsat4tm', satellite: 4, instrument: 'TM', since: '1982-07-16' },
  { dataset: 'landsat4mss', satellite: 4, instrument: 'MSS', since: '1982-07-16' },
];

const isMss = ({ instrument }: LandsatDataset): boolean => instrument === 'MSS';

/** Fields that every catalog of Landsat has, equal to ours; paths and rows are padded text there. */
const PROPERTIES: LiveCollection['properties'] = {
  cloudCoverage: { name: 'eo:cloud_cover' },
  sunElevation: { name: 'view:sun_elevation' },
  sunAzimuth: { name: 'view:sun_azimuth' },
  sceneID: { name: 'landsat:scene_id' },
};

/** Items of a path, a row and a day are one recording, at most twice: scene ids and product ids state all three. */
const LOCATE = { 'landsat:wrs_path': '{path}', 'landsat:wrs_row': '{row}' };

/** Level 2 of stactools (Planetary Computer, Earth Search). */
export const landsatLevel2 = (collection: string): readonly LiveCollection[] =>
  DATASETS.filter((one) => !isMss(one)).map(({ dataset, satellite, since }) =>
    toEntry({
      collection,
      dataset,
      since,
      where: { platform: [`landsat-${satellite}`] },
      properties: PROPERTIES,
      locate: LOCATE,
      // Ids of items are product ids without the day of processing, which is in the addresses of files.
      namingAssets: ['qa_pixel', 'rendered_preview'],
    }),
  );

/** Level 1 of the Planetary Computer, which is the Multispectral Scanner only. */
export const landsatLevel1Mss = (collection: string): readonly LiveCollection[] =>
  DATASETS.filter(isMss).map(({ dataset, satellite, since }) =>
    toEntry({
      collection,
      dataset,
      since,
      where: { platform: [`landsat-${satellite}`] },
      properties: PROPERTIES,
      locate: LOCATE,
      namingAssets: ['qa_pixel', 'rendered_preview'],
    }),
  );

/** Unknown clouds are -1 at the USGS and missing here: with a slack, the API's count of a search is not taken for ours. */
const UNKNOWN_CLOUDS = { slack: 1e-6 };

/** Collections of the USGS itself. */
export const landsatOfUsgs = (collection: string, level: 1 | 2): readonly LiveCollection[] =>
  DATASETS.filter((one) => level === 1 || !isMss(one)).map(({ dataset, satellite, instrument, since }) =>
    toEntry({
      collection,
      dataset,
      since,
      // Landsat 4 and 5 carried two instruments; an item lists them as ["TM"] or ["OLI", "TIRS"].
      where:
        satellite > 5
          ? { platform: [`LANDSAT_${satellite}`] }
          : { platform: [`LANDSAT_${satellite}`], instruments: [instrument] },
      properties: { ...PROPERTIES, cloudCoverage: { name: 'eo:cloud_cover', ...UNKNOWN_CLOUDS } },
      locate: LOCATE,
      namingAssets: ['thumbnail'],
    }),
  );
