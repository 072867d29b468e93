import { sourceBroken } from '../../../errors.ts';
import { formatViewId, parseViewId } from '../../../sensors/index.ts';
import { parseCbersXml } from '../../ingest/metadata/cbers-xml.ts';
import { toFields } from '../../ingest/scene/scene-facts.ts';
import type { BandCalibration } from '../../product-details.ts';
import { toText } from '../item/json.ts';
import type { Describe } from './item-facts.ts';
import { findInNames, NOTHING_SPECIAL, timeOnDay, toCommonFacts } from './item-facts.ts';
import { thumbnailOf } from './thumbnail.ts';

const MODIS_ID = /MCD43A4\.A(\d{7})\.h(\d{2})v(\d{2})\.\d{3}\.(\d{13})/;

/** Describes an item of MODIS; catalogs leave the time of production away from their ids, but not from file names. */
export const describeModis: Describe = async (item, { sensors }) => {
  const sensor = sensors[0]!;
  const [sceneId, yearDay, horizontal, vertical, produced] = findInNames(item, MODIS_ID) ?? [];
  if (sceneId === undefined) {
    throw sourceBroken(
      'stac-incomplete',
      'Neither its id nor its files have the name of an MCD43A4 product.',
    );
  }
  const viewId = formatViewId(sensor, {
    horizontal: horizontal!,
    vertical: vertical!,
    yearDay: yearDay!,
    produced: produced!,
  });
  const { date } = parseViewId(viewId);
  const common = toCommonFacts(item);
  // Clouds are masked as no data, so none are left.
  const cloudPercent = common.cloudPercent ?? 0;
  return {
    ...NOTHING_SPECIAL,
    ...common,
    cloudPercent,
    sensor,
    viewId,
    sceneId,
    acquiredAt: `${date}T00:00:00.000Z`,
    processed: produced!,
    fields: toFields(sensor, {
      satelliteName: 'MODIS',
      cloudCoverage: cloudPercent,
      BeginningDateTime: `${date}T00:00:00.000Z`,
      EndingDateTime: `${date}T23:59:59.000Z`,
      horizontalTileNumber: Number(horizontal),
      verticalTileNumber: Number(vertical),
      thumbnail: thumbnailOf(item),
      onAmazon: true,
    }),
    scaleOf: ({ band: { calibration } }) =>
      calibration.kind === 'scaled'
        ? { scale: calibration.scale.mult, offset: calibration.scale.add }
        : { scale: 1, offset: 0 },
  };
};

const NAIP_FILE = /(m_(\d{5})\d{2}_[a-z]{2}_\d{2}_(h|\d{1,3})_\d{8}(?:_\d{8})?)\.tif/;
/** Folders of Amazon's buckets, one of which adds `_cog` to a name. */
const NAIP_FOLDERS = /([a-z]{2})\/(\d{4})\/([0-9.]+c?m)\/(rgb|rgbir)(?:_cog)?\/\d{5}\/m_/;

/** Describes an item of NAIP by its file's folders, or by its state and year and the file's name. */
export const describeNaip: Describe = async (item, { sensors }) => {
  const sensor = sensors[0]!;
  const { properties, assets } = item;
  const [, scene, quad, resolution] = findInNames(item, NAIP_FILE) ?? [];
  const [, folderState, folderYear, folderResolution, folderSamples] = findInNames(item, NAIP_FOLDERS) ?? [];
  const state = folderState ?? toText(properties['naip:state'])?.toLowerCase();
  if (scene === undefined || state === undefined) {
    throw sourceBroken('stac-incomplete', 'It does not say which image of which state it is.');
  }
  const hasNir = assets.some(({ bands }) => bands.some(({ commonName }) => commonName === 'nir'));
  const parts = {
    state,
    year: folderYear ?? toText(properties['naip:year']) ?? scene.split('_')[5]!.slice(0, 4),
    resolution: folderResolution ?? toResolution(resolution!),
    samples: folderSamples ?? (hasNir ? 'rgbir' : 'rgb'),
    quad: quad!,
  };
  const viewId = formatViewId(sensor, { ...parts, scene });
  return {
    ...NOTHING_SPECIAL,
    ...toCommonFacts(item),
    sensor,
    viewId,
    sceneId: scene,
    acquiredAt: timeOnDay(item, parseViewId(viewId).date),
    fields: toFields(sensor, {
      satelliteName: 'NAIP',
      awsPath: Object.values(parts).join('/'),
      thumbnail: thumbnailOf(item),
      onAmazon: true,
    }),
  };
};

/** `1`, `060` and `h`: metres, centimetres, half a metre. */
function toResolution(text: string): string {
  if (text === 'h') return '50cm';
  return text.length === 1 ? `${text}m` : `${Number(text)}cm`;
}

/** Where a product lies in the bucket of CBERS-4, which clients put the bucket's name before. */
const CBERS_PATH =
  /CBERS4\/(?:MUX|AWFI|PAN10M|PAN5M)\/\d{3}\/\d{3}\/CBERS_4_[A-Z0-9]{3,6}_[\d_]{16}_L[234](?=\/)/;
const CBERS_ID = /CBERS_4_(?:MUX|AWFI|PAN10M|PAN5M)_\d{8}_\d{3}_\d{3}_L[234]/;

/** Describes an item of CBERS-4; gains stand in the XML of a band, which is read where it can be. */
export const describeCbers: Describe = async (item, { sensors }, { readText }) => {
  const name = findInNames(item, CBERS_ID)?.[0];
  const camera = name?.split('_')[2];
  const sensor = sensors.find(({ dataset }) => dataset === `cbers4${camera?.toLowerCase()}`);
  if (name === undefined || sensor === undefined) {
    throw sourceBroken('stac-incomplete', 'Neither its id nor its files have the name of a CBERS-4 product.');
  }
  const view = parseViewId(`${sensor.abbreviation}/${name}`);
  const common = toCommonFacts(item);
  const xml = item.assets.find(({ key, type }) => key === 'metadata' && type.endsWith('/xml'));
  const text = xml === undefined ? null : await readText(xml);
  const gains = text === null ? {} : parseCbersXml(text, 'metadata').gains;
  return {
    ...NOTHING_SPECIAL,
    ...common,
    sensor,
    viewId: view.viewId,
    sceneId: view.sceneName,
    acquiredAt: timeOnDay(item, view.date),
    fields: toFields(sensor, {
      satelliteName: 'CBERS-4',
      sensor: camera,
      processingLevel: Number(view.parts.level?.slice(1)),
      path: Number(view.parts.path),
      row: Number(view.parts.row),
      sunElevation: common.sunElevationDeg,
      sunAzimuth: common.sunAzimuthDeg,
      downloadUrl: findInNames(item, CBERS_PATH)?.[0],
      thumbnail: thumbnailOf(item),
      onAmazon: true,
    }),
    detailsOf: (bands) => {
      const known = Object.entries(gains).flatMap(([number, mult]): [string, BandCalibration][] =>
        bands.has(`BAND${number}`) ? [[`BAND${number}`, { radiance: { mult, add: 0 } }]] : [],
      );
      const calibration = { earthSunDistanceAu: null, bands: Object.fromEntries(known) };
      return { calibration: known.length === 0 ? null : calibration, cloudMask: null };
    },
  };
};
