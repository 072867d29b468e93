import type { CogOptions } from '../../formats/cog/index.ts';
import type { AreaGeometry } from '../../geo/index.ts';
import { makeProjection } from '../../proj/index.ts';
import type { BandMeaning, Ground, StoredAs } from './ground.ts';
import {
  CLOUD_REFLECTANCE,
  cloudSideM,
  GROUNDS,
  PIXEL_QUALITY,
  reflectanceOf,
  SQUARE_M,
  toStored,
} from './ground.ts';
import { chance } from './made-item.ts';
import { toFootprint } from './mgrs-tiles.ts';
import { makeVirtualCog, paintSquares } from './virtual-cog.ts';
import type { VirtualFile } from './virtual-file.ts';
import { wrsCentre } from './wrs-scenes.ts';

/** What is chosen of a scene of Landsat Collection 2, level 2. */
export interface LandsatChoice {
  readonly path: number;
  readonly row: number;
  readonly day: string;
  readonly satellite?: 5 | 7 | 8 | 9;
  readonly cloud?: number;
  readonly updated?: string;
}

/** A scene with everything that catalogs write about it. */
export interface LandsatScene {
  readonly satellite: 5 | 7 | 8 | 9;
  /** Three digits each. */
  readonly path: string;
  readonly row: string;
  readonly day: string;
  readonly cloud: number;
  readonly atMs: number;
  readonly updated: string;
  readonly epsg: number;
  /** The upper left corner. */
  readonly west: number;
  readonly north: number;
  readonly footprint: AreaGeometry;
  readonly sunElevationDeg: number;
  readonly sunAzimuthDeg: number;
  /** `LC09_L2SP_010065_20220129_20220131_02_T1`. */
  readonly productId: string;
  /** `LC90100652022029LGN00`. */
  readonly sceneId: string;
}

const PIXEL_M = 30;
/** Sides of the images in pixels. */
export const LANDSAT_WIDTH = 7_681;
export const LANDSAT_HEIGHT = 7_801;
const DAY_MS = 86_400_000;

/** Completes a choice. Codes of zones are those of the north everywhere, as the USGS has them. */
export function makeLandsatScene(choice: LandsatChoice): LandsatScene {
  const { day, satellite = 8 } = choice;
  const path = String(choice.path).padStart(3, '0');
  const row = String(choice.row).padStart(3, '0');
  const [lon, lat] = wrsCentre(choice.path, choice.row);
  const zone = Math.min(60, Math.floor((lon + 180) / 6) + 1);
  const epsg = 32_600 + zone;
  const [x, y] = makeProjection(4326, epsg).forward(lon, lat);
  // Corners lie half a pixel beside multiples of 30 m.
  const snap = (value: number): number => Math.round(value / PIXEL_M) * PIXEL_M - PIXEL_M / 2;
  const west = snap(x - (LANDSAT_WIDTH * PIXEL_M) / 2);
  const north = snap(y + (LANDSAT_HEIGHT * PIXEL_M) / 2);
  const box = [west, north - LANDSAT_HEIGHT * PIXEL_M, west + LANDSAT_WIDTH * PIXEL_M, north] as const;
  const hour = (((10 - lon / 15) % 24) + 24) % 24;
  const atMs = Date.parse(`${day}T00:00:00Z`) + Math.floor(hour * 3_600_000);
  const compact = (ms: number): string => new Date(ms).toISOString().slice(0, 10).replaceAll('-', '');
  const letter = { 5: 'LT', 7: 'LE', 8: 'LC', 9: 'LC' }[satellite];
  const dayOfYear = (Date.parse(day) - Date.parse(`${day.slice(0, 4)}-01-01`)) / DAY_MS + 1;
  return {
    satellite,
    path,
    row,
    day,
    cloud: choice.cloud ?? Math.floor(chance('landsat', path, row, day) ** 2 * 10_000) / 100,
    atMs,
    updated: choice.updated ?? new Date(atMs + 3 * DAY_MS).toISOString(),
    epsg,
    west,
    north,
    footprint: toFootprint(epsg, zone * 6 - 183, box),
    sunElevationDeg: 25 + 35 * chance('elevation', path, row, day),
    sunAzimuthDeg: 120 + 40 * chance('azimuth', path, row, day),
    productId: `${letter}0${satellite}_L2SP_${path}${row}_${compact(atMs)}_${compact(atMs + 2 * DAY_MS)}_02_T1`,
    sceneId: `${letter}${satellite}${path}${row}${day.slice(0, 4)}${String(dayOfYear).padStart(3, '0')}${satellite > 7 ? 'LGN00' : 'EDC00'}`,
  };
}

/** How level 2 stores reflectance and temperature. */
export const LANDSAT_REFLECTANCE: StoredAs = { scale: 2.75e-5, offset: -0.2 };
export const LANDSAT_KELVIN: StoredAs = { scale: 0.00341802, offset: 149 };

/** Surface temperature in kelvin. */
export const TEMPERATURES: Readonly<Record<Ground | 'cloud', number>> = {
  crop: 295,
  forest: 291,
  soil: 304,
  water: 286,
  cloud: 252,
};

/** A file of a scene: its asset, the end of its name, and what it shows. */
export interface LandsatFile {
  readonly key: string;
  /** `SR_B4`. */
  readonly end: string;
  readonly title: string;
  readonly content:
    | { readonly kind: 'reflectance'; readonly meaning: BandMeaning }
    | { readonly kind: 'temperature' }
    | { readonly kind: 'quality' }
    | { readonly kind: 'flags' };
  readonly centreUm?: number;
  readonly widthUm?: number;
}

const reflective = (
  key: string,
  number: number,
  meaning: BandMeaning,
  [centreUm, widthUm]: readonly [number, number],
): LandsatFile => ({
  key,
  end: `SR_B${number}`,
  title: `Band ${number}`,
  content: { kind: 'reflectance', meaning },
  centreUm,
  widthUm,
});

const COMMON: readonly LandsatFile[] = [
  { key: 'qa_pixel', end: 'QA_PIXEL', title: 'Pixel Quality Assessment Band', content: { kind: 'quality' } },
  { key: 'qa_radsat', end: 'QA_RADSAT', title: 'Radiometric Saturation', content: { kind: 'flags' } },
];

/** The files of a scene; TM and ETM+ number their bands in another way than OLI. */
export const listLandsatFiles = (satellite: LandsatScene['satellite']): readonly LandsatFile[] =>
  satellite > 7
    ? [
        reflective('coastal', 1, 'coastal', [0.44, 0.02]),
        reflective('blue', 2, 'blue', [0.48, 0.06]),
        reflective('green', 3, 'green', [0.56, 0.06]),
        reflective('red', 4, 'red', [0.65, 0.04]),
        reflective('nir08', 5, 'nir', [0.87, 0.03]),
        reflective('swir16', 6, 'swir1', [1.61, 0.09]),
        reflective('swir22', 7, 'swir2', [2.2, 0.19]),
        { key: 'lwir11', end: 'ST_B10', title: 'Surface Temperature Band', content: { kind: 'temperature' } },
        ...COMMON,
      ]
    : [
        reflective('blue', 1, 'blue', [0.49, 0.07]),
        reflective('green', 2, 'green', [0.56, 0.08]),
        reflective('red', 3, 'red', [0.66, 0.06]),
        reflective('nir08', 4, 'nir', [0.83, 0.14]),
        reflective('swir16', 5, 'swir1', [1.67, 0.22]),
        reflective('swir22', 7, 'swir2', [2.24, 0.27]),
        { key: 'lwir', end: 'ST_B6', title: 'Surface Temperature Band', content: { kind: 'temperature' } },
        ...COMMON,
      ];

function toValues({ day }: LandsatScene, content: LandsatFile['content']): readonly number[] {
  switch (content.kind) {
    case 'reflectance':
      return [...GROUNDS.map((ground) => reflectanceOf(ground, content.meaning, day)), CLOUD_REFLECTANCE].map(
        (value) => toStored(value, LANDSAT_REFLECTANCE),
      );
    case 'temperature':
      return [...GROUNDS, 'cloud' as const].map((ground) => toStored(TEMPERATURES[ground], LANDSAT_KELVIN));
    case 'quality':
      return [...GROUNDS, 'cloud' as const].map((ground) => PIXEL_QUALITY[ground]);
    case 'flags':
      return [0, 0, 0, 0, 0];
  }
}

/** A COG of a scene, with the small blocks that the USGS writes. */
export function makeLandsatCog(scene: LandsatScene, { content }: LandsatFile): VirtualFile {
  const options: CogOptions = {
    width: LANDSAT_WIDTH,
    height: LANDSAT_HEIGHT,
    bandCount: 1,
    type: 'uint16',
    epsg: scene.epsg,
    transform: [scene.west, PIXEL_M, 0, scene.north, 0, -PIXEL_M],
    nodata: content.kind === 'quality' ? 1 : content.kind === 'flags' ? null : 0,
    compression: 'deflate',
    level: 1,
    predictor: 2,
    blockSize: 256,
    overviewMethod: content.kind === 'quality' ? 'nearest' : 'average',
  };
  return makeVirtualCog(
    options,
    paintSquares({
      squarePx: SQUARE_M / PIXEL_M,
      cornerPx: cloudSideM(scene.cloud, LANDSAT_WIDTH * PIXEL_M) / PIXEL_M,
      values: [toValues(scene, content)],
    }),
  );
}
