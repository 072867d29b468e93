/**
 * CPU time of band math over 256 x 256 pixels compared with NumPy and numexpr: `npm run bench -- bandmath`.
 *
 * All sides compute on one thread, rounds alternate, and the best of each side counts. Masks are part of Swath's time
 * only. Needs python3 with numpy and numexpr.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseExpressions } from '../../src/bandmath/index.ts';
import type { BandPlane } from '../../src/raster/index.ts';
import { loadKernels, makeComputeBands } from '../../src/raster/index.ts';
import { measureWholeScene } from './whole-scene.ts';

const SIDE_PX = 256;
const COUNT = SIDE_PX * SIDE_PX;
const REPEATS = 200;
const ROUNDS = 5;

const cases = {
  ndvi: '(B2-B1)/(B2+B1)',
  six: 'where(logical_and(greater(B1,B2),less(B3,B4)),(B5-B6)/(B5+B6),sqrt(B1*B2)-0.5*B3)',
  decibel: '10.0*log10(B1*B1)',
} as const;

const names = {
  find: (name: string) => (/^B[1-6]$/.test(name) ? ({ kind: 'band', name, resolutionM: 10 } as const) : null),
  all: [],
};
const kernels = loadKernels();
const compute = makeComputeBands(kernels);

/** CPU microseconds of one window. */
function measure(work: () => void): number {
  work();
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round++) {
    const before = process.cpuUsage();
    for (let i = 0; i < REPEATS; i++) work();
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / REPEATS);
  }
  return best;
}

function measureSwath(text: string): number {
  const tree = parseExpressions(text, names);
  const allocate = kernels.begin();
  const inputs = tree.inputs.map(({ band }): BandPlane => {
    const valuesAt = allocate(4 * COUNT);
    const seed = Number(band.slice(1));
    const values = new Float32Array(kernels.buffer(), valuesAt, COUNT);
    for (let i = 0; i < COUNT; i++) values[i] = 1 + ((Math.imul(i + seed, 0x9e3779b1) >>> 16) % 10_000);
    return { valuesAt, maskAt: 0, rule: 'plain', parameters: [], secondAt: 0 };
  });
  // What a run takes is given back after it, so that two hundred of them fit into the memory.
  const room = allocate(16 * COUNT * tree.outputs.length);
  const fromRoom = () => {
    let next = room;
    return (bytes: number): number => {
      const at = next;
      next += Math.ceil(bytes / 16) * 16;
      return at;
    };
  };
  return measure(() => void compute(fromRoom(), { tree, inputs, count: COUNT }));
}

/** A new expression each time: parsing, compiling and the first 16 pixels. */
function measureNew(): number {
  let number = 0;
  return measure(() => {
    number += 1;
    const tree = parseExpressions(`(B2-B1)/(B2+B1+${number}.5)`, names);
    const allocate = kernels.begin();
    const inputs = tree.inputs.map(
      (): BandPlane => ({
        valuesAt: allocate(64),
        maskAt: 0,
        rule: 'plain',
        parameters: [],
        secondAt: 0,
      }),
    );
    compute(allocate, { tree, inputs, count: 16 });
  });
}

const peer = fileURLToPath(new URL('./peer.py', import.meta.url));
for (const [name, text] of Object.entries(cases)) {
  const best = { swath: Infinity, numpy: Infinity, numexpr: Infinity };
  for (let round = 0; round < ROUNDS; round++) {
    const peers = JSON.parse(execFileSync('python3', [peer, name], { encoding: 'utf8' })) as typeof best;
    best.swath = Math.min(best.swath, measureSwath(text));
    best.numpy = Math.min(best.numpy, peers.numpy);
    best.numexpr = Math.min(best.numexpr, peers.numexpr);
  }
  const show = (us: number): string => `${us.toFixed(1)} µs`;
  console.log(
    `${name.padEnd(8)} Swath ${show(best.swath)}, NumPy ${show(best.numpy)} (${(best.numpy / best.swath).toFixed(1)}×), ` +
      `numexpr ${show(best.numexpr)} (${(best.numexpr / best.swath).toFixed(1)}×)`,
  );
}
console.log(`a new expression: ${measureNew().toFixed(0)} µs`);

const { readS, mathS } = await measureWholeScene();
console.log(
  `NDVI of 10980² pixels: reading ${readS.toFixed(2)} s, math ${mathS.toFixed(2)} s (${((100 * mathS) / (readS + mathS)).toFixed(0)} %)`,
);
