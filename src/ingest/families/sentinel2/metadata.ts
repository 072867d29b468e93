import type { AreaGeometry, LonLat, Ring } from '../../../geo/index.ts';
import { isObject } from '../../../json.ts';
import type { XmlElement } from '../../../xml/index.ts';
import { descendantsOf, elementAt, localName, parseXml, textAt } from '../../../xml/index.ts';
import { sourceBroken } from '../../errors.ts';
import {
  parseJsonObject,
  required,
  toArea,
  toNumber,
  toNumbers,
  toNumberWithin,
  toOpenAddress,
  toText,
  toUtcTime,
} from '../../metadata-values.ts';

/** The metadata of a product: `MTD_MSIL1C.xml`, `MTD_MSIL2A.xml`, `S2A_OPER_MTD_SAFL1C_….xml`. */
export interface Sentinel2Product {
  readonly level: 'L1C' | 'L2A';
  /** Without the `.SAFE`; null if the file has another text there, as some of the first years do. */
  readonly productName: string | null;
  readonly baseline: string;
  readonly generatedAt: string | null;
  /** `Sentinel-2A`. */
  readonly spacecraft: string | null;
  readonly cloudPercent: number | null;
  /** The stored number of reflectance 1. */
  readonly quantification: number;
  /** Added to stored numbers before the division, by the band name of the file (`B1`, `B8A`); may be empty. */
  readonly offsets: Readonly<Record<string, number>>;
  /** Outline in longitude and latitude; null if the file has none. */
  readonly footprint: Ring | null;
}

/** Reads the metadata of a product. */
export function parseSentinel2Product(text: string, what: string): Sentinel2Product {
  const root = parseXml(text, what);
  const level = /^Level-(1C|2A)_User_Product$/.exec(localName(root))?.[1];
  const info =
    elementAt(root, 'General_Info/Product_Info') ?? elementAt(root, 'General_Info/L2A_Product_Info');
  const image =
    elementAt(root, 'General_Info/Product_Image_Characteristics') ??
    elementAt(root, 'General_Info/L2A_Product_Image_Characteristics');
  if (level === undefined || info === null || image === null) {
    throw sourceBroken('metadata-wrong-kind', `The file ${what} does not describe a product of Sentinel-2.`);
  }
  const uri = textAt(info, 'PRODUCT_URI') ?? textAt(info, 'PRODUCT_URI_2A') ?? '';
  const baseline = textAt(info, 'PROCESSING_BASELINE');
  return {
    level: level === '1C' ? 'L1C' : 'L2A',
    productName: /^(S2[A-D]_\w{1,200})(?:\.SAFE)?$/.exec(uri)?.[1] ?? null,
    baseline: required(/^\d{2}\.\d{2}$/.exec(baseline ?? '')?.[0], 'PROCESSING_BASELINE', what),
    generatedAt: toUtcTime(textAt(info, 'GENERATION_TIME')),
    spacecraft: textAt(info, 'Datatake/SPACECRAFT_NAME'),
    cloudPercent: toNumberWithin(textAt(root, 'Quality_Indicators_Info/Cloud_Coverage_Assessment'), [0, 100]),
    quantification: required(toQuantification(image), 'QUANTIFICATION_VALUE', what),
    offsets: toOffsets(image),
    footprint: toFootprint(root),
  };
}

/** Level 1C, Level 2A, and Level 2A of the first years have different names. */
function toQuantification(image: XmlElement): number | null {
  const names = [
    'QUANTIFICATION_VALUE',
    'QUANTIFICATION_VALUES_LIST/BOA_QUANTIFICATION_VALUE',
    'L1C_L2A_Quantification_Values_List/L2A_BOA_QUANTIFICATION_VALUE',
  ];
  const found = names.map((name) => textAt(image, name)).find((text) => text !== null);
  return toNumberWithin(found, [1, 1e6]);
}

/** Offsets refer to bands by number, which the list of spectra resolves. */
function toOffsets(image: XmlElement): Record<string, number> {
  const names = new Map(
    descendantsOf(image, 'Spectral_Information').map(({ attributes }) => [
      attributes.bandId,
      attributes.physicalBand,
    ]),
  );
  const given = [...descendantsOf(image, 'RADIO_ADD_OFFSET'), ...descendantsOf(image, 'BOA_ADD_OFFSET')];
  return Object.fromEntries(
    given.flatMap((element) => {
      const band = names.get(element.attributes.band_id ?? '');
      const offset = toNumber(element.text);
      return band === undefined || offset === null ? [] : [[band, offset]];
    }),
  );
}

/** Latitudes and longitudes alternate. */
function toFootprint(root: XmlElement): Ring | null {
  const numbers = toNumbers(descendantsOf(root, 'EXT_POS_LIST')[0]?.text ?? '');
  if (numbers === null || numbers.length < 8 || numbers.length % 2 !== 0) return null;
  const ring = Array.from(
    { length: numbers.length / 2 },
    (_, i): LonLat => [numbers[2 * i + 1]!, numbers[2 * i]!],
  );
  return ring.every(([lon, lat]) => Math.abs(lon) <= 180 && Math.abs(lat) <= 90) ? ring : null;
}

/** The metadata of a tile: `metadata.xml` of the buckets, `MTD_TL.xml` of SAFE folders. */
export interface Sentinel2Granule {
  readonly level: 'L1C' | 'L2A';
  readonly tileId: string;
  readonly datastripId: string | null;
  /** `04.00`; null for the oldest tiles, whose names do not have it. */
  readonly baseline: string | null;
  readonly acquiredAt: string;
  readonly archivedAt: string | null;
  readonly epsg: number;
  readonly sunElevationDeg: number | null;
  readonly sunAzimuthDeg: number | null;
  readonly cloudPercent: number | null;
  /** Level 2A only. */
  readonly nodataPercent: number | null;
}

/** Reads the metadata of a tile. */
export function parseSentinel2Granule(text: string, what: string): Sentinel2Granule {
  const root = parseXml(text, what);
  const level = /^Level-(1C|2A)_Tile_ID$/.exec(localName(root))?.[1];
  if (level === undefined) {
    throw sourceBroken('metadata-wrong-kind', `The file ${what} does not describe a tile of Sentinel-2.`);
  }
  const tileId = required(
    textAt(root, 'General_Info/TILE_ID') ?? textAt(root, 'General_Info/TILE_ID_2A'),
    'TILE_ID',
    what,
  );
  const epsg = /^EPSG:(\d{5})$/.exec(
    textAt(root, 'Geometric_Info/Tile_Geocoding/HORIZONTAL_CS_CODE') ?? '',
  )?.[1];
  const sun = elementAt(root, 'Geometric_Info/Tile_Angles/Mean_Sun_Angle');
  const zenith = toNumberWithin(sun && textAt(sun, 'ZENITH_ANGLE'), [0, 180]);
  const content = elementAt(root, 'Quality_Indicators_Info/Image_Content_QI');
  const percent = (name: string) => toNumberWithin(content && textAt(content, name), [0, 100]);
  return {
    level: level === '1C' ? 'L1C' : 'L2A',
    tileId,
    datastripId: textAt(root, 'General_Info/DATASTRIP_ID'),
    baseline: /_N(\d{2}\.\d{2})$/.exec(tileId)?.[1] ?? null,
    acquiredAt: required(toUtcTime(textAt(root, 'General_Info/SENSING_TIME')), 'SENSING_TIME', what),
    archivedAt: toUtcTime(textAt(root, 'General_Info/Archiving_Info/ARCHIVING_TIME')),
    epsg: Number(required(epsg, 'HORIZONTAL_CS_CODE', what)),
    sunElevationDeg: zenith === null ? null : 90 - zenith,
    sunAzimuthDeg: toNumberWithin(sun && textAt(sun, 'AZIMUTH_ANGLE'), [0, 360]),
    cloudPercent: percent('CLOUDY_PIXEL_PERCENTAGE'),
    nodataPercent: percent('NODATA_PIXEL_PERCENTAGE'),
  };
}

/** A polygon in the coordinates of the tile's reference system. */
type TileArea = AreaGeometry;

/** The content of `tileInfo.json` in the buckets of Sentinel-2. */
export interface Sentinel2TileInfo {
  /** `tiles/{zone}/{band}/{square}/{year}/{month}/{day}/{sequence}`. */
  readonly path: string;
  readonly utmZone: number;
  readonly latitudeBand: string;
  readonly gridSquare: string;
  readonly sequence: number;
  readonly acquiredAt: string;
  readonly datastripId: string | null;
  readonly productName: string | null;
  readonly productPath: string | null;
  readonly coveragePercent: number | null;
  readonly cloudPercent: number | null;
  readonly epsg: number | null;
  /** The frame of the tile; null if the file has none. */
  readonly tileArea: TileArea | null;
  /** The measured part of it; null if the file has none, or an empty one. */
  readonly dataArea: TileArea | null;
}

const PATH = /^tiles\/(\d{1,2})\/([C-X])\/([A-Z]{2})\/\d{4}\/\d{1,2}\/\d{1,2}\/(\d{1,3})$/;

/** Reads `tileInfo.json`. */
export function parseSentinel2TileInfo(text: string, what: string): Sentinel2TileInfo {
  const info = parseJsonObject(text, what);
  const path = required(toText(info.path), 'path', what);
  const [, zone, latitudeBand, gridSquare, sequence] = required(PATH.exec(path), 'path of a tile', what);
  return {
    path,
    utmZone: Number(zone),
    latitudeBand: latitudeBand!,
    gridSquare: gridSquare!,
    sequence: Number(sequence),
    acquiredAt: required(toUtcTime(toText(info.timestamp)), 'timestamp', what),
    datastripId: isObject(info.datastrip) ? toText(info.datastrip.id) : null,
    productName: /^\w{1,200}$/.exec(toText(info.productName) ?? '')?.[0] ?? null,
    productPath: /^products\/[\w/]{1,200}$/.exec(toText(info.productPath) ?? '')?.[0] ?? null,
    coveragePercent: toNumberWithin(toText(info.dataCoveragePercentage), [0, 100]),
    cloudPercent: toNumberWithin(toText(info.cloudyPixelPercentage), [0, 100]),
    epsg: toEpsg(info.tileGeometry) ?? toEpsg(info.tileDataGeometry),
    tileArea: toArea(info.tileGeometry),
    dataArea: toArea(info.tileDataGeometry),
  };
}

/** The EPSG code in `urn:ogc:def:crs:EPSG:8.8.1:32755`; null if there is none. */
function toEpsg(geometry: unknown): number | null {
  const crs = isObject(geometry) ? geometry.crs : null;
  const name = isObject(crs) && isObject(crs.properties) ? toText(crs.properties.name) : null;
  const code = /^urn:ogc:def:crs:EPSG:[\d.]*:(\d{4,5})$/.exec(name ?? '')?.[1];
  return code === undefined ? null : Number(code);
}

/** The STAC item in a folder of Sentinel-2 L2A COGs. */
export interface Sentinel2StacItem {
  /** `S2A_29RKH_20200219_0_L2A`. */
  readonly id: string;
  readonly utmZone: number;
  readonly latitudeBand: string;
  readonly gridSquare: string;
  readonly sequence: number;
  readonly acquiredAt: string;
  readonly footprint: AreaGeometry | null;
  readonly cloudPercent: number | null;
  readonly nodataPercent: number | null;
  readonly sunElevationDeg: number | null;
  readonly sunAzimuthDeg: number | null;
  readonly productName: string | null;
  readonly baseline: string | null;
  readonly generatedAt: string | null;
  readonly datastripId: string | null;
  /** True if the offset of newer baselines has been removed from the pixels; null if unknown. */
  readonly isOffsetApplied: boolean | null;
  /** The public address of a thumbnail. */
  readonly thumbnail: string | null;
}

const ID = /^S2[A-D]_(\d{1,2})([C-X])([A-Z]{2})_\d{8}_(\d{1,3})_L2A$/;

/** Parses the item, also with the older names of fields (`sentinel:…`, `sun_elevation`). */
export function parseSentinel2StacItem(text: string, what: string): Sentinel2StacItem {
  const item = parseJsonObject(text, what);
  const properties = isObject(item.properties) ? item.properties : {};
  const id = required(toText(item.id), 'id', what);
  const [, zone, latitudeBand, gridSquare, sequence] = required(ID.exec(id), 'id of a tile', what);
  const first = (...names: readonly string[]) =>
    names.map((name) => toText(properties[name])).find((value) => value !== null) ?? null;
  const applied = properties['earthsearch:boa_offset_applied'] ?? properties['sentinel:boa_offset_applied'];
  const thumbnail = isObject(item.assets) && isObject(item.assets.thumbnail) ? item.assets.thumbnail : null;
  const coverage = toNumberWithin(first('sentinel:data_coverage'), [0, 100]);
  return {
    id,
    utmZone: Number(zone),
    latitudeBand: latitudeBand!,
    gridSquare: gridSquare!,
    sequence: Number(sequence),
    acquiredAt: required(toUtcTime(first('datetime')), 'datetime', what),
    footprint: toArea(item.geometry),
    cloudPercent: toNumberWithin(first('eo:cloud_cover'), [0, 100]),
    nodataPercent:
      toNumberWithin(first('s2:nodata_pixel_percentage'), [0, 100]) ??
      (coverage === null ? null : 100 - coverage),
    sunElevationDeg: toNumberWithin(first('view:sun_elevation'), [-90, 90]),
    sunAzimuthDeg: toNumberWithin(first('view:sun_azimuth'), [0, 360]),
    productName: first('s2:product_uri', 'sentinel:product_id')?.replace(/\.SAFE$/, '') ?? null,
    baseline: first('s2:processing_baseline'),
    generatedAt: toUtcTime(first('s2:generation_time')),
    datastripId: first('s2:datastrip_id'),
    isOffsetApplied: typeof applied === 'boolean' ? applied : null,
    thumbnail: toOpenAddress(toText(thumbnail?.href) ?? '', null),
  };
}
