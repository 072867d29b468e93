/**
 * Compares our projections with PROJ's: `npm run node -- test/oracle/proj/check-proj.ts`. Needs a Python with pyproj, tried in turn:
 * $PROJ_PYTHON, python3, /usr/bin/python3. Prints a table and fails on a difference of more than a millimetre.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Position } from '../../../src/proj/index.ts';
import { makeProjection } from '../../../src/proj/index.ts';
import { projCases } from './proj-cases.ts';

const MAX_M = 1e-3;
const METRES_PER_DEGREE = 111_320;

const jobs = projCases.map(({ crs, judge, area: [west, south, east, north] }) => {
  const points: Position[] = [];
  for (let i = 0; i <= 20; i++) {
    for (let k = 0; k <= 20; k++)
      points.push([west + ((east - west) * i) / 20, south + ((north - south) * k) / 20]);
  }
  return { from: 4326, to: judge ?? crs, points };
});
const python = [process.env.PROJ_PYTHON, 'python3', '/usr/bin/python3'].find(
  (path) => path !== undefined && spawnSync(path, ['-c', 'import pyproj']).status === 0,
);
if (python === undefined) throw new Error('No Python with pyproj found; set PROJ_PYTHON to one.');
const script = fileURLToPath(new URL('proj_points.py', import.meta.url));
const { version, answers } = JSON.parse(
  execFileSync(python, [script], { input: JSON.stringify(jobs), encoding: 'utf8', maxBuffer: 2 ** 28 }),
);

console.log(`PROJ ${version}\nsystem                          points  worst forward  worst back (m)`);
let bad = 0;
for (const [i, { name, crs }] of projCases.entries()) {
  const { points } = jobs[i]!;
  const { forward, inverse } = makeProjection(4326, crs);
  const isDegrees = Math.abs(answers[i][0]?.[0] ?? 1e6) <= 360;
  let [there, back, compared] = [0, 0, 0];
  for (const [k, [lon, lat]] of points.entries()) {
    const wanted: Position | null = answers[i][k];
    if (wanted === null) continue;
    compared++;
    const got = forward(lon, lat);
    const off = Math.hypot(got[0] - wanted[0], got[1] - wanted[1]) * (isDegrees ? METRES_PER_DEGREE : 1);
    there = Math.max(there, Number.isNaN(off) ? Number.POSITIVE_INFINITY : off);
    const [backLon, backLat] = inverse(...wanted);
    const turned = (((backLon - lon + 540) % 360) - 180) * Math.cos((lat * Math.PI) / 180);
    const offBack = Math.hypot(turned, backLat - lat) * METRES_PER_DEGREE;
    back = Math.max(back, Number.isNaN(offBack) ? Number.POSITIVE_INFINITY : offBack);
  }
  const isGood = compared > 0 && there <= MAX_M && back <= MAX_M;
  if (!isGood) bad++;
  const numbers = `${String(compared).padStart(7)}  ${there.toExponential(1).padStart(13)}  ${back.toExponential(1)}`;
  console.log(`${name.padEnd(31)}${numbers}${isGood ? '' : '  MISMATCH'}`);
}
console.log(`${projCases.length} systems, ${bad} mismatches`);
process.exitCode = bad === 0 ? 0 : 1;
