import type { AreaGeometry } from '../../../geo/index.ts';
import { isObject } from '../../../json.ts';
import { toArea } from '../../metadata/geojson.ts';
import { toOpenAddress } from '../../metadata/open-address.ts';
import { parseJsonObject, required, toNumberWithin, toText, toUtcTime } from '../../metadata/values.ts';

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
