import { sourceBroken } from '../../../errors.ts';
import type { StacItem } from '../../item/item.ts';
import { findInNames, toCommonFacts, toItemTime } from '../../item/item-facts.ts';
import { toNumber, toText, toTime, toWhole } from '../../item/json.ts';
import { thumbnailOf } from '../../item/thumbnail.ts';
import type { DescribeItem } from '../family.ts';
import type { BandScale, BandSource } from '../scene-facts.ts';
import { toHundredths } from '../scene-facts.ts';
import type { Recording } from './name-recording.ts';
import { baselineInName, toRecordingFacts } from './recording-facts.ts';

const BUCKET_PATH = /tiles\/\d{1,2}\/[C-X]\/[A-Z]{2}\/\d{4}\/\d{1,2}\/\d{1,2}\/\d{1,2}/;

/** Describes an item: a tile of the 100 km grid on a day. */
export const describeItem: DescribeItem = async (item, [sensor], { findScene }) => {
  const { properties } = item;
  const acquiredAt = toItemTime(item);
  const tile = findTile(item);
  if (acquiredAt === null || tile === null) {
    throw sourceBroken('stac-incomplete', 'Neither its fields nor its names give its tile and time.');
  }
  const common = toCommonFacts(item);
  const { sunElevationDeg, sunAzimuthDeg } = common;
  const nodata = toNumber(properties['s2:nodata_pixel_percentage'], [0, 100]);
  const covered = toNumber(properties['sentinel:data_coverage'], [0, 100]);
  const facts = await toRecordingFacts(
    {
      ...common,
      sensor,
      mission: findInNames(item, /S2[A-D](?=_)/)?.[0] ?? 'S2',
      tile,
      acquiredAt,
      datastripId: toText(properties['s2:datastrip_id']),
      given: toGiven(item),
      productName: productUriOf(item)?.replace(/\.SAFE$/, '') ?? null,
      processed: `${baselineOf(item)} ${toTime(properties['s2:generation_time']) ?? ''}`,
      coveragePercent: nodata === null ? covered : toHundredths(100 - nodata),
      awsPath: findInNames(item, BUCKET_PATH)?.[0],
      more: {
        // Items give angles with all digits of the computation.
        sunElevation: toHundredths(sunElevationDeg),
        zenithAngle: sunElevationDeg === null ? null : toHundredths(90 - sunElevationDeg),
        azimuthAngle: toHundredths(sunAzimuthDeg),
        thumbnail: thumbnailOf(item),
      },
    },
    findScene,
  );
  return { ...facts, stated: common.stated, scaleOf: (source) => toScale(source, item) };
};

const productUriOf = ({ properties }: StacItem): string | null =>
  toText(properties['s2:product_uri']) ?? toText(properties['sentinel:product_id']);

/** By the grid and MGRS extensions, the fields of older items, or names: `T35MNM`, `S2A_29RKH_`. */
function findTile(item: StacItem): Recording['tile'] | null {
  const { properties } = item;
  const parts = ['mgrs', 'sentinel'].map((prefix) => [
    toWhole(properties[`${prefix}:utm_zone`]),
    toText(properties[`${prefix}:latitude_band`]),
    toText(properties[`${prefix}:grid_square`]),
  ]);
  const written = parts.find((words) => words.every((word) => word !== null))?.join('');
  const texts = [
    written,
    toText(properties['grid:code'])?.replace(/^MGRS-/, ''),
    toText(properties['s2:mgrs_tile']),
    findInNames(item, /(?<=_T|^S2[A-D]_)\d{1,2}[C-X][A-Z]{2}(?=_)/)?.[0],
  ];
  for (const text of texts) {
    const [, zone, band, square] = /^0?(\d{1,2})([C-X])([A-Z]{2})$/.exec(text ?? '') ?? [];
    if (zone !== undefined) return [zone, band!, square!];
  }
  return null;
}

/** The day and the number of a recording within it, from an id (`S2A_29RKH_20200219_0_L2A`). */
function toGiven({ id }: StacItem): Recording['given'] {
  const [, year, month, day, sequence] =
    /^S2[A-D]_\d{1,2}[C-X][A-Z]{2}_(\d{4})(\d{2})(\d{2})_(\d{1,2})_L[12][AC]$/.exec(id) ?? [];
  return sequence === undefined ? null : { day: [year!, month!, day!], sequence: Number(sequence) };
}

function baselineOf(item: StacItem): string {
  const { properties } = item;
  const stated = toText(properties['s2:processing_baseline']) ?? toText(properties['processing:version']);
  if (stated !== null && /^\d{2}\.\d{2}$/.test(stated)) return stated;
  return baselineInName(productUriOf(item) ?? item.id);
}

/**
 * Reflectance = stored * scale + offset. Earth Search has removed the offset of newer baselines from the pixels of its
 * TIFFs, and its flag counts more than its other fields; without any field the baseline decides.
 */
function toScale({ band, asset, stated }: BandSource, item: StacItem): BandScale {
  const rule = band.calibration;
  if (rule.kind !== 'quantified') return { scale: 1, offset: 0 };
  const scale = stated?.scale ?? 1 / rule.quantification;
  const { properties } = item;
  const applied = properties['earthsearch:boa_offset_applied'] ?? properties['sentinel:boa_offset_applied'];
  if (applied === true && asset?.type !== 'image/jp2') return { scale, offset: 0 };
  const baseline = baselineOf(item);
  const byBaseline = rule.offsets.findLast(({ fromBaseline }) => fromBaseline <= baseline)?.offset ?? 0;
  // A baseline with an offset cannot be both "not applied" and 0.
  const isStated = stated?.offset != null && !(applied === false && stated.offset === 0);
  return { scale, offset: isStated ? stated.offset : byBaseline / rule.quantification };
}
