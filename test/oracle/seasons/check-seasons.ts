/**
 * Asks NumPy and SciPy whether curves, seasons, normals and anomalies are right: `npm run oracle seasons`. Random years of
 * one, two or no crop, with haze, gaps and clouds, go through src/seasons; judge_seasons.py computes the same from the
 * formulas of docs/use/seasons.md by other means: sparse matrices, peaks by prominence, integrals by quadrature.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Sample } from '../../../src/seasons/index.ts';
import {
  findSeasons,
  smoothSeries,
  splitYears,
  toAnomaly,
  toDayNumber,
  toNormals,
} from '../../../src/seasons/index.ts';
import { hasPython, installPython } from '../../support/python-packages.ts';

const PACKAGES = ['numpy==2.4.6', 'scipy==1.17.1'];
const CASES = 120;

let state = 20_261_117;
const random = (): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
};
const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!;

/** What an index does over a year on one piece of ground. */
function makeGround(crops: number) {
  const base = 0.1 + 0.15 * random();
  const peaks = Array.from({ length: crops }, (_, i) => ({
    day: 90 + (180 * i) / Math.max(1, crops - 1 || 1) + 40 * random(),
    height: 0.3 + 0.4 * random(),
    width: 20 + 25 * random(),
  }));
  return (day: number): number => {
    const inYear = ((day % 365.25) + 365.25) % 365.25;
    const shape = (at: number, width: number): number => Math.exp(-(((inYear - at) / width) ** 2));
    return peaks.reduce((sum, { day: at, height, width }) => sum + height * shape(at, width), base);
  };
}

function makeSamples(firstDay: number, days: number, crops: number): readonly Sample[] {
  const indexOn = makeGround(crops);
  const samples: Sample[] = [];
  for (let day = firstDay; day < firstDay + days; day += pick([2, 3, 5, 5, 5, 10])) {
    // Winters without sun, and months under clouds.
    if (random() < 0.02) day += Math.floor(90 * random());
    const haze = random() < 0.15 ? 0.3 * random() : 0;
    const value = indexOn(day) - haze + 0.02 * (random() - 0.5);
    samples.push({ day, value, weight: pick([1, 1, 1, 0.6, 0.05]) });
    if (random() < 0.05) samples.push({ day, value: value - 0.1, weight: 0.4 });
  }
  return samples;
}

function makeCase(number: number) {
  const firstDay = toDayNumber(pick(['2015-07-04', '2016-01-01', '2017-11-30', '2019-02-20']));
  const samples = makeSamples(firstDay, pick([90, 400, 1500, 2800]), pick([0, 1, 1, 2]));
  const smoothing = {
    smoothness: pick([10, 1000, 1000, 50_000]),
    maxGapDays: pick([30, 60]),
    envelope: pick([null, null, 0.8, 0.95]),
  };
  const seasons = {
    startFraction: pick([0.1, 0.2, 0.5]),
    endFraction: pick([0.2, 0.5]),
    minAmplitude: pick([0.02, 0.1]),
    minRangeFraction: pick([0, 0.25]),
  };
  const normalOptions = { windowDays: pick([1, 7, 15, 31]), minYears: pick([1, 2, 3]) };
  const curve = smoothSeries(samples, smoothing);
  if (curve === null) throw new Error(`Case ${number} has no curve.`);
  const last = curve.firstDay + curve.values.length - 1;
  const years = splitYears(curve);
  const thisYear = Math.max(...years.keys());
  const normals = toNormals(new Map([...years].filter(([year]) => year < thisYear)), normalOptions);
  const value = curve.values.at(-1)!;
  return {
    input: { samples, smoothing, seasons, normals: normalOptions, anomaly: { day: last, value } },
    got: {
      firstDay: curve.firstDay,
      curve: [...curve.values],
      seasons: findSeasons(curve, seasons),
      years: normals.years,
      normals: Object.fromEntries(
        (['counts', 'mean', 'median', 'p10', 'p90', 'min', 'max', 'std'] as const).map((name) => [
          name,
          [...normals[name]],
        ]),
      ),
      anomaly: toAnomaly(value, last, normals),
    },
  };
}

if (!hasPython()) {
  console.error('This check needs python3.');
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'swath-oracle-seasons-'));
try {
  const file = join(folder, 'cases.json');
  // JSON has no NaN: a gap is null.
  writeFileSync(file, JSON.stringify(Array.from({ length: CASES }, (_, i) => makeCase(i))));
  const bin = await installPython('oracle-seasons', PACKAGES, console.log);
  const script = fileURLToPath(new URL('judge_seasons.py', import.meta.url));
  const { status } = spawnSync(join(bin, 'python'), [script, file], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}
