import { sourceBroken } from '../../errors.ts';
import type { FieldsOf, Sensor } from '../../sensors/index.ts';
import { formatViewId, parseViewId } from '../../sensors/index.ts';
import { findInNames, toCommonFacts } from '../item/item-facts.ts';
import { thumbnailOf } from '../item/thumbnail.ts';
import type { DescribeItem, Family } from './family.ts';
import type { SceneFacts } from './scene-facts.ts';
import { NOTHING_MORE, scaleByRule, toFields } from './scene-facts.ts';

const NAME = /MCD43A4\.A(\d{7})\.h(\d{2})v(\d{2})\.\d{3}\.(\d{13})/;

interface Tile {
  readonly sensor: Sensor;
  /** `MCD43A4.A2017204.h12v04.006.2017213034223`. */
  readonly name: string;
  /** Clouds are masked as no data, so none are left unless an item says so. */
  readonly cloudPercent?: number;
  readonly thumbnail?: string | null;
}

/** A tile by its name: there is nothing else. The day is the middle of the sixteen it is made of. */
function toFacts({ sensor, name, cloudPercent = 0, thumbnail }: Tile): SceneFacts {
  const [, yearDay = '', horizontal = '', vertical = '', produced = ''] = NAME.exec(name) ?? [];
  const viewId = formatViewId(sensor, { horizontal, vertical, yearDay, produced });
  const { date } = parseViewId(viewId);
  const fields: FieldsOf<'modis'> = {
    satelliteName: 'MODIS',
    cloudCoverage: cloudPercent,
    BeginningDateTime: `${date}T00:00:00.000Z`,
    EndingDateTime: `${date}T23:59:59.000Z`,
    horizontalTileNumber: Number(horizontal),
    verticalTileNumber: Number(vertical),
    thumbnail,
    onAmazon: true,
  };
  return {
    ...NOTHING_MORE,
    sensor,
    viewId,
    sceneId: name,
    acquiredAt: `${date}T00:00:00.000Z`,
    processed: produced,
    cloudPercent,
    fields: toFields(fields),
    scaleOf: scaleByRule,
  };
}

/** Catalogs leave the time of production away from the ids of items, but not from file names. */
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

/** MODIS MCD43A4, of tiles that go by their names. */
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
        reason: 'Of the MODIS products only MCD43A4 (modis-43A4) is a dataset here.',
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
