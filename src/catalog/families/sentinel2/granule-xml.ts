import { sourceBroken } from '../../../errors.ts';
import { elementAt, localName, parseXml, textAt } from '../../../xml/index.ts';
import { required, toNumberWithin, toUtcTime } from '../../metadata/values.ts';

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
