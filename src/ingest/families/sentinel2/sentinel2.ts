import type { CloudMask, NewScene } from '../../../catalog/index.ts';
import type { AreaGeometry } from '../../../geo/index.ts';
import { geometryBounds } from '../../../geo/index.ts';
import type { Band, FieldsOf } from '../../../sensors/index.ts';
import { findBand } from '../../../sensors/index.ts';
import { sourceBroken } from '../../errors.ts';
import type { Product } from '../../folder/find-products.ts';
import type { Placement, ReadText } from '../../read-files.ts';
import type { StacItem } from '../../stac/item.ts';
import {
  findInNames,
  thumbnailOf,
  toCommonFacts,
  toItemTime,
  toNumber,
  toText,
  toTime,
  toWhole,
} from '../../stac/item.ts';
import type { BandScale, BandSource, DescribeItem, Family, ProductTools, SceneFacts } from '../family.ts';
import { toHundredths } from '../family.ts';
import type { Sentinel2Granule, Sentinel2Product, Sentinel2StacItem, Sentinel2TileInfo } from './metadata.ts';
import {
  parseSentinel2Granule,
  parseSentinel2Product,
  parseSentinel2StacItem,
  parseSentinel2TileInfo,
} from './metadata.ts';
import type { Recording } from './recording.ts';
import { baselineInName, SAME_RECORDING_MS, toBandScale, toRecordingFacts } from './recording.ts';

const BUCKET_PATH = /tiles\/\d{1,2}\/[C-X]\/[A-Z]{2}\/\d{4}\/\d{1,2}\/\d{1,2}\/\d{1,2}/;

/** Describes an item: a tile of the 100 km grid on a day. */
const describeItem: DescribeItem = async (item, [sensor], { findScene }) => {
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
      given: givenByItem(item),
      productName: productUriOf(item)?.replace(/\.SAFE$/, '') ?? null,
      processed: `${baselineOfItem(item)} ${toTime(properties['s2:generation_time']) ?? ''}`,
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
  return { ...facts, stated: common.stated, scaleOf: (source) => scaleByItem(source, item) };
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
function givenByItem({ id }: StacItem): Recording['given'] {
  const [, year, month, day, sequence] =
    /^S2[A-D]_\d{1,2}[C-X][A-Z]{2}_(\d{4})(\d{2})(\d{2})_(\d{1,2})_L[12][AC]$/.exec(id) ?? [];
  return sequence === undefined ? null : { day: [year!, month!, day!], sequence: Number(sequence) };
}

function baselineOfItem(item: StacItem): string {
  const { properties } = item;
  const stated = toText(properties['s2:processing_baseline']) ?? toText(properties['processing:version']);
  if (stated !== null && /^\d{2}\.\d{2}$/.test(stated)) return stated;
  return baselineInName(productUriOf(item) ?? item.id);
}

/**
 * Reflectance = stored * scale + offset. Earth Search has removed the offset of newer baselines from the pixels of its
 * TIFFs, and its flag counts more than its other fields; without any field the baseline decides.
 */
function scaleByItem({ band, asset, stated }: BandSource, item: StacItem): BandScale {
  const rule = band.calibration;
  if (rule.kind !== 'quantified') return { scale: 1, offset: 0 };
  const scale = stated?.scale ?? 1 / rule.quantification;
  const { properties } = item;
  const applied = properties['earthsearch:boa_offset_applied'] ?? properties['sentinel:boa_offset_applied'];
  if (applied === true && asset?.type !== 'image/jp2') return { scale, offset: 0 };
  const baseline = baselineOfItem(item);
  const byBaseline = rule.offsets.findLast(({ fromBaseline }) => fromBaseline <= baseline)?.offset ?? 0;
  // A baseline with an offset cannot be both "not applied" and 0.
  const isStated = stated?.offset != null && !(applied === false && stated.offset === 0);
  return { scale, offset: isStated ? stated.offset : byBaseline / rule.quantification };
}

/** The metadata files that a product has. */
interface Texts {
  readonly tile: Sentinel2TileInfo | null;
  readonly granule: Sentinel2Granule | null;
  readonly product: Sentinel2Product | null;
  readonly item: Sentinel2StacItem | null;
}

/** Describes a product, L1C or L2A, of the buckets, of SAFE folders or of COG collections. */
async function describeProduct(product: Product, tools: ProductTools): Promise<SceneFacts> {
  const texts = await readTexts(product, tools.readText);
  const { tile, granule, product: whole, item } = texts;
  const acquiredAt = granule?.acquiredAt ?? tile?.acquiredAt ?? item?.acquiredAt;
  const productName = toProductName(product, texts);
  if (acquiredAt === undefined) {
    throw sourceBroken('metadata-missing', 'The metadata of the tile are missing.');
  }
  const nodataPercent = granule?.nodataPercent ?? item?.nodataPercent ?? null;
  const facts = await toRecordingFacts(
    {
      sensor: product.sensor,
      mission: /^S2[A-D]/.exec(productName ?? item?.id ?? granule?.tileId ?? '')?.[0] ?? 'S2',
      tile: toTile(texts),
      acquiredAt,
      datastripId: granule?.datastripId ?? tile?.datastripId ?? item?.datastripId ?? null,
      given: givenByTexts(texts),
      productName,
      processed: `${baselineOfTexts(texts)} ${whole?.generatedAt ?? item?.generatedAt ?? createdOf(productName)}`,
      cloudPercent:
        granule?.cloudPercent ?? whole?.cloudPercent ?? item?.cloudPercent ?? tile?.cloudPercent ?? null,
      sunElevationDeg: granule?.sunElevationDeg ?? item?.sunElevationDeg ?? null,
      sunAzimuthDeg: granule?.sunAzimuthDeg ?? item?.sunAzimuthDeg ?? null,
      coveragePercent:
        tile?.coveragePercent ?? (nodataPercent === null ? null : toHundredths(100 - nodataPercent)),
      awsPath: tile?.path,
      more: {
        productPath: tile?.productPath,
        archivingTime: granule?.archivedAt?.slice(0, 10),
        ...toBucketFields(product, texts),
      },
    },
    tools.findScene,
  );
  return {
    ...facts,
    cloudMask: toCloudMask(product, texts, tools.toHref) ?? facts.cloudMask,
    cloudImage: product.files.get('cloud-image')?.[0] ?? null,
    stated: toStated(texts),
    // A product of many tiles has one outline for all; the edge of the swath is found in the images.
    isTilted: product.id !== null,
    scaleOf: ({ band }) => scaleByTexts(band, product, texts),
    placementOf: () => toPlacement(texts),
  };
}

/** The thumbnail, and fields that follow from the paths of tile and product in the bucket, which `tileInfo.json` has. */
function toBucketFields({ sensor }: Product, { tile, item }: Texts): FieldsOf<'sentinel2'> {
  if (tile === null) return { thumbnail: item?.thumbnail };
  const isL2A = sensor.dataset === 'sentinel2l2a';
  const bucket = `http://sentinel-s2-${isL2A ? 'l2a' : 'l1c'}.s3.amazonaws.com`;
  return {
    thumbnail: isL2A ? item?.thumbnail : `${bucket}/${tile.path}/preview.jpg`,
    originalTileMeta: `${bucket}/${tile.path}/tileInfo.json`,
    productMetaLink: tile.productPath === null ? null : `${bucket}/${tile.productPath}/metadata.xml`,
    offsetXmlKey: '',
  };
}

async function readTexts({ files }: Product, readText: ReadText): Promise<Texts> {
  const read = async <T>(
    role: 'tile-metadata' | 'metadata' | 'product-metadata' | 'stac-item',
    parse: (text: string, what: string) => T,
  ): Promise<T | null> => {
    const [file] = files.get(role) ?? [];
    const name = file?.parts.at(-1) ?? '';
    // The bucket's productInfo.json adds nothing to the tile's file.
    return file === undefined || name === 'productInfo.json' ? null : parse(await readText(file), name);
  };
  return {
    tile: await read('tile-metadata', parseSentinel2TileInfo),
    granule: await read('metadata', parseSentinel2Granule),
    product: await read('product-metadata', parseSentinel2Product),
    item: await read('stac-item', parseSentinel2StacItem),
  };
}

/** The square of the grid, from its own fields or from the tile's name. */
function toTile({ tile, item, granule, product }: Texts): Recording['tile'] {
  const stated = tile ?? item;
  const name = granule?.tileId ?? product?.productName ?? '';
  const [, zone = '', latitudeBand = '', gridSquare = ''] =
    /_T(\d{2})([C-X])([A-Z]{2})(?:_|$)/.exec(name) ?? [];
  return [
    String(stated?.utmZone ?? Number(zone)),
    stated?.latitudeBand ?? latitudeBand,
    stated?.gridSquare ?? gridSquare,
  ];
}

/** SAFE folders do not number the recordings of a day. */
function givenByTexts({ tile, item }: Texts): Recording['given'] {
  if (tile !== null) return { day: tile.path.split('/').slice(4, 7), sequence: tile.sequence };
  return item === null ? null : { day: item.acquiredAt.slice(0, 10).split('-'), sequence: item.sequence };
}

/** From the metadata, or from their file name: those of the first years do not contain it. */
function toProductName({ files }: Product, { product, tile, item }: Texts): string | null {
  const file = files.get('product-metadata')?.[0]?.parts.at(-1) ?? '';
  const ofFile = /^(S2[A-D]_OPER)_MTD_SAFL1C_(\w{1,200})\.xml$/.exec(file);
  const fromFile = ofFile === null ? null : `${ofFile[1]}_PRD_MSIL1C_${ofFile[2]}`;
  return product?.productName ?? fromFile ?? tile?.productName ?? item?.productName ?? null;
}

function baselineOfTexts({ product, granule, item, tile }: Texts): string {
  const stated = product?.baseline ?? granule?.baseline ?? item?.baseline;
  return stated ?? baselineInName(tile?.productName ?? item?.productName ?? '');
}

/** The processing time at the end of a product's name. */
const createdOf = (productName: string | null): string => /\d{8}T\d{6}$/.exec(productName ?? '')?.[0] ?? '';

function scaleByTexts(band: Band, { sensor }: Product, texts: Texts): BandScale {
  const rule = band.calibration;
  if (rule.kind !== 'quantified') return { scale: 1, offset: 0 };
  const quantification = texts.product?.quantification ?? rule.quantification;
  const offset = texts.item?.isOffsetApplied === true ? 0 : offsetOf(band, { sensor, texts });
  return toBandScale(quantification, offset);
}

function offsetOf(band: Band, { sensor, texts }: { sensor: Product['sensor']; texts: Texts }): number {
  const stated = Object.entries(texts.product?.offsets ?? {}).find(
    ([name]) => findBand(sensor, name)?.name === band.name,
  );
  if (stated !== undefined) return stated[1];
  const baseline = baselineOfTexts(texts);
  const offsets = band.calibration.kind === 'quantified' ? band.calibration.offsets : [];
  return offsets.findLast(({ fromBaseline }) => fromBaseline <= baseline)?.offset ?? 0;
}

/** Polygons if the product has no band of classes; flags of an image are added when the image is read. */
function toCloudMask(
  { sensor, bands, files }: Product,
  { granule, tile }: Texts,
  toHref: ProductTools['toHref'],
): CloudMask | null {
  if (sensor.cloud.kind === 'classes' && bands.has(sensor.cloud.band)) return null;
  const [polygons] = files.get('cloud-polygons') ?? [];
  const epsg = granule?.epsg ?? tile?.epsg;
  return polygons === undefined || epsg === undefined || epsg === null
    ? null
    : { kind: 'polygons', href: toHref(polygons.path), epsg };
}

function toStated({ tile, product, item }: Texts): SceneFacts['stated'] {
  if (tile?.dataArea && tile.epsg !== null) return { area: tile.dataArea, epsg: tile.epsg };
  const area: AreaGeometry | null =
    product?.footprint != null
      ? { type: 'Polygon', coordinates: [product.footprint] }
      : (item?.footprint ?? null);
  return area === null ? null : { area, epsg: 4326 };
}

/** All images of a tile cover its frame. */
function toPlacement({ tile }: Texts): Placement | undefined {
  if (!tile?.tileArea || tile.epsg === null) return undefined;
  const { west, south, east, north } = geometryBounds(tile.tileArea);
  return { epsg: tile.epsg, box: [west, south, east, north] };
}

/** The number of a recording within its day may be ours; the satellite (`S2A`) is always the provider's. */
const isSameRecording = (one: NewScene, other: NewScene): boolean =>
  Math.abs(Date.parse(one.acquiredAt) - Date.parse(other.acquiredAt)) < SAME_RECORDING_MS &&
  one.sceneId.slice(0, 3) === other.sceneId.slice(0, 3);

/** Hits of L1C give the path of the same recording as L2A. */
function linkFields({ fields: own }: NewScene, { fields: higher }: NewScene): NewScene['fields'] {
  const { awsPathL2A: _, ...fields } = own;
  const path = higher.awsPathL2A ?? higher.awsPath;
  return { ...fields, processedL2A: true, ...(path === undefined ? {} : { awsPathL2A: path }) };
}

/** Sentinel-2: tiles of the 100 km grid on a day. */
export const sentinel2: Family = {
  name: 'sentinel-2',
  describeProduct,
  items: {
    accepted: [
      {
        datasets: ['sentinel2'],
        collections: ['sentinel-2-l1c', 'sentinel-s2-l1c'],
        telltale: { property: 's2:product_type', values: ['S2MSI1C'] },
      },
      {
        datasets: ['sentinel2l2a'],
        collections: [
          'sentinel-2-l2a',
          'sentinel-2-c1-l2a',
          'sentinel-2-pre-c1-l2a',
          'sentinel-s2-l2a',
          'sentinel-s2-l2a-cogs',
        ],
        telltale: { property: 's2:product_type', values: ['S2MSI2A'] },
      },
    ],
    bandSpellings: [
      // `B04`, `B04_10m`, `T35MNM_20200731T080611_B04_10m`
      { pattern: /(?:^|_)(B(?:0[1-9]|1[0-2]|8A))(?:_\d{2}m)?(?:-jp2)?$/, band: '$1' },
      { pattern: /(?:^|_)scl(?:_\d{2}m)?(?:-jp2)?$/i, band: 'SCL' },
      { pattern: /^(blue|green|red|rededge[123]|nir|swir1|swir2|coastal)(?:_\d{2}m)?(?:-jp2)?$/, band: '$1' },
    ],
    describe: describeItem,
  },
  levels: { lower: 'sentinel2', higher: 'sentinel2l2a', isSameRecording, linkFields },
};
