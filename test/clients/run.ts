/**
 * Uses the service with the programs of others, as their users do: `npm run clients`.
 *
 * Starts a real server over the demo world, installs pinned clients from PyPI and npm in a folder of their own, and
 * prints a table. Needs Python 3 and npm; without them it says so and ends with 0.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeOnce } from '../support/made-once.ts';
import { runSwath, SERVICE_KEY, startSwath, waitUntilReady } from '../support/start-swath.ts';
import type { ClientCheck } from './client-check.ts';
import { eodag, pystac, redocly } from './documents.ts';
import { guideChecks } from './guide.ts';
import { findMissing, install } from './install.ts';
import { mapChecks } from './map-pages.ts';
import { pythonClient } from './python-client.ts';
import { qgisPlugin } from './qgis-plugin.ts';
import { run } from './run-program.ts';
import { schemathesis } from './schemathesis.ts';

const HELP = `Uses the service with the programs of others: npm run clients -- [options]

  --only WORD   only the checks with this word in their name; may be repeated
  --data DIR    a data directory in which "swath demo" has been run, instead of a new one; it is copied
  --write       puts the table into docs/use/clients.md
  --help        this text

Checks: `;

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    data: { type: 'string' },
    write: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});

const ALL: readonly ClientCheck[] = [
  ...guideChecks,
  ...mapChecks,
  eodag,
  pystac,
  pythonClient,
  qgisPlugin,
  redocly,
  schemathesis,
];
const words = (values.only ?? []).map((word) => word.toLowerCase());
const chosen = ALL.filter(
  ({ name }) => words.length === 0 || words.some((word) => name.toLowerCase().includes(word)),
);

const missing = findMissing();
if (values.help) console.log(HELP + ALL.map(({ name }) => name).join(', '));
else if (missing !== null) console.log(missing);
else if (chosen.length === 0) fail(`No check has this word in its name: ${words.join(', ')}`);
else await runAll();

async function makeDemo(dataDir: string): Promise<void> {
  const { status, stderr } = await runSwath(['demo'], { SWATH_DATA: dataDir });
  if (status !== 0) throw new Error(stderr);
}

async function makeDemoOnce(): Promise<string> {
  console.log('Making the demo world, unless it is there …');
  const [made = ''] = await makeOnce([{ name: 'standard-demo', madeBy: 'src/main.ts', make: makeDemo }]);
  return made;
}

async function runAll(): Promise<void> {
  const installed = await install(console.log);
  const made = values.data ?? (await makeDemoOnce());
  const folder = mkdtempSync(join(tmpdir(), 'swath-clients-'));
  const dataDir = join(folder, 'data');
  try {
    // With its times: files of other times would be taken for replaced ones.
    await run('cp', ['-a', made, dataDir]);
    await using swath = await startSwath({
      dataDir,
      // Checks send more requests a minute than people do.
      env: {
        SWATH_LOG: 'warn',
        SWATH_STATISTICS_PER_MINUTE: '0',
        SWATH_WRITES_PER_MINUTE: '0',
        SWATH_WORK_PER_MINUTE: '0',
      },
    });
    await waitUntilReady(swath.url);
    const rows: string[] = [];
    for (const check of chosen) {
      const own = mkdtempSync(join(folder, 'check-'));
      const stage = { ...installed, url: swath.url, key: SERVICE_KEY, folder: own, dataDir };
      rows.push(await runOne(check, () => check.run(stage)));
    }
    if (values.write) writeTable(rows);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runOne({ name, whyNot }: ClientCheck, work: () => Promise<string>): Promise<string> {
  const reason = whyNot?.() ?? null;
  if (reason !== null) {
    console.log(`skipped ${name}: ${reason}`);
    return `| ${name} | not tried: ${reason} |`;
  }
  try {
    const did = await work();
    console.log(`ok      ${name}: ${did}`);
    return `| ${name} | ${did.replaceAll('|', '/')} |`;
  } catch (error) {
    process.exitCode = 1;
    console.log(`NOT OK  ${name}: ${(error as Error).message}`);
    return `| ${name} | **failed** |`;
  }
}

function writeTable(rows: readonly string[]): void {
  const guide = new URL('../../docs/use/clients.md', import.meta.url);
  const [head = ''] = readFileSync(guide, 'utf8').split(/(?<=\| Program \| What it did \|\n\|---\|---\|\n)/);
  writeFileSync(guide, `${head}${rows.join('\n')}\n`);
}

function fail(sentence: string): void {
  console.error(sentence);
  process.exitCode = 2;
}
