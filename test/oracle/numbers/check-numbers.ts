/**
 * Compares statistics and intensity ranges with NumPy's on planes of many kinds: `npm run node -- test/oracle/numbers/check-numbers.ts`.
 * Needs a Python with NumPy. Order statistics must be the same to the last bits, whatever NumPy's sums lose by rounding.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { intensityRange, summarize } from '../../../src/numbers/index.ts';
import { findPython } from '../tiff/find-python.ts';

/** Doubles summed and interpolated in another order; as part of the largest number that took part. */
const MAX_RELATIVE = 1e-13;

let state = 4711;
const random = (): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
};
const bell = (): number => random() + random() + random() - 1.5;

/** What a pixel of a plane may hold. */
const kinds: Readonly<Record<string, () => number>> = {
  index: () => 0.3 + 0.4 * bell(),
  numbers: () => Math.round(3000 + 1500 * bell()),
  bytes: () => Math.floor(256 * random()),
  kelvin: () => 280 + 10 * bell(),
  scattered: () => bell() * 10 ** (60 * random() - 30),
  'far away': () => 16_000_000 + Math.floor(9 * random()),
  'mostly zero': () => (random() < 0.9 ? 0 : bell()),
  'one value': () => 0.1,
};
const sizes = [1, 2, 3, 10, 997, 50_000];

/** What an error is a part of. NumPy's mean is rounded, so it finds some spread among equal numbers. */
function scaleOf(key: string, wanted: Readonly<Record<string, number>>, largest: number): number {
  if (key === 'count') return 1;
  if (key === 'variance') return wanted.variance! + 1e-15 * largest ** 2;
  if (key === 'std') return wanted.std! + 1e-3 * largest;
  return largest;
}

const folder = mkdtempSync(join(tmpdir(), 'swath-stats-'));
try {
  const cases = Object.entries(kinds).flatMap(([kind, make]) =>
    sizes.map((size) => {
      const values = new Float32Array(size).map(() => (random() < 0.02 ? Number.NaN : make()));
      values[0] = make();
      const mask = new Uint8Array(size).map((_, i) => Number(i === 0 || random() < 0.9));
      return { name: `${kind} ${size}`, file: `${kind}-${size}.raw`, values, mask };
    }),
  );
  for (const { file, values, mask } of cases)
    writeFileSync(
      join(folder, file),
      values.map((value, i) => (mask[i] === 1 ? value : Number.NaN)),
    );
  writeFileSync(join(folder, 'jobs.json'), JSON.stringify(cases.map(({ file }) => file)));
  const script = fileURLToPath(new URL('numpy_numbers.py', import.meta.url));
  const judged: Readonly<Record<string, number>>[] = JSON.parse(
    execFileSync(findPython(), [script, folder], { encoding: 'utf8' }),
  );
  let bad = 0;
  let worst = 0;
  for (const [i, { name, values, mask }] of cases.entries()) {
    const wanted = judged[i]!;
    const sample = { values, mask };
    const cut = intensityRange(sample, { method: 'cc', lowPercent: 2, highPercent: 98, cloudPercent: 20 });
    const around = intensityRange(sample, { method: 'mean', multiplier: 2 });
    const tails = intensityRange(sample, { method: 'histogram' });
    const got: Record<string, number | undefined> = {
      ...summarize(values, mask),
      ccMin: cut?.min,
      ccMax: cut?.max,
      meanMin: around?.min,
      meanMax: around?.max,
      histogramMin: tails?.min,
      histogramMax: tails?.max,
    };
    const largest = Math.max(Math.abs(wanted.min!), Math.abs(wanted.max!));
    for (const key of Object.keys(wanted).concat(Object.keys(got))) {
      const scale = scaleOf(key, wanted, largest);
      const off = Math.abs((got[key] ?? Number.NaN) - (wanted[key] ?? Number.NaN)) / (scale || 1);
      worst = Math.max(worst, off);
      if (off <= MAX_RELATIVE) continue;
      bad++;
      console.log(`MISMATCH ${name}: ${key} ${got[key]} is not ${wanted[key]}`);
    }
  }
  console.log(`${cases.length} planes, worst ${worst.toExponential(1)}, ${bad} mismatches`);
  process.exitCode = bad === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}
