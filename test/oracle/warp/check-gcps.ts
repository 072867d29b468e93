/**
 * Compares images georeferenced by control points (Sentinel-1) with GDAL: `npm run node -- test/oracle/warp/check-gcps.ts
 * [--write-golden] [product.tiff ...]`. Generated images have a known truth; products given as files are compared with
 * thin plate splines. Needs a Python with GDAL, see check-warp.ts. Prints a table and fails on a mismatch.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findPython } from '../tiff/find-python.ts';
import type { GcpFacts } from './gcp-facts.ts';
import { compareGcps, findFaults } from './gcp-facts.ts';

const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const make = (folder: string, ...words: string[]): string =>
  execFileSync(findPython(), [pathOf('make_gcps.py'), folder, ...words], { encoding: 'utf8' }).trim();

if (process.argv.includes('--write-golden')) {
  const golden = pathOf('../../golden/gcps');
  rmSync(golden, { recursive: true, force: true });
  mkdirSync(golden);
  console.log(make(golden, '--golden'));
}

const folder = mkdtempSync(join(tmpdir(), 'swath-gcps-'));
try {
  const products = process.argv.slice(2).filter((word) => !word.startsWith('--'));
  console.log(make(folder, ...products));
  const { cases }: { cases: GcpFacts[] } = JSON.parse(readFileSync(join(folder, 'facts.json'), 'utf8'));
  let bad = 0;
  for (const facts of cases) {
    const agreement = await compareGcps(facts, folder);
    const { nodesPx, roundTripPx, tpsPx, order3Px, truePx, warps } = agreement;
    const show = (px: number | null): string => (px === null ? '-' : px.toExponential(1));
    console.log(
      `${facts.name}: px off at control points ${show(nodesPx)}, there and back ${show(roundTripPx)}, from the truth ${show(truePx)}, from -tps ${show(tpsPx)}, from -order 3 ${show(order3Px)}`,
    );
    for (const { file, valid, maskShare, otherShare, worst, correlation, shiftPx } of warps) {
      const shares = `mask<> ${(100 * maskShare).toFixed(1)} % of the outline, value<> ${(100 * otherShare).toFixed(2)} %`;
      const fit = `r ${correlation.toFixed(6)}, shift ${shiftPx.map((px) => px.toFixed(4)).join(' ')} px`;
      console.log(
        `  ${file.padEnd(32)}${String(valid).padStart(8)} px, ${shares}, worst ${worst.toFixed(1)}, ${fit}`,
      );
    }
    const faults = findFaults(facts, agreement);
    for (const fault of faults) console.log(`  MISMATCH ${fault}`);
    bad += faults.length;
  }
  console.log(`${cases.length} images, ${bad} mismatches`);
  process.exitCode = bad === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}
