/**
 * Writes files with pictures and lets GDAL judge each: that it opens, where it lies on the ground, and that its pixels
 * are those that gdalwarp draws there from the bands. Run by hand: `npm run oracle picture-files`.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PictureFile, PictureOrder } from '../../../src/exports/index.ts';
import { anOrder, aRun, openPictures, scene } from '../../../src/exports/pictures/testing/picture-kit.ts';
import { toOutline } from '../../../src/geo/index.ts';
import { makeProjection } from '../../../src/proj/index.ts';
import { findPython } from '../tiff/find-python.ts';

const judge = fileURLToPath(new URL('judge_picture_files.py', import.meta.url));
const RANGE = { min: 8_500, max: 12_500 };

/** A file, and what GDAL compares it with. */
interface JudgedFile {
  readonly name: string;
  readonly path: string;
  readonly file: PictureFile;
  readonly bands: readonly string[];
  readonly method: string;
  readonly range: typeof RANGE;
  readonly outline: readonly (readonly [number, number])[] | null;
}

const FILES: readonly PictureFile[] = [
  { kind: 'image', format: 'tiff' },
  { kind: 'world', format: 'png' },
  { kind: 'world', format: 'jpeg' },
  { kind: 'kmz' },
];
const { forward } = makeProjection(32631, 4326);
const FIELD = [
  [501_000, 4_699_000],
  [507_500, 4_698_200],
  [506_100, 4_693_000],
  [503_000, 4_695_500],
  [501_000, 4_699_000],
] as const;
const outline = FIELD.map(([x, y]): [number, number] => {
  const [lon, lat] = forward(x, y);
  return [lon, lat];
});

const ORDERS: Readonly<Record<string, Partial<PictureOrder>>> = {
  whole: {},
  near: { options: { ...anOrder.options, method: 'near' } },
  coarse: { pixel: { groundM: 60 }, options: { ...anOrder.options, method: 'average' } },
  fine: { pixel: { groundM: 12 } },
  area: { area: { kind: 'outline', outline: toOutline({ type: 'Polygon', coordinates: [outline] }) } },
  bounds: { area: { kind: 'bounds', bounds: { minX: 3.03, minY: 42.38, maxX: 3.08, maxY: 42.43 } } },
};

async function writeFiles(folder: string): Promise<readonly JudgedFile[]> {
  const kit = await openPictures(folder);
  const judged: JudgedFile[] = [];
  for (const [order, more] of Object.entries(ORDERS)) {
    for (const file of FILES) {
      const whole: PictureOrder = { ...anOrder, ...more, file };
      const options = { ...whole.options, range: RANGE };
      const planned = await kit.plan({ ...whole, options });
      const name = `${order} ${file.kind} ${'format' in file ? file.format : 'png'}`;
      const path = join(folder, `${order}-${'format' in file ? file.format : 'png'}-${planned.fileName}`);
      await planned.write(path, aRun);
      judged.push({
        name,
        path,
        file,
        range: RANGE,
        bands: whole.bands.split(',').map((band) => join(folder, scene.assets[band]?.href ?? '')),
        method: options.method ?? 'cubic',
        outline: whole.area?.kind === 'outline' ? outline : null,
      });
    }
  }
  return judged;
}

const folder = mkdtempSync(join(tmpdir(), 'picture-oracle-'));
try {
  const python = findPython();
  const files = await writeFiles(folder);
  writeFileSync(join(folder, 'files.json'), JSON.stringify(files));
  const run = spawnSync(python, [judge, join(folder, 'files.json')], { encoding: 'utf8' });
  console.log(run.stdout);
  if (run.status !== 0) console.error(run.stderr);
  process.exitCode = run.status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
