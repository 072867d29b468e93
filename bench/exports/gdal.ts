import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { toBandPath } from './make-scene.ts';
import { RANGE } from './orders.ts';

/** What GDAL does instead of an order: programs that run one after the other, and the file that they make. */
export interface PeerWork {
  readonly commands: readonly (readonly string[])[];
  readonly file: string;
}

/** Where GDAL works. */
export interface PeerFolders {
  /** The folder of the scene. */
  readonly scene: string;
  /** For files that it makes. */
  readonly work: string;
}

/** The version of GDAL; null when not all of its programs are installed. */
export function findGdal(): string | null {
  const programs = ['gdalinfo', 'gdalbuildvrt', 'gdal_translate', 'gdalwarp', 'gdal_calc.py'];
  // Some print their version and fail, because they were given nothing to do.
  if (programs.some((program) => spawnSync(program, ['--version']).error !== undefined)) return null;
  const text = execFileSync('gdalinfo', ['--version'], { encoding: 'utf8' });
  return /GDAL (\S+?),/.exec(text)?.[1] ?? '';
}

/** Size and position of a file. */
export interface FileFacts {
  readonly width: number;
  readonly height: number;
  readonly geoTransform: readonly [number, number, number, number, number, number];
}

/** What GDAL says of a file. */
export function readFacts(path: string): FileFacts {
  const text = execFileSync('gdalinfo', ['-json', path], { encoding: 'utf8', maxBuffer: 2 ** 26 });
  const { size, geoTransform } = JSON.parse(text) as {
    size: [number, number];
    geoTransform: FileFacts['geoTransform'];
  };
  return { width: size[0], height: size[1], geoTransform };
}

const words = (text: string): string[] => text.split(' ');

const TILED = 'COMPRESS=DEFLATE TILED=YES BLOCKXSIZE=512 BLOCKYSIZE=512 NUM_THREADS=ALL_CPUS';
const toOptions = (flag: string, options: string): string[] => words(options).flatMap((word) => [flag, word]);

/** NDVI of a whole scene; the predictor of Swath's files would make the file smaller and take GDAL more time. */
export function toNdvi({ scene, work }: PeerFolders): PeerWork {
  const file = join(work, 'ndvi.tif');
  const options = [
    ...words('--quiet --overwrite --type=Float32 --NoDataValue=-9999'),
    ...toOptions('--co', TILED),
  ];
  const inputs = ['-A', toBandPath(scene, 'B08'), '-B', toBandPath(scene, 'B04')];
  const calc = '--calc=(A.astype(float32)-B)/(A.astype(float32)+B)';
  return { file, commands: [['gdal_calc.py', ...options, ...inputs, calc, `--outfile=${file}`]] };
}

/** Several bands as one virtual file. */
const toVrt = (vrt: string, scene: string, bands: readonly string[]): string[] => [
  ...words('gdalbuildvrt -q -overwrite -separate'),
  vrt,
  ...bands.map((band) => toBandPath(scene, band)),
];

/** Bands in one file, with the predictor that they have themselves; a window of them when one is given. */
export function toBands(
  { scene, work }: PeerFolders,
  bands: readonly string[],
  window: readonly number[] | null,
): PeerWork {
  const [vrt, file] = [join(work, 'bands.vrt'), join(work, 'bands.tif')];
  const crop = window === null ? [] : ['-srcwin', ...window.map(String)];
  const options = toOptions('-co', `${TILED} PREDICTOR=2 INTERLEAVE=BAND`);
  return {
    file,
    commands: [toVrt(vrt, scene, bands), ['gdal_translate', '-q', ...crop, ...options, vrt, file]],
  };
}

/** The quality of a JPEG, on both sides. */
const QUALITY = 85;

/**
 * A picture in Web Mercator: bands are warped as they are into a file without compression, and stretched on the way into
 * the JPEG. The fastest of five ways that were tried: warping bytes takes as long, because a virtual file that stretches
 * is slow and making a real one takes ten seconds on one core; and the JPEG driver reads line by line, for which a
 * virtual file that warps takes a third more.
 */
export function toPicture(
  { scene, work }: PeerFolders,
  bands: readonly string[],
  { width, height, geoTransform: [left, pixelWidth, , top, , pixelHeight] }: FileFacts,
): PeerWork {
  const [vrt, warped, file] = [join(work, 'bands.vrt'), join(work, 'warped.tif'), join(work, 'picture.jpg')];
  const extent = [left, top + height * pixelHeight, left + width * pixelWidth, top].map(String);
  return {
    file,
    commands: [
      toVrt(vrt, scene, bands),
      [
        ...words(
          'gdalwarp -q -overwrite -t_srs EPSG:3857 -r cubic -multi -wo NUM_THREADS=ALL_CPUS -co TILED=YES',
        ),
        ...['-te', ...extent, '-ts', String(width), String(height), vrt, warped],
      ],
      [
        ...words(
          `gdal_translate -q -of JPEG -ot Byte -scale ${RANGE.join(' ')} 1 255 -co QUALITY=${QUALITY}`,
        ),
        ...[warped, file],
      ],
    ],
  };
}
