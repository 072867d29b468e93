/**
 * `npm run faults -- [--minutes 10] [--seed N]`: kills servers and workers at random while clients use tasks, on SQLite,
 * and on PostgreSQL too when TEST_DATABASE_URL names a database (`npm run with-postgres -- npm run faults`).
 */
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { makeDemoData } from '../../support/demo-data.ts';
import { runSwath } from '../../support/start-swath.ts';
import { runKillLoop } from './kill-loop.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    engine: { type: 'string' },
  },
});
const seed = Number(values.seed);
const engines = [
  { name: 'SQLite', databaseUrl: null },
  ...(process.env.TEST_DATABASE_URL
    ? [{ name: 'PostgreSQL', databaseUrl: process.env.TEST_DATABASE_URL }]
    : []),
].filter(({ name }) => values.engine === undefined || name.toLowerCase() === values.engine.toLowerCase());

for (const { name, databaseUrl } of engines) {
  const dataDir = await makeDemoData();
  if (databaseUrl !== null) {
    await runSwath(['ingest', 'folder', dataDir], { SWATH_DATA: dataDir, SWATH_DATABASE_URL: databaseUrl });
  }
  console.log(`${name}: ${values.minutes} minutes of kills, seed ${seed}`);
  const report = await runKillLoop({
    dataDir,
    databaseUrl,
    seconds: 60 * Number(values.minutes),
    clients: 8,
    workers: 1,
    everyMs: [500, 5_000],
    seed,
    settleMs: 120_000,
    onNote: (text) => console.log(`  ${text}`),
  });
  const { faults, ...figures } = report;
  console.log(`  ${JSON.stringify(figures)}`);
  for (const fault of faults) console.log(`  FAULT ${fault}`);
  console.log(faults.length === 0 ? `${name}: ok` : `${name}: ${faults.length} faults`);
  if (faults.length > 0) process.exitCode = 1;
  rmSync(dataDir, { recursive: true, force: true });
}
