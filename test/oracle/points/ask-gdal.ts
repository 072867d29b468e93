import { spawnSync } from 'node:child_process';

/** A position in degrees. */
export interface Position {
  readonly lon: number;
  readonly lat: number;
}

/** What GDAL finds at a position: the values that are right there; null if it lies outside the image. */
export type Found = readonly number[] | null;

interface Image {
  readonly path: string;
  /** Counted from 0. */
  readonly bandIndex: number;
  /** Georeferenced by control points, which gdallocationinfo does not understand. */
  readonly hasLattice: boolean;
}

/** The values of an image at positions, by GDAL's own programs. */
export function askGdal(image: Image, positions: readonly Position[]): readonly Found[] {
  if (image.hasLattice) return positions.map((position) => askByControlPoints(image, position));
  const lines = positions.map(({ lon, lat }) => `${lon} ${lat}`);
  return askLocations(image, ['-wgs84'], lines);
}

function askLocations({ path, bandIndex }: Image, options: readonly string[], lines: readonly string[]) {
  const words = ['-xml', '-b', String(bandIndex + 1), ...options, path];
  const text = run('gdallocationinfo', words, lines);
  const reports = text.split('<Report').slice(1);
  if (reports.length !== lines.length) throw new Error(`${reports.length} answers of ${path}: ${text}`);
  return reports.map((report): Found => {
    const [, value] = /<Value>(.*?)<\/Value>/.exec(report) ?? [];
    return value === undefined ? null : [Number(value)];
  });
}

/**
 * Between control points everybody interpolates in a way of his own: ours passes through all of them, as GDAL's thin
 * plate splines do. Both agree to less than a pixel, so the right values are those of the pixel and its neighbours.
 */
function askByControlPoints(image: Image, { lon, lat }: Position): Found {
  const [col = Number.NaN, row = Number.NaN] = run(
    'gdaltransform',
    ['-i', '-tps', image.path],
    [`${lon} ${lat}`],
  )
    .split(' ')
    .map(Number);
  const [x, y] = [Math.floor(col), Math.floor(row)];
  const steps = [-1, 0, 1];
  const around = steps.flatMap((dy) => steps.map((dx) => `${x + dx} ${y + dy}`));
  const values = askLocations(image, [], around).flatMap((found) => found ?? []);
  return values.length === 0 ? null : values;
}

function run(program: string, words: readonly string[], lines: readonly string[]): string {
  const { stdout, stderr, error } = spawnSync(program, words, {
    input: `${lines.join('\n')}\n`,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (error !== undefined) {
    console.error(`${program} could not be run (on Debian: apt install gdal-bin): ${error.message}`);
    process.exit(2);
  }
  if (stdout === '') throw new Error(`${program} ${words.join(' ')}: ${stderr}`);
  return stdout;
}
