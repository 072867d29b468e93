/**
 * Asks scikit-learn, NumPy, SciPy and Shapely whether zones are right, and the Python package isoxml whether a task follows
 * ISO 11783-10: `npm run oracle zones`. Random fields with holes go through src/zones; judge_zones.py computes the same by
 * other means. The classes of isoxml were generated from the schema of the standard, with its patterns and ranges.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { classify, takeMajority } from '../../../src/zones/classify.ts';
import { combineLayers } from '../../../src/zones/combine-layers.ts';
import { drawZones } from '../../../src/zones/draw-zones.ts';
import type { RateUnit } from '../../../src/zones/prescription.ts';
import { RATE_UNITS } from '../../../src/zones/prescription.ts';
import { toTaskData } from '../../../src/zones/task-data.ts';
import { hasPython, installPython } from '../../support/python-packages.ts';

const PACKAGES = [
  ...['numpy==2.4.6', 'scipy==1.17.1', 'scikit-learn==1.8.0', 'shapely==2.1.2'],
  ...['isoxml==0.0.4', 'xsdata==25.7', 'lxml==6.0.2', 'pyproj==3.7.2'],
];
const CASES = 24;

let state = 20_261_118;
const random = (): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
};
const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!;

/** Smooth hills with some noise, and a cloud that hides a part. */
function makeLayer(width: number, height: number, inside: Uint8Array): Float32Array {
  const hills = Array.from({ length: 4 }, () => ({
    x: width * random(),
    y: height * random(),
    size: 4 + 10 * random(),
    height: random() - 0.3,
  }));
  const cloud = { x: width * random(), y: height * random(), radius: 6 * random() };
  return new Float32Array(width * height).map((_, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    if (inside[i] === 0 || Math.hypot(x - cloud.x, y - cloud.y) < cloud.radius) return Number.NaN;
    const shape = hills.reduce(
      (sum, hill) =>
        sum + hill.height * Math.exp(-(((x - hill.x) / hill.size) ** 2) - ((y - hill.y) / hill.size) ** 2),
      0.5,
    );
    return shape + 0.05 * (random() - 0.5);
  });
}

function makeCase(number: number) {
  const [width, height] = [20 + Math.floor(30 * random()), 20 + Math.floor(30 * random())];
  // A field of any shape: a disc with a bite.
  const [middleX, middleY, radius] = [width / 2, height / 2, Math.min(width, height) / 2 - 1];
  const inside = new Uint8Array(width * height).map((_, i) => {
    const [x, y] = [(i % width) + 0.5, Math.floor(i / width) + 0.5];
    const isBitten = Math.hypot(x - width, y - middleY) < radius / 2;
    return Number(Math.hypot(x - middleX, y - middleY) <= radius && !isBitten);
  });
  const layers = Array.from({ length: pick([1, 1, 3, 5]) }, () => makeLayer(width, height, inside));
  const field = { width, height, inside };
  const { scores, values } = combineLayers(layers);
  const count = pick([2, 3, 4, 5, 7]);
  const rules = { count, smoothing: 0, minPixels: 0 };
  const kmeans = classify(scores, { ...field, inside: known(scores) }, { ...rules, method: 'kmeans' });
  const quantiles = classify(scores, { ...field, inside: known(scores) }, { ...rules, method: 'quantiles' });
  const grid = {
    epsg: 32_631,
    transform: [500_000 + 100 * number, 10, 0, 5_400_000, 0, -10] as const,
    width,
    height,
  };
  const shape = { layers, grid, inside, count, method: 'kmeans' as const, smoothing: 1, minHectares: 0.05 };
  const [zones, simple] = [0, 0.75].map((tolerancePx) => drawZones({ ...shape, tolerancePx, border: null }));
  const unit = pick(Object.keys(RATE_UNITS) as RateUnit[]);
  const taskData = toTaskData({
    zones: simple!,
    boundary: zones![0]!.geometry,
    fieldName: `Field ${number} <&"'> grün`,
    taskName: 'Spring',
    prescription: { product: 'Urea', unit, rates: Array.from({ length: count }, (_, i) => 10 * i + 0.5) },
    softwareVersion: '0.2.0',
  });
  return {
    width,
    height,
    count,
    epsg: grid.epsg,
    transform: grid.transform,
    inside: [...inside],
    layers: layers.map((layer) => [...layer]),
    scores: [...scores],
    values: [...values],
    kmeans: [...kmeans],
    quantiles: [...quantiles],
    majority: [...takeMajority(kmeans, field)],
    zones: zones!.map(toPlain),
    simple: simple!.map(toPlain),
    taskData,
    rates: { unit, factor: RATE_UNITS[unit].factor, ddi: RATE_UNITS[unit].ddi },
  };
}

const known = (scores: Float32Array): Uint8Array =>
  Uint8Array.from(scores, (score) => Number(!Number.isNaN(score)));
const toPlain = ({
  number,
  geometry,
  hectares,
  percent,
  values,
  patches,
}: ReturnType<typeof drawZones>[number]) => ({
  number,
  geometry,
  hectares,
  percent,
  values,
  patches,
});

if (!hasPython()) {
  console.error('This check needs python3.');
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'swath-oracle-zones-'));
try {
  const file = join(folder, 'cases.json');
  // JSON has no NaN: what is hidden is null.
  writeFileSync(file, JSON.stringify(Array.from({ length: CASES }, (_, i) => makeCase(i))));
  const bin = await installPython('oracle-zones', PACKAGES, console.log);
  const script = fileURLToPath(new URL('judge_zones.py', import.meta.url));
  const { status } = spawnSync(join(bin, 'python'), [script, file], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}
