import { sourceBroken } from '../../../errors.ts';
import type { AreaGeometry } from '../../../geo/index.ts';
import { geometryBounds } from '../../../geo/index.ts';
import type { Band, FieldsOf } from '../../../sensors/index.ts';
import { findBand } from '../../../sensors/index.ts';
import type { Product } from '../../files/product.ts';
import type { ReadText } from '../../files/product-files.ts';
import type { Placement } from '../../files/read-asset.ts';
import type { CloudMask } from '../../product-details.ts';
import type { ProductTools } from '../family.ts';
import type { BandScale, SceneFacts } from '../scene-facts.ts';
import { toHundredths } from '../scene-facts.ts';
import type { Sentinel2StacItem } from './cog-item.ts';
import { parseSentinel2StacItem } from './cog-item.ts';
import type { Sentinel2Granule } from './granule-xml.ts';
import { parseSentinel2Granule } from './granule-xml.ts';
import type { Recording } from './name-recording.ts';
import type { Sentinel2Product } from './product-xml.ts';
import { parseSentinel2Product } from './product-xml.ts';
import { baselineInName, toBandScale, toRecordingFacts } from './recording-facts.ts';
import type { Sentinel2TileInfo } from './tile-info.ts';
import { parseSentinel2TileInfo } from './tile-info.ts';

/** The metadata files that a product has. */
interface Texts {
  readonly tile: Sentinel2TileInfo | null;
  readonly granule: Sentinel2Granule | null;
  readonly product: Sentinel2Product | null;
  readonly item: Sentinel2StacItem | null;
}

/** Describes a product, L1C or L2A, of the buckets, of SAFE folders or of COG collections. */
export async function describeProduct(product: Product, tools: ProductTools): Promise<SceneFacts> {
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
      given: toGiven(texts),
      productName,
      processed: `${baselineOf(texts)} ${whole?.generatedAt ?? item?.generatedAt ?? createdOf(productName)}`,
      cloudPercent:
        granule?.cloudPercent ?? whole?.cloudPercent ?? item?.cloudPercent ?? tile?.cloudPercent ?? null,
      sunElevationDeg: granule?.sunElevationDeg ?? item?.sunElevationDeg ?? null,
      sunAzimuthDeg: granule?.sunAzimuthDeg ?? item?.sunAzimuthDeg ?? null,
      coveragePercent:
        tile?.coveragePercent ?? (nodataPercent === null ? null : toHundredths(100 - nodataPercent)),
      awsPath: tile?.path,
      more: {
        productPath: tile?.productPath,
        thumbnail: item?.thumbnail,
        archivingTime: granule?.archivedAt?.slice(0, 10),
        ...toBucketFields(product, tile),
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
    scaleOf: ({ band }) => toScale(band, product, texts),
    placementOf: () => toPlacement(texts),
  };
}

/** Fields that follow from the paths of the tile and its product in the bucket, which `tileInfo.json` has. */
function toBucketFields({ sensor }: Product, tile: Sentinel2TileInfo | null): FieldsOf<'sentinel2'> {
  if (tile === null) return {};
  const isL2A = sensor.dataset === 'sentinel2l2a';
  const bucket = `http://sentinel-s2-${isL2A ? 'l2a' : 'l1c'}.s3.amazonaws.com`;
  return {
    ...(isL2A ? {} : { thumbnail: `${bucket}/${tile.path}/preview.jpg` }),
    originalTileMeta: `${bucket}/${tile.path}/tileInfo.json`,
    ...(tile.productPath === null ? {} : { productMetaLink: `${bucket}/${tile.productPath}/metadata.xml` }),
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
function toGiven({ tile, item }: Texts): Recording['given'] {
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

function baselineOf({ product, granule, item, tile }: Texts): string {
  const stated = product?.baseline ?? granule?.baseline ?? item?.baseline;
  return stated ?? baselineInName(tile?.productName ?? item?.productName ?? '');
}

/** The processing time at the end of a product's name. */
const createdOf = (productName: string | null): string => /\d{8}T\d{6}$/.exec(productName ?? '')?.[0] ?? '';

function toScale(band: Band, { sensor }: Product, texts: Texts): BandScale {
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
  const baseline = baselineOf(texts);
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
