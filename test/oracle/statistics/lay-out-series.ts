import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Folders of samples whose files are named as their donors name them, and how the agencies name the same. */
const DONORS = [
  {
    folder: 'cbers4_awfi_sits/cbers',
    file: /^CBERS-4_AWFI_(\d{3})(\d{3})_B(1[3-6])_(\d{4})-(\d\d)-(\d\d)\.tif$/,
    toName: ([, path, row, band, year, month, day]: readonly string[]) => {
      const product = `CBERS_4_AWFI_${year}${month}${day}_${path}_${row}_L4`;
      return [product, `${product}_BAND${band}.tif`] as const;
    },
  },
] as const;

/** Links the time series of a folder of samples into another, under the names of their products; how many files. */
export function layOutSeries(samples: string, target: string): number {
  let count = 0;
  for (const { folder, file, toName } of DONORS) {
    const source = join(samples, folder);
    if (!existsSync(source)) continue;
    for (const name of readdirSync(source)) {
      const match = file.exec(name);
      if (match === null) continue;
      const [product, image] = toName(match);
      mkdirSync(join(target, product), { recursive: true });
      symlinkSync(join(source, name), join(target, product, image));
      count += 1;
    }
  }
  return count;
}
