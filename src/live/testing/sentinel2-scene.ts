import type { CogOptions } from '../../formats/cog/index.ts';
import type { Jp2Options } from '../../formats/jp2/index.ts';
import type { BandMeaning, StoredAs } from './ground.ts';
import {
  CLOUD_REFLECTANCE,
  cloudSideM,
  GROUNDS,
  reflectanceOf,
  SCENE_CLASSES,
  SQUARE_M,
  toStored,
} from './ground.ts';
import { chance, toStamp } from './made-item.ts';
import type { MgrsTile } from './mgrs-tiles.ts';
import { TILE_M, toMgrsTile } from './mgrs-tiles.ts';
import { makeVirtualCog, paintSquares } from './virtual-cog.ts';
import type { VirtualFile } from './virtual-file.ts';
import { makeVirtualFile } from './virtual-file.ts';
import { makeJp2File } from './virtual-jp2.ts';

/** What is chosen of a scene of Sentinel-2; the rest follows. */
export interface Sentinel2Choice {
  /** `31TDH`. */
  readonly tile: string;
  /** `2022-06-11`, in UTC. */
  readonly day: string;
  /** Percent. */
  readonly cloud?: number;
  /** Number of the recording within its day. */
  readonly sequence?: number;
  /** `05.11`; by default that of the day. */
  readonly baseline?: string;
  /** When the catalog changed it last. */
  readonly updated?: string;
  /** Stored reflectances differ by up to this from those of their ground; 0 by default. Files then have real numbers of bytes. */
  readonly noise?: number;
}

/** A scene with everything that catalogs write about it. */
export interface Sentinel2Scene {
  readonly tile: MgrsTile;
  readonly day: string;
  readonly cloud: number;
  readonly sequence: number;
  readonly satellite: 'S2A' | 'S2B';
  readonly baseline: string;
  readonly updated: string;
  readonly noise: number;
  readonly atMs: number;
  readonly relativeOrbit: number;
  readonly absoluteOrbit: number;
  readonly sunElevationDeg: number;
  readonly sunAzimuthDeg: number;
  readonly names: {
    /** `S2B_MSIL2A_20220611T105629_N0511_R051_T31TDH_20220611T140005`. */
    readonly product: string;
    readonly start: string;
    readonly made: string;
    readonly strip: string;
    readonly datatake: string;
    readonly datastrip: string;
    readonly granule: string;
  };
}

const DAY_MS = 86_400_000;
/** Since this day 1000 is added to stored numbers. */
const OFFSET_SINCE = '2022-01-25';

/** Completes a choice; the same choice always gives the same scene. */
export function makeSentinel2Scene(choice: Sentinel2Choice): Sentinel2Scene {
  const { day, sequence = 0 } = choice;
  const tile = toMgrsTile(choice.tile);
  const baseline = choice.baseline ?? (day < OFFSET_SINCE ? '03.01' : '05.11');
  const cloud = choice.cloud ?? Math.floor(chance('cloud', tile.name, day) ** 2 * 10_000) / 100;
  const [lon] = (tile.footprint.type === 'Polygon'
    ? tile.footprint.coordinates[0]
    : tile.footprint.coordinates[0]?.[0])?.[0] ?? [0];
  // Half past ten by the sun, on the chosen day of UTC.
  const hour = (((10.5 - lon / 15) % 24) + 24) % 24;
  const atMs =
    Date.parse(`${day}T00:00:00Z`) + Math.min(DAY_MS - 1, Math.round(hour * 3_600_000) + sequence * 1_000);
  const dayNumber = Math.floor(atMs / DAY_MS);
  const satellite = Math.floor(dayNumber / 5) % 2 === 0 ? 'S2A' : 'S2B';
  const relativeOrbit = 1 + Math.floor(chance('orbit', tile.name) * 143);
  const absoluteOrbit = 10_000 + dayNumber;
  const [start, strip, made] = [toStamp(atMs - 10_000), toStamp(atMs - 2_000), toStamp(atMs + 10_800_000)];
  const orbit = String(absoluteOrbit).padStart(6, '0');
  const name = tile.name.padStart(5, '0');
  return {
    tile,
    day,
    cloud,
    sequence,
    satellite,
    baseline,
    updated: choice.updated ?? new Date(atMs + 14_400_000).toISOString(),
    noise: choice.noise ?? 0,
    atMs,
    relativeOrbit,
    absoluteOrbit,
    sunElevationDeg: 20 + 40 * chance('sun', tile.name, day),
    sunAzimuthDeg: 140 + 30 * chance('azimuth', tile.name, day),
    names: {
      product: `${satellite}_MSIL2A_${start}_N${baseline.replace('.', '')}_R${String(relativeOrbit).padStart(3, '0')}_T${name}_${made}`,
      start,
      made,
      strip,
      datatake: `G${satellite}_${start}_${orbit}_N${baseline}`,
      datastrip: `${satellite}_OPER_MSI_L2A_DS_2BPS_${made}_S${strip}_N${baseline}`,
      granule: `${satellite}_OPER_MSI_L2A_TL_2BPS_${made}_A${orbit}_T${name}_N${baseline}`,
    },
  };
}

/** A band of the instrument. */
export interface MsiBand {
  readonly name: string;
  readonly meaning: BandMeaning;
  readonly pixelM: 10 | 20 | 60;
  /** Its asset in Earth Search. */
  readonly key: string;
  readonly commonName: string;
  readonly title: string;
  readonly centreUm: number;
  readonly widthUm: number;
}

const band = (
  [name, key, commonName, title]: readonly [string, string, string, string],
  meaning: BandMeaning,
  [pixelM, centreUm, widthUm]: readonly [10 | 20 | 60, number, number],
): MsiBand => ({ name, key, commonName, title, meaning, pixelM, centreUm, widthUm });

/** All bands of level 2A. */
export const MSI_BANDS: readonly MsiBand[] = [
  band(['B01', 'coastal', 'coastal', 'Coastal'], 'coastal', [60, 0.443, 0.027]),
  band(['B02', 'blue', 'blue', 'Blue'], 'blue', [10, 0.49, 0.098]),
  band(['B03', 'green', 'green', 'Green'], 'green', [10, 0.56, 0.045]),
  band(['B04', 'red', 'red', 'Red'], 'red', [10, 0.665, 0.038]),
  band(['B05', 'rededge1', 'rededge', 'Red Edge 1'], 'rededge1', [20, 0.704, 0.019]),
  band(['B06', 'rededge2', 'rededge', 'Red Edge 2'], 'rededge2', [20, 0.74, 0.018]),
  band(['B07', 'rededge3', 'rededge', 'Red Edge 3'], 'rededge3', [20, 0.783, 0.028]),
  band(['B08', 'nir', 'nir', 'NIR 1'], 'nir', [10, 0.842, 0.145]),
  band(['B8A', 'nir08', 'nir08', 'NIR 2'], 'nir', [20, 0.865, 0.033]),
  band(['B09', 'nir09', 'nir09', 'NIR 3'], 'watervapour', [60, 0.945, 0.026]),
  band(['B11', 'swir16', 'swir16', 'SWIR 1.6μm'], 'swir1', [20, 1.61, 0.143]),
  band(['B12', 'swir22', 'swir22', 'SWIR 2.2μm'], 'swir2', [20, 2.19, 0.242]),
];

/** Whether 1000 is added to the stored numbers of a scene as its provider delivers them. */
export const hasOffset = ({ baseline }: Pick<Sentinel2Scene, 'baseline'>): boolean => baseline >= '04.00';

/** Reflectance of stored numbers: as the provider delivers them, or with the offset removed. */
export const MSI_PLAIN: StoredAs = { scale: 0.0001, offset: 0 };
export const MSI_OFFSET: StoredAs = { scale: 0.0001, offset: -0.1 };

/** `proj:shape` and `proj:transform` of an image. */
export const toProjection = ({ west, north }: MgrsTile, pixelM: number) => ({
  'proj:shape': [TILE_M / pixelM, TILE_M / pixelM],
  'proj:transform': [pixelM, 0, west, 0, -pixelM, north],
});

/** What an image shows: reflectance, classes, or a number that is the same everywhere. */
export type MsiContent =
  | { readonly kind: 'reflectance'; readonly meaning: BandMeaning; readonly stored: StoredAs }
  | { readonly kind: 'classes' }
  | { readonly kind: 'constant'; readonly value: number }
  /** Red, green and blue as bytes. */
  | { readonly kind: 'colours' };

/** Stored numbers of the kinds of ground and of clouds, for each band of an image. */
export function toMsiValues({ day }: Sentinel2Scene, content: MsiContent): readonly (readonly number[])[] {
  switch (content.kind) {
    case 'reflectance': {
      const { meaning, stored } = content;
      const clear = GROUNDS.map((ground) => toStored(reflectanceOf(ground, meaning, day), stored));
      return [[...clear, toStored(CLOUD_REFLECTANCE, stored)]];
    }
    case 'classes':
      return [[...GROUNDS.map((ground) => SCENE_CLASSES[ground]), SCENE_CLASSES.cloud]];
    case 'constant':
      return [[0, 1, 2, 3, 4].map(() => content.value)];
    case 'colours':
      return (['red', 'green', 'blue'] as const).map((meaning) => [
        ...GROUNDS.map((ground) => Math.min(255, Math.round(reflectanceOf(ground, meaning, day) * 850))),
        255,
      ]);
  }
}

/** What the pixels of an image are. */
function paintMsi(scene: Sentinel2Scene, pixelM: number, content: MsiContent) {
  const values = toMsiValues(scene, content);
  return {
    bandCount: values.length,
    isBytes: content.kind === 'classes' || content.kind === 'colours',
    side: TILE_M / pixelM,
    transform: [scene.tile.west, pixelM, 0, scene.tile.north, 0, -pixelM] as const,
    painting: paintSquares({
      squarePx: SQUARE_M / pixelM,
      cornerPx: cloudSideM(scene.cloud, TILE_M) / pixelM,
      values,
      noise: content.kind === 'reflectance' ? scene.noise : 0,
    }),
  };
}

/** A COG of a tile. */
export function makeMsiCog(scene: Sentinel2Scene, pixelM: number, content: MsiContent): VirtualFile {
  const { bandCount, isBytes, side, transform, painting } = paintMsi(scene, pixelM, content);
  const options: CogOptions = {
    width: side,
    height: side,
    bandCount,
    type: isBytes ? 'uint8' : 'uint16',
    epsg: scene.tile.epsg,
    transform,
    nodata: 0,
    compression: 'deflate',
    level: 1,
    predictor: 2,
    overviewMethod: isBytes ? 'nearest' : 'average',
    ...(bandCount === 3 ? { photometric: 'rgb' as const } : {}),
  };
  return makeVirtualCog(options, painting);
}

/** A JP2 file of a tile, as the provider delivers it. */
export function makeMsiJp2(scene: Sentinel2Scene, pixelM: number, content: MsiContent): Promise<VirtualFile> {
  const { bandCount, isBytes, side, transform, painting } = paintMsi(scene, pixelM, content);
  const options: Jp2Options = {
    width: side,
    height: side,
    bandCount,
    bitsPerSample: isBytes ? 8 : 15,
    tileSize: 1_024,
    epsg: scene.tile.epsg,
    transform,
  };
  return makeJp2File(options, painting);
}

/** Pictures that nobody reads in a test are some bytes that begin like one. */
export const makePicture = (): VirtualFile =>
  makeVirtualFile([Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 0x10, 0x4a, 0x46, 0x49, 0x46, 0)], 'image/jpeg');
