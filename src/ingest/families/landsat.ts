import { isSwathError } from '../../errors.ts';
import type { Band, QualityLayout, Sensor, ViewId } from '../../sensors/index.ts';
import { parseViewId } from '../../sensors/index.ts';
import { sourceBroken, unsupported } from '../errors.ts';
import type { Product } from '../folder/find-products.ts';
import type { StacItem } from '../stac/item.ts';
import { findInNames, thumbnailOf, timeOnDay, toCommonFacts, toText, toWhole } from '../stac/item.ts';
import type { BandScale, DescribeItem, Family, ItemTools, ProductTools, SceneFacts } from './family.ts';
import { DEFAULT_FACTS, toFields } from './family.ts';
import type { LandsatMetadata } from './landsat-mtl.ts';
import { parseLandsatMtl } from './landsat-mtl.ts';

/** What a folder or an item knows of a scene. */
interface LandsatScene
  extends Pick<SceneFacts, 'productId' | 'processed' | 'cloudPercent' | 'sunElevationDeg' | 'sunAzimuthDeg'> {
  /** The scene name of its view id. */
  readonly view: ViewId;
  readonly sceneId: string;
  /** The centre time of the recording; null if only the day is known. */
  readonly acquiredAt: string | null;
  readonly collection: QualityLayout | undefined;
  /** `OLI_TIRS`; null if unknown. */
  readonly instrument: string | null;
  readonly pathRow?: { readonly path: number | null; readonly row: number | null };
  readonly thumbnail?: string | null;
  /** Null without an MTL file. */
  readonly metadata: LandsatMetadata | null;
}

/** The facts of a scene, whatever source it is known from. */
function toLandsatFacts(scene: LandsatScene): SceneFacts {
  const { view, acquiredAt, collection, productId, cloudPercent, sunElevationDeg, sunAzimuthDeg } = scene;
  const { sensor, viewId, sceneName, parts, date } = view;
  const pathRow = parts.pathRow ?? `${parts.path}${parts.row}`;
  const isSurface = isSurfaceLevel(parts.level);
  const qualityBand = sensor.quality?.band;
  return {
    ...DEFAULT_FACTS,
    sensor,
    viewId,
    sceneId: scene.sceneId,
    productId,
    acquiredAt: acquiredAt ?? `${date}T00:00:00.000Z`,
    processed: scene.processed,
    cloudPercent,
    sunElevationDeg,
    sunAzimuthDeg,
    fields: toFields<'landsat8'>({
      productID: productId ?? sceneName,
      cloudCoverage: cloudPercent,
      sunElevation: sunElevationDeg,
      sunAzimuth: sunAzimuthDeg,
      storedInCollection: collection,
      path: scene.pathRow?.path ?? Number(pathRow.slice(0, 3)),
      row: scene.pathRow?.row ?? Number(pathRow.slice(3)),
      sensor: scene.instrument,
      satelliteName: sensor.title.replace(/^(Landsat) (\d).*$/, '$1-$2'),
      dayOrNight: sunElevationDeg === null ? null : sunElevationDeg > 0 ? 'day' : 'night',
      // Only the centre time is known.
      sceneStartTime: acquiredAt,
      sceneStopTime: acquiredAt,
      thumbnail: scene.thumbnail,
      onAmazon: true,
      onGoogle: false,
    }),
    earthSunDistanceAu: isSurface ? null : (scene.metadata?.earthSunDistanceAu ?? null),
    calibrationOf: ({ band, stated }) => {
      if (isSurface) return null;
      const known = scene.metadata?.bands[mtlKeyOf(band) ?? ''];
      if (known !== undefined) return known;
      // Items of level 1 scale to radiance, which the unit says.
      if (stated?.scale == null || !/^watt\/steradian/.test(stated.unit ?? '')) return null;
      return { radiance: { mult: stated.scale, add: stated.offset ?? 0 } };
    },
    cloudMask:
      qualityBand === undefined || collection === undefined
        ? null
        : { kind: 'quality', band: qualityBand, layout: collection },
  };
}

/** Whether a level is surface reflectance and temperature: `L2SP`. */
const isSurfaceLevel = (level: string | undefined): boolean => level?.startsWith('L2') === true;

/** The key of a band in MTL files, from a field name: `RADIANCE_MULT_BAND_6_VCID_1`. */
function mtlKeyOf({ calibration }: Band): string | null {
  const hasKeys = calibration.kind === 'reflectance' || calibration.kind === 'brightness-temperature';
  return hasKeys ? calibration.metadata.radianceMult.replace('RADIANCE_MULT_BAND_', '') : null;
}

/** The scale of all level-2 products; level 1 and quality bits have none. */
function surfaceScaleOf({ kind }: Band, { sensor, parts }: ViewId): BandScale {
  const rules = sensor.layouts
    .flatMap(({ calibration }) => calibration ?? [])
    .find(({ levels }) => levels.includes(parts.level ?? ''));
  const rule = kind === 'thermal' ? rules?.thermal : rules?.reflective;
  return rule?.kind !== 'scaled' || kind === 'quality'
    ? { scale: 1, offset: 0 }
    : { scale: rule.scale.mult, offset: rule.scale.add };
}

const PRODUCT_ID = /L[COTEM]0[1-9]_L[12][A-Z]{2}_\d{6}_\d{8}_\d{8}_0[12]_(?:T1|T2|RT)/;

/**
 * Describes an item of Collection 2. As with folders, a level-1 scene is named by its scene id and a level-2 scene by its
 * product id; catalogs shorten product ids in item ids, but not in file names.
 */
const describeItem: DescribeItem = async (item, sensors, tools) => {
  const { properties } = item;
  const productId = findInNames(item, PRODUCT_ID)?.[0] ?? null;
  const level = toText(properties['landsat:correction']) ?? productId?.split('_')[1];
  const isSurface = isSurfaceLevel(level);
  const sceneId = toText(properties['landsat:scene_id']);
  const name = isSurface ? productId : (sceneId ?? productId);
  if (name === null) throw sourceBroken('stac-incomplete', 'It has neither scene id nor product id.');
  const view = findView(sensors, name);
  const common = toCommonFacts(item);
  const processed = /_(\d{4})(\d{2})(\d{2})_0[12]_/.exec(productId ?? '');
  const facts = toLandsatFacts({
    ...common,
    view,
    sceneId: sceneId ?? name,
    productId,
    acquiredAt: timeOnDay(item, view.date),
    processed: `collection-2 ${processed?.slice(1, 4).join('-') ?? ''}`,
    collection: 'collection-2',
    instrument: instrumentOf(item),
    pathRow: { path: toWhole(properties['landsat:wrs_path']), row: toWhole(properties['landsat:wrs_row']) },
    thumbnail: thumbnailOf(item),
    metadata: isSurface ? null : await readMetadata(item, tools, name),
  });
  return {
    ...facts,
    stated: common.stated,
    // From the item, or the default of the level.
    scaleOf: ({ band, stated }) => {
      const byLevel = surfaceScaleOf(band, view);
      if (!isSurface || band.kind === 'quality') return byLevel;
      return { scale: stated?.scale ?? byLevel.scale, offset: stated?.offset ?? byLevel.offset };
    },
  };
};

/** Refuses Landsat 1 to 3 and invalid names. */
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
    throw unsupported('stac-collection', `Landsat ${satellite} is not supported.`);
  }
  throw sourceBroken('stac-bad-name', `${name} is not the name of a Landsat scene.`);
}

/** ["oli", "tirs"] is OLI_TIRS. */
function instrumentOf({ properties }: StacItem): string | null {
  const { instruments } = properties;
  const words = Array.isArray(instruments) ? instruments.filter((word) => typeof word === 'string') : [];
  const text = words.length > 0 ? words.join('_') : toText(properties['eo:instrument']);
  return text?.toUpperCase().replace('+', '') ?? null;
}

/** The MTL file, if it can be read: it has all constants, an item only some. That of another scene is an error. */
async function readMetadata(item: StacItem, { readText }: ItemTools, name: string) {
  const asset = ['json', 'txt', 'xml']
    .flatMap((form) => item.assets.find(({ key }) => key.toLowerCase() === `mtl.${form}`) ?? [])
    .at(0);
  const text = asset === undefined ? null : await readText(asset);
  const metadata = text === null ? null : parseLandsatMtl(text, 'MTL');
  if (metadata !== null && metadata.sceneId !== name && metadata.productId !== name) {
    throw sourceBroken('metadata-of-another', `Its MTL file belongs to ${metadata.sceneId}.`);
  }
  return metadata;
}

/** Describes a product by its MTL file, or by its name if it has none. */
async function describeProduct(product: Product, { readText }: ProductTools): Promise<SceneFacts> {
  const [file] = product.files.get('metadata') ?? [];
  if (file === undefined) return describeByName(product);
  const metadata = parseLandsatMtl(await readText(file), file.parts.at(-1) ?? '');
  if (product.id !== (metadata.productId ?? metadata.sceneId)) {
    throw sourceBroken(
      'metadata-of-another',
      `The metadata belong to ${metadata.productId ?? metadata.sceneId}, but the files to ${product.id}.`,
    );
  }
  return describeByMetadata(product, metadata);
}

/** A level-1 scene is named by its scene id, a level-2 scene by its product id: both can be in the catalog. */
const nameOf = ({ level, sceneId, productId }: LandsatMetadata): string =>
  isSurfaceLevel(level) ? (productId ?? sceneId) : sceneId;

function describeByMetadata({ sensor }: Product, metadata: LandsatMetadata): SceneFacts {
  const { sceneId, productId, collection, processedAt, surface } = metadata;
  const facts = toLandsatFacts({
    view: parseViewId(`${sensor.abbreviation}/${nameOf(metadata)}`),
    sceneId,
    productId,
    acquiredAt: metadata.acquiredAt,
    processed: [collection.replace('pre-collection', '-'), processedAt ?? ''].join(' '),
    cloudPercent: metadata.cloudPercent,
    sunElevationDeg: metadata.sunElevationDeg,
    sunAzimuthDeg: metadata.sunAzimuthDeg,
    collection,
    instrument: metadata.sensor,
    pathRow: metadata,
    metadata,
  });
  return {
    ...facts,
    isTilted: true,
    scaleOf: ({ band }) => {
      // Level 2 names thermal bands `ST_B10`, others by number.
      const scale = surface[`ST_${band.name}`] ?? surface[mtlKeyOf(band) ?? ''];
      return scale === undefined ? { scale: 1, offset: 0 } : { scale: scale.mult, offset: scale.add };
    },
  };
}

/** Path, row, day and processing from the name of a product, which has neither time nor clouds nor the sun. */
function describeByName({ sensor, layout, id }: Product): SceneFacts {
  const view = parseViewId(`${sensor.abbreviation}/${id}`);
  const facts = toLandsatFacts({
    view,
    sceneId: view.sceneName,
    productId: view.form === 'product-id' ? view.sceneName : null,
    acquiredAt: null,
    processed: view.parts.processed ?? '',
    cloudPercent: null,
    sunElevationDeg: null,
    sunAzimuthDeg: null,
    collection: layout.quality,
    instrument: null,
    metadata: null,
  });
  return { ...facts, isTilted: true, scaleOf: ({ band }) => surfaceScaleOf(band, view) };
}

/** Landsat 4 to 9: scenes of a path and a row, named by their scene id, or by their product id at level 2. */
export const landsat: Family = {
  name: 'landsat',
  describeProduct,
  items: {
    accepted: [
      {
        collections: ['landsat-c2-l1', 'landsat-c2-l2', 'landsat-c2l1', 'landsat-c2l2-sr'],
        telltale: { property: 'landsat:scene_id' },
      },
    ],
    refused: [
      {
        collection: /^landsat-c2l2(?:-st|alb-)/,
        reason:
          'It is one part of a product; ingest its scene from landsat-c2l2-sr, or from landsat-c2-l2 with both parts.',
      },
    ],
    bandSpellings: [
      // `SR_B4`, `OLI_B4`, `SR_B4.TIF`, `LE07_…_02_T1_B6_VCID_1`
      {
        pattern: /(?:^|_)(?:(?:SR|ST|OLI|TIRS|ETM|TM|MSS)_)?(B(?:[1-9]|1[01])(?:_VCID_[12])?)(?:\.TIF)?$/,
        band: '$1',
      },
      { pattern: /(?:^|_)qa_pixel(?:\.TIF)?$/i, band: 'BQA' },
    ],
    describe: describeItem,
  },
};
