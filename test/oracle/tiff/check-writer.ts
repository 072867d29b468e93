/**
 * Writes the whole matrix of COGs and lets GDAL judge each file: layout, pixels, overviews, tags. Run by hand:
 *
 *     npm run node -- test/oracle/tiff/check-writer.ts             compare
 *     npm run node -- test/oracle/tiff/check-writer.ts --approve   and record the fingerprints of what GDAL approved
 *
 * The recorded fingerprints are what the default tests compare with, so that they need no GDAL.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeCogFile } from '../../../src/formats/cog/testing/write-cog.ts';
import { isGeographicCode } from '../../../src/formats/tiff/georeference/georeference.ts';
import { findPython } from './find-python.ts';
import { fingerprint } from './structure.ts';
import { toCasePixels, writerCases } from './writer-cases.ts';

const approvedFile = new URL('../../golden/tiff/approved-writer.json', import.meta.url);
const judge = fileURLToPath(new URL('check_writer.py', import.meta.url));

interface Verdict {
  readonly gdal: string;
  readonly problems: Readonly<Record<string, readonly string[]>>;
  readonly codeProblems: readonly string[];
  readonly codesCompared: number;
}

async function judgeAll(python: string, folder: string) {
  const cases = writerCases();
  const fingerprints: Record<string, string> = {};
  for (const { name, options } of cases) {
    const path = join(folder, `${name}.tif`);
    const bands = toCasePixels(options);
    await writeCogFile(path, options, bands, 7);
    const raw = Buffer.concat(bands.map((band) => Buffer.from(band.buffer)));
    writeFileSync(join(folder, `${name}.raw`), raw);
    fingerprints[name] = fingerprint(readFileSync(path), options.compression);
  }
  const expectations = cases.map(({ name, options }) => ({
    name,
    ...options,
    nodata: Number.isNaN(options.nodata) ? 'nan' : options.nodata,
  }));
  const geographic = Array.from({ length: 32_767 }, (_, code) => code).filter(isGeographicCode);
  writeFileSync(join(folder, 'cases.json'), JSON.stringify({ cases: expectations, geographic }));
  const run = spawnSync(python, [judge, folder], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (run.status !== 0) {
    console.error(run.stderr);
    process.exit(1);
  }
  const verdict: Verdict = JSON.parse(run.stdout);
  return { cases, fingerprints, verdict };
}

function report({ cases, fingerprints, verdict }: Awaited<ReturnType<typeof judgeAll>>): boolean {
  const rows = new Map<string, { files: number; wrong: number }>();
  for (const { name } of cases) {
    const key = name.split('-').slice(0, 3).join(' ');
    const row = rows.get(key) ?? { files: 0, wrong: 0 };
    rows.set(key, { files: row.files + 1, wrong: row.wrong + (verdict.problems[name]?.length ? 1 : 0) });
  }
  console.table(Object.fromEntries(rows));
  const wrong = Object.entries(verdict.problems).filter(([, problems]) => problems.length > 0);
  for (const [name, problems] of wrong.slice(0, 20)) console.error(`${name}: ${problems.join('; ')}`);
  for (const problem of verdict.codeProblems.slice(0, 20)) console.error(problem);
  const judged = Object.keys(verdict.problems).length;
  console.log(`GDAL ${verdict.gdal}: ${judged} files judged, ${wrong.length} wrong;`);
  console.log(`${verdict.codesCompared} EPSG codes compared, ${verdict.codeProblems.length} wrong`);
  return (
    wrong.length === 0 && verdict.codeProblems.length === 0 && judged === Object.keys(fingerprints).length
  );
}

const folder = mkdtempSync(join(tmpdir(), 'tiff-oracle-'));
try {
  const result = await judgeAll(findPython(), folder);
  if (!report(result)) process.exitCode = 1;
  else if (process.argv.includes('--approve')) {
    writeFileSync(approvedFile, `${JSON.stringify(result.fingerprints, null, 1)}\n`);
    console.log('fingerprints recorded');
  } else {
    const approved = existsSync(approvedFile) ? readFileSync(approvedFile, 'utf8') : '';
    if (approved !== `${JSON.stringify(result.fingerprints, null, 1)}\n`) {
      console.error('GDAL approves, but these are not the recorded files: run again with --approve.');
      process.exitCode = 1;
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
