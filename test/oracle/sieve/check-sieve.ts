/**
 * Compares our sieve with GDAL's on random label images: `npm run node -- test/oracle/sieve/check-sieve.ts`. GDAL's is applied until
 * it changes nothing more, as ours is. Needs a Python with GDAL. Every pixel must be the same.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sieve } from '../../../src/numbers/index.ts';
import { findPython } from '../tiff/find-python.ts';

interface SieveCase {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly minPixels: number;
  readonly labels: Uint8Array;
}

/** Numbers from 0 up to 1, always the same. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Labels 1 to `kinds` in patches of about `patchPx`, some of them scattered, some pixels without a label. */
function makeLabels(seed: number, { width, height, kinds, patchPx, noise, empty }: LabelStyle): Uint8Array {
  const random = makeRandom(seed);
  const cols = Math.ceil(width / patchPx) + 1;
  const coarse = new Uint8Array(cols * (Math.ceil(height / patchPx) + 1)).map(
    () => 1 + Math.floor(random() * kinds),
  );
  return new Uint8Array(width * height).map((_, i) => {
    if (random() < empty) return 0;
    if (random() < noise) return 1 + Math.floor(random() * kinds);
    const [x, y] = [i % width, Math.floor(i / width)];
    return coarse[Math.floor(y / patchPx) * cols + Math.floor(x / patchPx)]!;
  });
}

interface LabelStyle {
  readonly width: number;
  readonly height: number;
  readonly kinds: number;
  readonly patchPx: number;
  readonly noise: number;
  readonly empty: number;
}

const styles: readonly LabelStyle[] = [
  { width: 97, height: 61, kinds: 3, patchPx: 9, noise: 0.2, empty: 0 },
  { width: 64, height: 64, kinds: 2, patchPx: 1, noise: 0, empty: 0 },
  { width: 80, height: 50, kinds: 5, patchPx: 5, noise: 0.5, empty: 0.1 },
  { width: 1, height: 90, kinds: 3, patchPx: 4, noise: 0.3, empty: 0.05 },
  { width: 90, height: 1, kinds: 3, patchPx: 4, noise: 0.3, empty: 0.05 },
  { width: 256, height: 256, kinds: 20, patchPx: 16, noise: 0.1, empty: 0.02 },
  { width: 120, height: 120, kinds: 4, patchPx: 2, noise: 0.9, empty: 0.3 },
];

const cases: SieveCase[] = styles.flatMap((style, s) =>
  [1, 2, 3, 5, 20, 100].flatMap((minPixels) =>
    [0, 1, 2].map((round) => ({
      name: `${s}-${minPixels}-${round}`,
      ...style,
      minPixels,
      labels: makeLabels(1000 * s + 10 * minPixels + round, style),
    })),
  ),
);

const folder = mkdtempSync(join(tmpdir(), 'swath-sieve-'));
try {
  for (const { name, labels } of cases) writeFileSync(join(folder, `${name}.raw`), labels);
  const jobs = cases.map(({ name, width, height, minPixels }) => ({ name, width, height, minPixels }));
  writeFileSync(join(folder, 'jobs.json'), JSON.stringify(jobs));
  const script = fileURLToPath(new URL('gdal_sieve_until_still.py', import.meta.url));
  console.log(execFileSync(findPython(), [script, folder], { encoding: 'utf8' }).trim());
  let [bad, changed] = [0, 0];
  for (const one of cases) {
    const wanted = readFileSync(join(folder, `${one.name}.sieved`));
    const got = sieve(one, one.minPixels);
    const others = got.reduce((sum, label, i) => sum + Number(label !== wanted[i]), 0);
    changed += Number(Buffer.compare(wanted, one.labels) !== 0);
    if (others === 0) continue;
    bad++;
    console.log(`MISMATCH ${one.name}: ${others} of ${got.length} pixels`);
  }
  console.log(`${cases.length} images, ${changed} of them changed by GDAL, ${bad} mismatches`);
  process.exitCode = bad === 0 && changed > cases.length / 2 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}
