import type { CogOptions } from '../../formats/cog/index.ts';
import { toCalibrationXml, toNoiseXml } from '../../ingest/families/testing/product-texts.ts';
import type { FilePlace, MadeItem, MakeFile } from './made-item.ts';
import { COG_TYPE, digits, toExtensions, toFilePath, toHead, toStamp } from './made-item.ts';
import { makePicture } from './sentinel2-scene.ts';
import { makeVirtualCog, paintSquares } from './virtual-cog.ts';
import type { VirtualFile } from './virtual-file.ts';
import { makeTextFile } from './virtual-file.ts';

/** A radar image, by the middle of its swath. */
export interface Sentinel1Choice {
  readonly lon: number;
  readonly lat: number;
  readonly day: string;
}

/** Sides of radar images in pixels of 10 m. */
const RADAR = { width: 25_000, height: 16_700 } as const;
/** Stored amplitudes of the kinds of ground. */
export const AMPLITUDES: Readonly<Record<'VV' | 'VH', readonly number[]>> = {
  VV: [120, 200, 90, 30],
  VH: [60, 110, 40, 12],
};
/** Of the calibration: sigma nought is the amplitude divided by it, squared. */
export const SIGMA_NOUGHT = 400;

/** Sentinel-1 GRD as the Planetary Computer has it: images placed by control points, with their annotations. */
export function makeSentinel1(choice: Sentinel1Choice, place: FilePlace): MadeItem {
  const { lon, lat, day } = choice;
  const startMs = Date.parse(`${day}T00:00:00Z`) + Math.floor((((18 - lon / 15) % 24) + 24) % 24) * 3_600_000;
  const orbit = 20_000 + Math.floor(startMs / 86_400_000);
  const id = `S1A_IW_GRDH_1SDV_${toStamp(startMs)}_${toStamp(startMs + 25_000)}_0${orbit}_${digits(6, id6(choice)).toUpperCase()}`;
  const name = `${id}_${digits(4, id).toUpperCase()}`;
  const [year, month, date] = day.split('-').map(Number);
  const host = 'sentinel1euwest.blob.core.windows.net';
  const folder = `s1-grd/GRD/${year}/${month}/${date}/IW/DV/${name}`;
  const halfLon = (RADAR.width * 5) / (111_320 * Math.cos((lat * Math.PI) / 180));
  const halfLat = (RADAR.height * 5) / 111_320;
  // The swath leans as the orbit does: 8 % of its height to the east.
  const at = (column: number, row: number): readonly [number, number] => {
    const [u, v] = [(column / RADAR.width) * 2 - 1, (row / RADAR.height) * 2 - 1];
    return [lon + u * halfLon + v * halfLat * 0.08, lat - v * halfLat + u * halfLat * 0.1];
  };
  const ring = [at(0, 0), at(0, RADAR.height), at(RADAR.width, RADAR.height), at(RADAR.width, 0), at(0, 0)];
  const texts = (['vv', 'vh'] as const).flatMap((band) => [
    {
      key: `schema-calibration-${band}`,
      file: `annotation/calibration/calibration-iw-${band}.xml`,
      text: () =>
        toCalibrationXml(band.toUpperCase(), {
          lines: [0, RADAR.height],
          pixels: [0, RADAR.width],
          value: () => SIGMA_NOUGHT,
        }),
    },
    {
      key: `schema-noise-${band}`,
      file: `annotation/calibration/noise-iw-${band}.xml`,
      text: () => {
        const line = (number: number) => ({ line: number, pixels: [0, RADAR.width], values: [0, 0] });
        return toNoiseXml(band.toUpperCase(), { range: [line(0), line(RADAR.height)], azimuth: null });
      },
    },
  ]);
  return {
    head: toHead({
      stac_extensions: toExtensions('sar/v1.0.0', 'sat/v1.0.0', 'projection/v1.0.0'),
      id,
      collection: 'sentinel-1-grd',
      geometry: { type: 'Polygon', coordinates: [ring] },
      properties: {
        datetime: new Date(startMs + 12_500).toISOString().replace('Z', '000Z'),
        start_datetime: new Date(startMs).toISOString().replace('Z', '000Z'),
        end_datetime: new Date(startMs + 25_000).toISOString().replace('Z', '000Z'),
        platform: 'SENTINEL-1A',
        constellation: 'Sentinel-1',
        's1:shape': [RADAR.width, RADAR.height],
        's1:resolution': 'high',
        's1:orbit_source': 'RESORB',
        's1:datatake_id': String(orbit * 7),
        's1:slice_number': '7',
        's1:total_slices': '20',
        's1:processing_level': '1',
        's1:product_timeliness': 'Fast-24h',
        's1:instrument_configuration_ID': '7',
        'sat:orbit_state': 'ascending',
        'sat:absolute_orbit': orbit,
        'sat:relative_orbit': (orbit % 175) + 1,
        'sat:platform_international_designator': '2014-016A',
        'sar:product_type': 'GRD',
        'sar:polarizations': ['VV', 'VH'],
        'sar:frequency_band': 'C',
        'sar:instrument_mode': 'IW',
        'sar:center_frequency': 5.405,
        'sar:observation_direction': 'right',
        'sar:looks_range': 5,
        'sar:looks_azimuth': 1,
        'sar:looks_equivalent_number': 4.4,
        'sar:pixel_spacing_range': 10,
        'sar:pixel_spacing_azimuth': 10,
        'sar:resolution_range': 20,
        'sar:resolution_azimuth': 22,
      },
    }),
    links: [],
    assets: () => ({
      ...Object.fromEntries(
        (['vv', 'vh'] as const).map((band) => [
          band,
          {
            href: place.toHttps(host, `${folder}/measurement/iw-${band}.tiff`),
            type: COG_TYPE,
            roles: ['data'],
            title: `${band.toUpperCase()}: made-up polarization`,
          },
        ]),
      ),
      ...Object.fromEntries(
        texts.map(({ key, file }) => [
          key,
          { href: place.toHttps(host, `${folder}/${file}`), type: 'application/xml', roles: ['metadata'] },
        ]),
      ),
      thumbnail: {
        href: place.toHttps(host, `${folder}/preview/quick-look.png`),
        type: 'image/png',
        roles: ['thumbnail'],
        title: 'Preview Image',
      },
      'safe-manifest': {
        href: place.toHttps(host, `${folder}/manifest.safe`),
        type: 'application/xml',
        roles: ['metadata'],
        title: 'Manifest File',
      },
    }),
    files: () =>
      new Map<string, MakeFile>([
        ...(['VV', 'VH'] as const).map(
          (band) =>
            [
              toFilePath(host, `${folder}/measurement/iw-${band.toLowerCase()}.tiff`),
              () => makeRadarCog(AMPLITUDES[band], at),
            ] as const,
        ),
        ...texts.map(
          ({ file, text }) =>
            [toFilePath(host, `${folder}/${file}`), () => makeTextFile(text(), 'application/xml')] as const,
        ),
        [toFilePath(host, `${folder}/preview/quick-look.png`), makePicture],
      ]),
  };
}

const id6 = ({ lon, lat, day }: Sentinel1Choice): string => `${lon} ${lat} ${day}`;

function makeRadarCog(
  amplitudes: readonly number[],
  at: (column: number, row: number) => readonly [number, number],
): VirtualFile {
  const controlPoints = Array.from({ length: 11 * 11 }, (_, i) => {
    const column = ((i % 11) / 10) * RADAR.width;
    const row = (Math.floor(i / 11) / 10) * RADAR.height;
    const [x, y] = at(column, row);
    return { column, row, x, y, z: 0 };
  });
  const options: CogOptions = {
    ...RADAR,
    bandCount: 1,
    type: 'uint16',
    epsg: 4326,
    transform: null,
    controlPoints,
    nodata: 0,
    compression: 'deflate',
    level: 1,
    predictor: 2,
  };
  return makeVirtualCog(options, paintSquares({ squarePx: 128, cornerPx: 0, values: [[...amplitudes, 0]] }));
}
