/**
 * Records matplotlib's colours for tests that have no matplotlib: `npm run node -- test/oracle/color/approve-golden.ts`. Nothing is
 * recorded unless ours agree.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { askMatplotlib } from './ask-matplotlib.ts';
import { compareTables, GOLDEN_FILE } from './colormap-tables.ts';

const answer = askMatplotlib([5, 256]);
const { problems } = compareTables(answer);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
// A reversed map of 256 is told by its own, but where the table is longer.
const tables = answer.tables
  .filter(({ name, count }) => count < 256 || !name.endsWith('_r') || name.startsWith('twilight'))
  .map(({ drawn: _, ...recorded }) => recorded);
const bytes = brotliCompressSync(JSON.stringify({ version: answer.version, tables }));
mkdirSync(new URL('.', GOLDEN_FILE), { recursive: true });
writeFileSync(GOLDEN_FILE, bytes);
console.log(`matplotlib ${answer.version}: ${tables.length} tables recorded in ${bytes.length} bytes`);
