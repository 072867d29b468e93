import { sourceBroken } from '../../../errors.ts';
import { formatViewId, parseViewId } from '../../../sensors/index.ts';
import type { BandCalibration } from '../../product-details.ts';
import type { Product } from '../find/product.ts';
import type { CbersMetadata } from '../metadata/cbers-xml.ts';
import { parseCbersXml } from '../metadata/cbers-xml.ts';
import { parseNaipMetadata } from '../metadata/naip-metadata.ts';
import type { ReadText } from '../product-files.ts';
import type { CountBands, SceneFacts } from './scene-facts.ts';
import { NOTHING_MORE, toFields } from './scene-facts.ts';

/** Describes a product of CBERS-4 by the XML of one of its bands, all alike; by its name when there is none. */
export async function describeCbers(product: Product, readText: ReadText): Promise<SceneFacts> {
  const { sensor, id, files, bands } = product;
  const view = parseViewId(`${sensor.abbreviation}/${id}`);
  const [file] = files.get('metadata') ?? [];
  const metadata = file === undefined ? null : parseCbersXml(await readText(file), file.parts.at(-1) ?? '');
  const gains = metadata === null ? [] : toGains(metadata).filter(([band]) => bands.has(band));
  return {
    ...NOTHING_MORE,
    isTilted: true,
    viewId: view.viewId,
    sceneId: view.sceneName,
    acquiredAt: metadata?.acquiredAt ?? `${view.date}T00:00:00.000Z`,
    processed: metadata?.processedAt ?? '',
    sunElevationDeg: metadata?.sunElevationDeg ?? null,
    sunAzimuthDeg: metadata?.sunAzimuthDeg ?? null,
    fields: toFields(sensor, {
      satelliteName: 'CBERS-4',
      sensor: view.parts.camera,
      processingLevel: Number(view.parts.level?.slice(1)),
      path: Number(view.parts.path),
      row: Number(view.parts.row),
      sunElevation: metadata?.sunElevationDeg,
      sunAzimuth: metadata?.sunAzimuthDeg,
      ...toBucketFields(product, view.parts),
      onAmazon: true,
    }),
    calibration: gains.length === 0 ? null : { earthSunDistanceAu: null, bands: Object.fromEntries(gains) },
    stated: metadata?.corners
      ? { area: { type: 'Polygon', coordinates: [[...metadata.corners, metadata.corners[0]!]] }, epsg: 4326 }
      : null,
  };
}

/**
 * Where a product lies in the provider's bucket, told by the same folders here: a path that clients put the bucket's name
 * before, and the picture in the bucket beside it that everybody may read.
 */
function toBucketFields(
  { folder, id }: Product,
  { camera, path, row }: Readonly<Record<string, string>>,
): Record<string, string> {
  const place = `CBERS4/${camera}/${path}/${row}/${id}`;
  if (folder.slice(-5).join('/') !== place) return {};
  const picture = `${id?.replace(/_L\d$/, '')}_small.jpeg`;
  return {
    downloadUrl: place,
    thumbnail: `https://s3.amazonaws.com/cbers-meta-pds/${place}/${picture}`,
  };
}

const toGains = ({ gains }: CbersMetadata): [string, BandCalibration][] =>
  Object.entries(gains).map(([band, mult]) => [`BAND${band}`, { radiance: { mult, add: 0 } }]);

const MODIS_ID = /^MCD43A4\.A(\d{7})\.h(\d{2})v(\d{2})\.\d{3}\.(\d{13})$/;

/** Describes a MODIS product by its name: there is nothing else. The day is the middle of the sixteen it is made of. */
export async function describeModis({ sensor, id }: Product): Promise<SceneFacts> {
  const [, yearDay = '', horizontal = '', vertical = '', produced = ''] = MODIS_ID.exec(id ?? '') ?? [];
  const viewId = formatViewId(sensor, { horizontal, vertical, yearDay, produced });
  const { date } = parseViewId(viewId);
  return {
    ...NOTHING_MORE,
    viewId,
    sceneId: id ?? '',
    acquiredAt: `${date}T00:00:00.000Z`,
    processed: produced,
    // Clouds are masked as no data, so none are left.
    cloudPercent: 0,
    fields: toFields(sensor, {
      satelliteName: 'MODIS',
      cloudCoverage: 0,
      BeginningDateTime: `${date}T00:00:00.000Z`,
      EndingDateTime: `${date}T23:59:59.000Z`,
      horizontalTileNumber: Number(horizontal),
      verticalTileNumber: Number(vertical),
      onAmazon: true,
    }),
    scaleOf: ({ calibration }) =>
      calibration.kind === 'scaled'
        ? { scale: calibration.scale.mult, offset: calibration.scale.add }
        : { scale: 1, offset: 0 },
  };
}

const NAIP_ID = /^m_(\d{5})\d{2}_[a-z]{2}_\d{2}_(h|\d{1,3})_(\d{4})(\d{2})(\d{2})/;

/** Describes a NAIP image by the folders it lies in, as in the bucket, or by its name and metadata. */
export async function describeNaip(
  product: Product,
  { readText, countBands }: { readonly readText: ReadText; readonly countBands: CountBands },
): Promise<SceneFacts> {
  const { sensor, id, folder, bands } = product;
  const [, quad = '', resolution = '', year = '', month, day] = NAIP_ID.exec(id ?? '') ?? [];
  const [state, folderYear, folderResolution, samples, folderQuad] = folder.slice(-5);
  const isBucket = folderQuad === quad && /^[a-z]{2}$/.test(state ?? '') && /^rgb(ir)?$/.test(samples ?? '');
  const parts = isBucket
    ? { state, year: folderYear, resolution: folderResolution, samples }
    : {
        state: await readState(product, readText),
        year,
        resolution: toResolution(resolution),
        samples: (await countBands(bands.get('R')!.file)) > 3 ? 'rgbir' : 'rgb',
      };
  const all = { ...parts, quad, scene: id } as Record<string, string>;
  return {
    ...NOTHING_MORE,
    viewId: formatViewId(sensor, all),
    sceneId: id ?? '',
    acquiredAt: `${year}-${month}-${day}T00:00:00.000Z`,
    fields: toFields(sensor, {
      satelliteName: 'NAIP',
      awsPath: ['state', 'year', 'resolution', 'samples', 'quad'].map((name) => all[name]).join('/'),
      onAmazon: true,
    }),
  };
}

/** `1`, `060` and `h`: metres, centimetres, half a metre. */
function toResolution(text: string): string {
  if (text === 'h') return '50cm';
  return text.length === 1 ? `${text}m` : `${Number(text)}cm`;
}

async function readState({ files, id }: Product, readText: ReadText): Promise<string> {
  const [file] = files.get('metadata') ?? [];
  const state =
    file === undefined ? null : parseNaipMetadata(await readText(file), file.parts.at(-1) ?? '').state;
  if (state === null) {
    throw sourceBroken(
      'state-unknown',
      `The state that ${id} was flown over is not known: neither its folders nor metadata beside it say it.`,
    );
  }
  return state;
}
