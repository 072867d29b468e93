/**
 * Asks NumPy, SciPy and scikit-image whether the speckle filter and Otsu's threshold are right: `npm run oracle classes`.
 * judge_classes.py filters the same amplitudes by moving means of whole arrays, and finds the same thresholds.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findOtsuThreshold } from '../../../src/numbers/index.ts';
import { loadKernels } from '../../../src/raster/index.ts';
import { putPlanes } from '../../../src/raster/testing/put-planes.ts';
import { makeRandom } from '../../../src/stack/testing/put-scenes.ts';
import { hasPython, installPython } from '../../support/python-packages.ts';

const PACKAGES = ['numpy==2.4.6', 'scipy==1.17.1', 'scikit-image==0.26.0'];

const IMAGES = [
  { seed: 1, width: 200, height: 150, looks: 4.4, radius: 3, emptyShare: 0 },
  { seed: 2, width: 131, height: 97, looks: 1, radius: 3, emptyShare: 0.1 },
  { seed: 3, width: 64, height: 64, looks: 81.8, radius: 2, emptyShare: 0.6 },
  { seed: 4, width: 7, height: 5, looks: 4.4, radius: 3, emptyShare: 0 },
  { seed: 5, width: 90, height: 90, looks: 10, radius: 5, emptyShare: 0.01 },
];
const HISTOGRAMS = [11, 12, 13, 14, 15, 16];
const BINS = 256;

const kernels = loadKernels();

/** Even patches of very different brightness, with noise, as whole numbers of 16 bits. */
function makeAmplitudes({ seed, width, height, emptyShare }: (typeof IMAGES)[number]) {
  const random = makeRandom(seed);
  const mask = new Uint8Array(width * height).fill(1);
  const values = new Float32Array(width * height).map((_, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    const level = 40 * 3 ** ((Math.floor(x / 17) + Math.floor(y / 13)) % 5);
    if (random() < emptyShare) mask[i] = 0;
    return Math.min(65_535, Math.max(1, Math.round(level * Math.sqrt(-Math.log(1 - random())))));
  });
  return { values, mask };
}

/** Counts of two bells over each other. */
function makeCounts(seed: number): readonly number[] {
  const random = makeRandom(seed);
  const [first, second, share] = [60 * random(), 120 + 100 * random(), random()];
  const bell = (bin: number, middle: number): number => Math.exp(-((bin - middle) ** 2) / 800);
  return Array.from({ length: BINS }, (_, bin) =>
    Math.round(1_000 * (share * bell(bin, first) + (1 - share) * bell(bin, second))),
  );
}

if (!hasPython()) {
  console.error('Python 3 is needed.');
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'swath-oracle-classes-'));
try {
  for (const image of IMAGES) {
    const { width, height, radius, looks, seed } = image;
    const { values, mask } = makeAmplitudes(image);
    const put = putPlanes(kernels, [values, new Float32Array(values.length)], mask);
    const [from = 0, to = 0] = put.at;
    const columns = put.allocate(24 * width);
    const all = [0, 0, width, height] as const;
    kernels.run.filterSpeckle(from, put.maskAt, width, height, ...all, to, columns, radius, 1 / looks);
    writeFileSync(join(folder, `${seed}.values`), values);
    writeFileSync(join(folder, `${seed}.mask`), mask);
    writeFileSync(join(folder, `${seed}.filtered`), put.plane(1));
  }
  const thresholds = HISTOGRAMS.map((seed) => {
    const counts = makeCounts(seed);
    return { counts, threshold: findOtsuThreshold(counts, { min: 0, max: BINS })?.threshold };
  });
  writeFileSync(join(folder, 'jobs.json'), JSON.stringify({ images: IMAGES, thresholds }));
  const bin = await installPython('swath-oracle-classes', PACKAGES, console.log);
  const script = fileURLToPath(new URL('judge_classes.py', import.meta.url));
  process.exitCode = spawnSync(join(bin, 'python'), [script, folder], { stdio: 'inherit' }).status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}
