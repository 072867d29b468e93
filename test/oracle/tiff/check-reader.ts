/**
 * GDAL writes every kind of TIFF that Swath promises to read and says what it reads from each; this compares. Real
 * products join in when the folder `shared/data` is next to the checkout. Run by hand or by `npm run oracle`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findPython } from './find-python.ts';
import type { ReaderFacts } from './reader-facts.ts';
import { compareFacts } from './reader-facts.ts';

const maker = fileURLToPath(new URL('make_reader_files.py', import.meta.url));
const realFolder = fileURLToPath(new URL('../../../../shared/data/', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'tiff-reader-oracle-'));
try {
  const real = existsSync(realFolder) ? globSync('**/*.{tif,TIF,tiff}', { cwd: realFolder }).sort() : [];
  const run = spawnSync(findPython(), ['-B', maker, folder], {
    input: real.map((file) => join(realFolder, file)).join('\n'),
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  if (run.status !== 0) throw new Error('GDAL could not make the files');
  const { gdal, facts }: { gdal: string; facts: ReaderFacts[] } = JSON.parse(
    readFileSync(join(folder, 'facts.json'), 'utf8'),
  );
  const wrong: string[] = [];
  for (const expected of facts) {
    const problems = await compareFacts(expected, folder);
    if (problems.length > 0) wrong.push(`${expected.name}: ${problems.join('; ')}`);
  }
  for (const line of wrong.slice(0, 60)) console.error(line);
  const made = facts.length - real.length;
  console.log(
    `GDAL ${gdal}: ${made} made and ${real.length} real files compared, ${wrong.length} read otherwise`,
  );
  if (wrong.length > 0 || made < 200) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
