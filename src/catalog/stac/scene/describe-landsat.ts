import { isSwathError, sourceBroken, unsupported } from '../../../errors.ts';
import type { Band, Sensor, ViewId } from '../../../sensors/index.ts';
import { parseViewId } from '../../../sensors/index.ts';
import type { LandsatMetadata } from '../../families/landsat/mtl.ts';
import { parseLandsatMtl } from '../../families/landsat/mtl.ts';
import { toDayOrNight, toFields } from '../../families/scene-facts.ts';
import type { StacItem } from '../../item/item.ts';
import { toText, toWhole } from '../../item/json.ts';
import { thumbnailOf } from '../../item/thumbnail.ts';
import type { BandCalibration } from '../../product-details.ts';
import type { Describe, DescribeTools, ItemFacts } from './item-facts.ts';
import { findInNames, NOTHING_SPECIAL, timeOnDay, toCommonFacts } from './item-facts.ts';
import type { BandAsset } from './match-bands.ts';

const PRODUCT_ID = /L[COTEM]0[1-9]_L[12][A-Z]{2}_\d{6}_\d{8}_\d{8}_0[12]_(?:T1|T2|RT)/;

/**
 * Describes an item of Landsat Collection 2. As with folders, a scene goes by its scene id, and its surface reflectance,
 * which is another picture of it, by its product id; catalogs shorten that in their ids, but not in file names.
 */
export const describeLandsat: Describe = async (item, { sensors }, tools) => {
  const { properties } = item;
  const productId = findInNames(item, PRODUCT_ID)?.[0] ?? null;
  const level = toText(properties['landsat:correction']) ?? productId?.split('_')[1] ?? '';
  const isSurface = level.startsWith('L2');
  const sceneId = toText(properties['landsat:scene_id']);
  const name = isSurface ? productId : (sceneId ?? productId);
  if (name === null) throw sourceBroken('stac-incomplete', 'It has neither scene id nor product id.');
  const view = findView(sensors, name);
  const { sensor, parts } = view;
  const metadata = isSurface ? null : await readMetadata(item, tools, name);
  const common = toCommonFacts(item);
  const acquiredAt = timeOnDay(item, view.date);
  const both = parts.pathRow ?? `${parts.path}${parts.row}`;
  const processed = /_(\d{4})(\d{2})(\d{2})_0[12]_/.exec(productId ?? '');
  return {
    ...NOTHING_SPECIAL,
    ...common,
    sensor,
    viewId: view.viewId,
    sceneId: sceneId ?? name,
    productId,
    acquiredAt,
    processed: `collection-2 ${processed?.slice(1, 4).join('-') ?? ''}`,
    fields: toFields(sensor, {
      productID: productId ?? name,
      cloudCoverage: common.cloudPercent,
      sunElevation: common.sunElevationDeg,
      sunAzimuth: common.sunAzimuthDeg,
      storedInCollection: 'collection-2',
      path: toWhole(properties['landsat:wrs_path']) ?? Number(both.slice(0, 3)),
      row: toWhole(properties['landsat:wrs_row']) ?? Number(both.slice(3)),
      sensor: instrumentOf(item),
      satelliteName: sensor.title.replace(/^(Landsat) (\d).*$/, '$1-$2'),
      dayOrNight: toDayOrNight(common.sunElevationDeg),
      sceneStartTime: acquiredAt,
      sceneStopTime: acquiredAt,
      thumbnail: thumbnailOf(item),
      onAmazon: true,
      onGoogle: false,
    }),
    scaleOf: (found) => (isSurface ? toSurfaceScale(found, sensor) : { scale: 1, offset: 0 }),
    detailsOf: (bands) => toDetails(bands, { sensor, isSurface, metadata }),
  };
};

/** Landsat 1 to 3 and names that are none end here. */
function findView(sensors: readonly Sensor[], name: string): ViewId {
  for (const { abbreviation } of sensors) {
    try {
      return parseViewId(`${abbreviation}/${name}`);
    } catch (error) {
      if (!isSwathError(error) || error.tag !== 'not-found') throw error;
    }
  }
  const satellite = /^L[COTEM]0?([1-9])/.exec(name)?.[1];
  if (satellite !== undefined && Number(satellite) <= 3) {
    throw unsupported('stac-collection', `Landsat ${satellite} is no dataset here.`);
  }
  throw sourceBroken('stac-bad-name', `${name} is no name of a Landsat scene.`);
}

/** ["oli", "tirs"] is OLI_TIRS. */
function instrumentOf({ properties }: StacItem): string | null {
  const { instruments } = properties;
  const words = Array.isArray(instruments) ? instruments.filter((word) => typeof word === 'string') : [];
  const text = words.length > 0 ? words.join('_') : toText(properties['eo:instrument']);
  return text?.toUpperCase().replace('+', '') ?? null;
}

/** The MTL file, where it can be read: it has all constants, an item only some. One of another scene is an error. */
async function readMetadata(item: StacItem, { readText }: DescribeTools, name: string) {
  const asset = ['json', 'txt', 'xml']
    .flatMap((form) => item.assets.find(({ key }) => key.toLowerCase() === `mtl.${form}`) ?? [])
    .at(0);
  const text = asset === undefined ? null : await readText(asset);
  const metadata = text === null ? null : parseLandsatMtl(text, 'MTL');
  if (metadata !== null && metadata.sceneId !== name && metadata.productId !== name) {
    throw sourceBroken('metadata-of-another', `Its MTL file is that of ${metadata.sceneId}.`);
  }
  return metadata;
}

/** As the item states it, else as all products of the level are scaled. */
function toSurfaceScale({ band, stated }: BandAsset, { layouts }: Sensor) {
  if (band.kind === 'quality') return { scale: 1, offset: 0 };
  const rules = layouts.find(({ calibration }) => calibration !== undefined)?.calibration;
  const rule = band.kind === 'thermal' ? rules?.thermal : rules?.reflective;
  const usual = rule?.kind === 'scaled' ? rule.scale : { mult: 1, add: 0 };
  return { scale: stated?.scale ?? usual.mult, offset: stated?.offset ?? usual.add };
}

interface Levels {
  readonly sensor: Sensor;
  readonly isSurface: boolean;
  readonly metadata: LandsatMetadata | null;
}

function toDetails(
  bands: ReadonlyMap<string, BandAsset>,
  { sensor, isSurface, metadata }: Levels,
): ReturnType<ItemFacts['detailsOf']> {
  const quality = sensor.quality?.band ?? '';
  const constants = [...bands].flatMap(([name, found]): [string, BandCalibration][] => {
    const known = metadata?.bands[keyOf(found.band) ?? ''] ?? fromItem(found);
    return isSurface || known == null ? [] : [[name, known]];
  });
  return {
    calibration:
      constants.length === 0
        ? null
        : {
            earthSunDistanceAu: metadata?.earthSunDistanceAu ?? null,
            bands: Object.fromEntries(constants),
          },
    cloudMask: bands.has(quality) ? { kind: 'quality', band: quality, layout: 'collection-2' } : null,
  };
}

/** Items of Level 1 scale to radiance, and say so by the unit. */
function fromItem({ stated }: BandAsset): BandCalibration | null {
  if (stated?.scale == null || !/^watt\/steradian/.test(stated.unit ?? '')) return null;
  return { radiance: { mult: stated.scale, add: stated.offset ?? 0 } };
}

/** The key of a band in MTL files: `6_VCID_1`. */
function keyOf({ calibration }: Band): string | null {
  const hasKeys = calibration.kind === 'reflectance' || calibration.kind === 'brightness-temperature';
  return hasKeys ? calibration.metadata.radianceMult.replace('RADIANCE_MULT_BAND_', '') : null;
}
