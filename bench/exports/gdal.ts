import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { toBandPath } from './make-scene.ts';

/** A command with its arguments. */
type Command = readonly string[];

/** The version of GDAL; null when not all of its programs are installed. */
export function findGdal(): string | null {
  const programs = ['gdalinfo', 'gdalbuildvrt', 'gdal_translate', 'gdalwarp', 'gdal_calc.py'];
  // Some print their version and fail, because they were given nothing to do.
  if (programs.some((program) => spawnSync(program, ['--version']).error !== undefined)) return null;
  const text = execFileSync('gdalinfo', ['--version'], { encoding: 'utf8' });
  return /GDAL (\S+?),/.exec(text)?.[1] ?? '';
}

/** Size and position of a file, in pixels of the scene where it is a part of it. */
export interface FileFacts {
  readonly width: number;
  readonly height: number;
  readonly geoTransform: readonly number[];
}

/** What GDAL says of a file. */
export function readFacts(path: string): FileFacts {
  const text = execFileSync('gdalinfo', ['-json', path], { encoding: 'utf8', maxBuffer: 2 ** 26 });
  const { size, geoTransform } = JSON.parse(text) as { size: [number, number]; geoTransform: number[] };
  return { width: size[0], height: size[1], geoTransform };
}

const TILED = [
  '-co',
  'COMPRESS=DEFLATE',
  '-co',
  'TILED=YES',
  '-co',
  'BLOCKXSIZE=512',
  '-co',
  'BLOCKYSIZE=512',
];
const THREADS = ['-co', 'NUM_THREADS=ALL_CPUS'];

/** NDVI of a whole scene. The predictor of Swath's files would take GDAL more time. */
export const toNdviCommands = (scene: string, folder: string): readonly Command[] => [
  [
    'gdal_calc.py',
    '--quiet',
    '--overwrite',
    '-A',
    toBandPath(scene, 'B08'),
    '-B',
    toBandPath(scene, 'B04'),
    '--calc=(A.astype(float32)-B)/(A.astype(float32)+B)',
    '--type=Float32',
    '--NoDataValue=-9999',
    ...[...TILED, ...THREADS].map((word) => (word === '-co' ? '--co' : word)),
    `--outfile=${join(folder, 'ndvi.tif')}`,
  ],
];

/** Three bands as one virtual file. */
const toVrt = (scene: string, folder: string, bands: readonly string[]): Command => [
  'gdalbuildvrt',
  '-q',
  '-overwrite',
  '-separate',
  join(folder, 'bands.vrt'),
  ...bands.map((band) => toBandPath(scene, band)),
];

/** Bands in one file, with the predictor that the bands themselves have; a window of them when one is given. */
export function toBandsCommands(
  scene: string,
  folder: string,
  bands: readonly string[],
  window: readonly number[] | null,
): readonly Command[] {
  const crop = window === null ? [] : ['-srcwin', ...window.map(String)];
  const options = [...TILED, '-co', 'PREDICTOR=2', '-co', 'INTERLEAVE=BAND', ...THREADS];
  return [
    toVrt(scene, folder, bands),
    ['gdal_translate', '-q', ...crop, ...options, join(folder, 'bands.vrt'), join(folder, 'bands.tif')],
  ];
}

/** The range of a picture and the quality of a JPEG, on both sides. */
export const RANGE = [0, 3_000] as const;
const QUALITY = 85;

/**
 * A picture in Web Mercator. The fastest of the ways that give this file: the bands become bytes on the way into the
 * warp, a third of the work of warping what they hold; a file without compression lies between the programs, because
 * the JPEG driver reads line by line, for which a virtual file would warp everything again on one core.
 */
export function toPictureCommands(
  scene: string,
  folder: string,
  bands: readonly string[],
  { width, height, geoTransform }: FileFacts,
): readonly Command[] {
  const [left, pixelWidth, , top, , pixelHeight] = geoTransform as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const [right, bottom] = [left + width * pixelWidth, top + height * pixelHeight];
  const bytes = join(folder, 'bytes.vrt');
  const warped = join(folder, 'warped.tif');
  return [
    toVrt(scene, folder, bands),
    [
      'gdal_translate',
      '-q',
      '-of',
      'VRT',
      '-ot',
      'Byte',
      '-scale',
      ...RANGE.map(String),
      '1',
      '255',
      join(folder, 'bands.vrt'),
      bytes,
    ],
    [
      'gdalwarp',
      '-q',
      '-overwrite',
      '-t_srs',
      'EPSG:3857',
      '-r',
      'cubic',
      '-te',
      ...[left, bottom, right, top].map(String),
      '-ts',
      String(width),
      String(height),
      '-multi',
      '-wo',
      'NUM_THREADS=ALL_CPUS',
      '-wm',
      '512',
      '-co',
      'TILED=YES',
      bytes,
      warped,
    ],
    ['gdal_translate', '-q', '-of', 'JPEG', '-co', `QUALITY=${QUALITY}`, warped, join(folder, 'picture.jpg')],
  ];
}
