import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Copies time series of a folder of samples into another, under the names that agencies give them; how many images. */
export function layOutSeries(samples: string, target: string): number {
  return (
    layOutCbers(join(samples, 'cbers4_awfi_sits/cbers'), target) +
    layOutModis(join(samples, 'modis_sits/mod13q1'), target)
  );
}

const CBERS = /^CBERS-4_AWFI_(\d{3})(\d{3})_B(1[3-6])_(\d{4})-(\d\d)-(\d\d)\.tif$/;

function layOutCbers(source: string, target: string): number {
  let images = 0;
  for (const match of list(source).map((name) => CBERS.exec(name))) {
    if (match === null) continue;
    const [name, path, row, band, year, month, day] = match;
    const product = `CBERS_4_AWFI_${year}${month}${day}_${path}_${row}_L4`;
    mkdirSync(join(target, product), { recursive: true });
    copyFileSync(join(source, name), join(target, product, `${product}_BAND${band}.tif`));
    images += 1;
  }
  return images;
}

const MODIS = /_NDVI_(\d{4}-\d\d-\d\d)\.jp2$/;

/**
 * These are images of NDVI and not of bands: that of a date is stored as the near infrared, that of the date before as red.
 * So they are numbers on a real grid, and nothing that MODIS has measured.
 */
function layOutModis(source: string, target: string): number {
  const names = list(source).filter((name) => MODIS.test(name));
  let images = 0;
  for (const [i, name] of names.entries()) {
    const before = names[i - 1];
    const date = MODIS.exec(name)?.[1];
    if (before === undefined || date === undefined) continue;
    const start = Date.parse(`${date.slice(0, 4)}-01-01T00:00:00Z`);
    const dayOfYear = 1 + Math.round((Date.parse(`${date}T00:00:00Z`) - start) / 86_400_000);
    const day = `${date.slice(0, 4)}${String(dayOfYear).padStart(3, '0')}`;
    const product = `MCD43A4.A${day}.h12v10.006.${day}120000`;
    const folder = join(target, product);
    mkdirSync(folder, { recursive: true });
    for (const [image, band] of [
      [name, 'B02'],
      [before, 'B01'],
    ] as const) {
      const path = join(folder, `${product}_${band}.TIF`);
      const made = spawnSync('gdal_translate', ['-q', '-of', 'GTiff', join(source, image), path]);
      if (made.status !== 0) throw new Error(`${image}: ${made.stderr}`);
      images += 1;
    }
  }
  return images;
}

const list = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder).sort() : []);
