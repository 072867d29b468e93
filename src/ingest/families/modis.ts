import type { Sensor } from '../../sensors/index.ts';
import { formatViewId, parseViewId } from '../../sensors/index.ts';
import { sourceBroken } from '../errors.ts';
import { findInNames, thumbnailOf, toCommonFacts } from '../stac/item.ts';
import type { DescribeItem, Family, SceneFacts } from './family.ts';
import { DEFAULT_FACTS, scaleByRule, toFields } from './family.ts';

const NAME = /MCD43A4\.A(\d{7})\.h(\d{2})v(\d{2})\.\d{3}\.(\d{13})/;

interface Tile {
  readonly sensor: Sensor;
  /** `MCD43A4.A2017204.h12v04.006.2017213034223`. */
  readonly name: string;
  /** Clouds are masked as nodata, so this is 0 unless an item says otherwise. */
  readonly cloudPercent?: number;
  readonly thumbnail?: string | null;
}

/** A tile is described by its name alone. The day is the middle of the sixteen days it is composed of. */
function toFacts({ sensor, name, cloudPercent = 0, thumbnail }: Tile): SceneFacts {
  const [, yearDay = '', horizontal = '', vertical = '', produced = ''] = NAME.exec(name) ?? [];
  const viewId = formatViewId(sensor, { horizontal, vertical, yearDay, produced });
  const { date } = parseViewId(viewId);
  return {
    ...DEFAULT_FACTS,
    sensor,
    viewId,
    sceneId: name,
    acquiredAt: `${date}T00:00:00.000Z`,
    processed: produced,
    cloudPercent,
    fields: toFields<'modis'>({
      satelliteName: 'MODIS',
      cloudCoverage: cloudPercent,
      BeginningDateTime: `${date}T00:00:00.000Z`,
      EndingDateTime: `${date}T23:59:59.000Z`,
      horizontalTileNumber: Number(horizontal),
      verticalTileNumber: Number(vertical),
      thumbnail,
      onAmazon: true,
    }),
    scaleOf: scaleByRule,
  };
}

/** Catalogs omit the processing time from the ids of items, but not from file names. */
const describeItem: DescribeItem = async (item, [sensor]) => {
  const name = findInNames(item, NAME)?.[0];
  if (name === undefined) {
    throw sourceBroken(
      'stac-incomplete',
      'Neither its id nor its files have the name of an MCD43A4 product.',
    );
  }
  const { cloudPercent, ...common } = toCommonFacts(item);
  return {
    ...toFacts({ sensor, name, cloudPercent: cloudPercent ?? 0, thumbnail: thumbnailOf(item) }),
    ...common,
  };
};

/** MODIS MCD43A4: tiles that are described by their names. */
export const modis: Family = {
  name: 'modis',
  describeProduct: async ({ sensor, id }) => toFacts({ sensor, name: id ?? '' }),
  items: {
    accepted: [
      {
        collections: ['modis-43A4-061', 'modis-43A4-006'],
        telltale: { id: /^MCD43A4\.A\d{7}\.h\d{2}v\d{2}\./ },
      },
    ],
    refused: [
      {
        collection: /^modis-(?!43A4-)/,
        reason: 'Of the MODIS products only MCD43A4 (modis-43A4) is supported.',
      },
    ],
    bandSpellings: [
      { pattern: /(?:^|_)Nadir_Reflectance_Band([1-7])$/, band: 'B0$1' },
      { pattern: /(?:^|_)BRDF_Albedo_Band_Mandatory_Quality_Band([1-7])$/, band: 'B0$1qa' },
      { pattern: /(?:^|_)(B0[1-7](?:qa)?)$/, band: '$1' },
    ],
    describe: describeItem,
  },
};
