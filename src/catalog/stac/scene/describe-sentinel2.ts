import { sourceBroken } from '../../../errors.ts';
import { toFields, toHundredths } from '../../families/scene-facts.ts';
import type { Recording } from '../../families/sentinel2/name-recording.ts';
import { nameSentinel2, toTilePath } from '../../families/sentinel2/name-recording.ts';
import type { StacItem } from '../../item/item.ts';
import { toNumber, toText, toTime, toWhole } from '../../item/json.ts';
import { thumbnailOf } from '../../item/thumbnail.ts';
import type { Describe } from './item-facts.ts';
import { findInNames, NOTHING_SPECIAL, toCommonFacts, toItemTime } from './item-facts.ts';
import type { BandAsset } from './match-bands.ts';

/** Describes an item of Sentinel-2: a tile of the 100 km grid, taken on a day. */
export const describeSentinel2: Describe = async (item, { sensors }, { findScene }) => {
  const sensor = sensors[0]!;
  const { properties } = item;
  const acquiredAt = toItemTime(item);
  const tile = findTile(item);
  if (acquiredAt === null || tile === null) {
    throw sourceBroken('stac-incomplete', 'It says neither by field nor by name which tile it is, and when.');
  }
  const mission = findInNames(item, /S2[A-D](?=_)/)?.[0] ?? 'S2';
  const datastripId = toText(properties['s2:datastrip_id']);
  const { viewId, sceneId } = await nameSentinel2(
    { sensor, mission, tile, acquiredAt, datastripId, given: toGiven(item) },
    findScene,
  );
  const common = toCommonFacts(item);
  const uri = toText(properties['s2:product_uri']) ?? toText(properties['sentinel:product_id']);
  const productId = uri?.replace(/\.SAFE$/, '') ?? null;
  const nodata = toNumber(properties['s2:nodata_pixel_percentage'], [0, 100]);
  const covered = toNumber(properties['sentinel:data_coverage'], [0, 100]);
  const coveragePercent = nodata === null ? covered : toHundredths(100 - nodata);
  const { sunElevationDeg, sunAzimuthDeg, cloudPercent } = common;
  const awsPath = findInNames(item, /tiles\/\d{1,2}\/[C-X]\/[A-Z]{2}\/\d{4}\/\d{1,2}\/\d{1,2}\/\d{1,2}/)?.[0];
  return {
    ...NOTHING_SPECIAL,
    ...common,
    sensor,
    viewId,
    sceneId,
    productId,
    acquiredAt,
    processed: `${baselineOf(item)} ${toTime(properties['s2:generation_time']) ?? ''}`,
    coveragePercent,
    fields: toFields(sensor, {
      timestamp: acquiredAt,
      cloudCoverage: toHundredths(cloudPercent),
      dataCoveragePercentage: coveragePercent,
      sunElevation: toHundredths(sunElevationDeg),
      zenithAngle: sunElevationDeg === null ? null : toHundredths(90 - sunElevationDeg),
      azimuthAngle: toHundredths(sunAzimuthDeg),
      utmZone: Number(tile[0]),
      latitudeBand: tile[1],
      gridSquare: tile[2],
      satelliteName: mission.replace('S2', 'Sentinel-2'),
      productName: productId,
      originalSceneID: datastripId,
      awsPath,
      awsPathL2A: sensor.dataset === 'sentinel2l2a' ? (awsPath ?? toTilePath(viewId)) : undefined,
      processedL2A: sensor.dataset === 'sentinel2l2a',
      thumbnail: thumbnailOf(item),
      onAmazon: true,
    }),
    scaleOf: (found) => toScale(found, item),
    detailsOf: (bands) => ({
      calibration: null,
      cloudMask: bands.has('SCL') ? { kind: 'classes', band: 'SCL' } : null,
    }),
  };
};

/** By the grid and MGRS extensions, the words of older items, or names: `T35MNM`, `S2A_29RKH_`. */
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

/** The day and the number of a recording within it, as an id says it (`S2A_29RKH_20200219_0_L2A`). */
function toGiven({ id }: StacItem): Recording['given'] {
  const [, year, month, day, sequence] =
    /^S2[A-D]_\d{1,2}[C-X][A-Z]{2}_(\d{4})(\d{2})(\d{2})_(\d{1,2})_L[12][AC]$/.exec(id) ?? [];
  return sequence === undefined ? null : { day: [year!, month!, day!], sequence: Number(sequence) };
}

/** `s2:processing_baseline`, or `N0400` of the product's name; the oldest names have none. */
function baselineOf(item: StacItem): string {
  const { properties } = item;
  const stated = toText(properties['s2:processing_baseline']) ?? toText(properties['processing:version']);
  if (stated !== null && /^\d{2}\.\d{2}$/.test(stated)) return stated;
  const uri = toText(properties['s2:product_uri']) ?? toText(properties['sentinel:product_id']) ?? item.id;
  const [, major, minor] = /_N(\d{2})(\d{2})_/.exec(uri) ?? [];
  return major === undefined ? '00.00' : `${major}.${minor}`;
}

/**
 * Reflectance = stored * scale + offset. Earth Search has taken the offset of newer baselines off the pixels of its own
 * TIFFs and says so, whatever else it states; where nothing is stated, the baseline tells.
 */
function toScale({ band, asset, stated }: BandAsset, item: StacItem): { scale: number; offset: number } {
  const rule = band.calibration;
  if (rule.kind !== 'quantified') return { scale: 1, offset: 0 };
  const scale = stated?.scale ?? 1 / rule.quantification;
  const { properties } = item;
  const applied = properties['earthsearch:boa_offset_applied'] ?? properties['sentinel:boa_offset_applied'];
  if (applied === true && asset.type !== 'image/jp2') return { scale, offset: 0 };
  const baseline = baselineOf(item);
  const usual = rule.offsets.findLast(({ fromBaseline }) => fromBaseline <= baseline)?.offset ?? 0;
  // "Not applied" and "none to apply" cannot both be true of a baseline that has one.
  const isStated = stated?.offset != null && !(applied === false && stated.offset === 0);
  return { scale, offset: isStated ? stated.offset : usual / rule.quantification };
}
