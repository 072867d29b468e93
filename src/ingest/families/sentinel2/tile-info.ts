import type { AreaGeometry } from '../../../geo/index.ts';
import { isObject } from '../../../json.ts';
import { toArea } from '../../metadata/geojson.ts';
import { parseJsonObject, required, toNumberWithin, toText, toUtcTime } from '../../metadata/values.ts';

/** A polygon in the coordinates of the tile's reference system. */
export type TileArea = AreaGeometry;

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
