/**
 * Runs tests with Node's own test runner: the fast tier without files for which nothing has changed since they passed, or
 * with `--all` every `*.test.ts` of the working directory.
 * `npm run test:only -- src/formats` narrows it to files whose path contains one of the given words, of both tiers.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { relative, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startForAll } from '../test/support/shared-process.ts';
import { endHungProcesses } from './end-hung-processes.ts';
import { readDigests } from './test-digests.ts';
import { mayShare, toGroups, writeGroup } from './test-groups.ts';
import { followPasses, readPasses, rememberPasses } from './test-passes.ts';
import { findAffected, hasSizes, isSlow, limitOf, listChanged, listTests } from './test-tiers.ts';
import type { TestTime } from './test-times.ts';
import { longestFirst, measureRun, readTimes, toFullSize, writeTimes } from './test-times.ts';

const HELP = `npm test                           checks, and the fast tier of tests
npm test -- --again                the whole fast tier, also what has not changed since it passed
npm test -- --changed              the slow files too that import what has changed
npm run test:all                   every test, properties at their full size
npm run test:only -- WORD [WORD]   the tests whose path contains one of the words

  --check          the static checks at the same time; a run whose checks fail has failed
  --all            every test
  --except-fast    with --all: without the files that the fast tier has run whole
  --again          run files again for which nothing has changed since they passed; so does CI=true
  --changed        add the slow files whose imports contain a file that differs from the last push (or commit)
  --help           show this
`;

/** What one run starts once for all files that use it. */
const SHARED = [
  {
    name: 'browser',
    script: new URL('../test/browser/browser-server.ts', import.meta.url),
    isFor: (file: string) => file.startsWith('test/browser/'),
  },
  {
    name: 'spec',
    script: new URL('../test/spec/spec-server.ts', import.meta.url),
    isFor: (file: string) => file.startsWith('test/spec/'),
  },
];

/** How processes of tests start. */
const EXEC_ARGV = [
  '--disallow-code-generation-from-strings',
  '--disable-proto=delete',
  `--import=${new URL('./prepare-process.ts', import.meta.url).href}`,
];

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    check: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    'except-fast': { type: 'boolean', default: false },
    again: { type: 'boolean', default: false },
    changed: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
    // Only guards: on a fifth of a core, which all processes of a run share, the longest file has taken most of an hour.
    'test-ms': { type: 'string', default: '14400000' },
    'idle-ms': { type: 'string', default: '900000' },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}
const [testMs, idleMs] = [Number(values['test-ms']), Number(values['idle-ms'])];
/** The checks fill the moments in which tests wait for something. They print what they find at once. */
const checks = values.check ? runScript([fileURLToPath(new URL('./check.ts', import.meta.url))]) : null;
const isFastTier = words.length === 0 && !values.all;

const CACHE = resolve('node_modules/.cache');
const TIMES = resolve(CACHE, 'test-times.json');
const PASSES = resolve(CACHE, 'test-passes.json');
const known = readTimes(TIMES);
/** Files of the fast tier that try more cases with `--all`. */
const sized = new Set(values.all ? listTests().filter((file) => !isSlow(file) && hasSizes(file)) : []);
const times = toFullSize(known, (file) => sized.has(file));
const digests = readDigests('.');
const chosen = chooseFiles();
if (chosen.length === 0) {
  console.error(`No test file matches: ${words.join(' ') || '(all)'}`);
  process.exit(1);
}
const files = leaveOutPassed(chosen);
if (files.length === 0) process.exit((await checks) === false ? 1 : 0);

/** Runs Node with these arguments; whether it succeeded. */
async function runScript(args: readonly string[]): Promise<boolean> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  const [status] = await once(child, 'exit');
  return status === 0;
}

function leaveOutPassed(all: readonly string[]): readonly string[] {
  const isCi = !['', 'false', undefined].includes(process.env.CI);
  if (words.length > 0 || values.all || values.again || isCi) return all;
  const passes = readPasses(PASSES);
  const fresh = all.filter((file) => passes.get(file) !== (digests.of(file) ?? 'unknown'));
  const count = all.length - fresh.length;
  if (count > 0) {
    console.log(
      `${count} of ${all.length} files have not changed since they passed and are left out; npm test -- --again runs them all.`,
    );
  }
  return fresh;
}

function chooseFiles(): readonly string[] {
  const all = listTests();
  if (words.length > 0) return all.filter((file) => words.some((word) => file.includes(word)));
  if (values.all) return values['except-fast'] ? all.filter((file) => isSlow(file) || hasSizes(file)) : all;
  const fast = all.filter((file) => !isSlow(file));
  return values.changed ? [...fast, ...findAffected(all, listChanged())] : fast;
}

/** A file fails the run when it takes this many times its limit. */
const FAILING_FACTOR = 4;

/** Prints what took longest, and refuses what is too costly for the fast tier; these files. */
function reportTimes(): ReadonlySet<string> {
  const fresh = measured.finish();
  // Times of the full size would tear apart what runs together in the small one.
  writeTimes(TIMES, known, new Map([...fresh].filter(([file]) => !sized.has(file))));
  const toS = (ms: number): string => `${(ms / 1_000).toFixed(1).padStart(7)} s`;
  const toLine = ([file, { wallMs, cpuMs }]: readonly [string, TestTime]): string =>
    `${toS(wallMs)}${toS(cpuMs)}  ${file}`;
  console.log('The slowest files (time, processor time):');
  const slowest = [...fresh].toSorted(([, a], [, b]) => b.wallMs - a.wallMs);
  for (const entry of slowest.slice(0, 10)) console.log(toLine(entry));
  if (!isFastTier) return new Set();
  const over = slowest.filter(([file, { cpuMs }]) => !isSlow(file) && cpuMs > limitOf(file));
  if (over.length === 0) return new Set();
  console.error(
    'A file of the fast tier may take 3 s of processor time. Make these quicker, split them, or name them *.slow.test.ts:',
  );
  for (const entry of over) console.error(toLine(entry));
  // Beside other programs, on a slow processor, and in a new checkout that compiles what it loads, the same work has taken
  // more than twice as much.
  const refused = over.filter(([file, { cpuMs }]) => cpuMs > FAILING_FACTOR * limitOf(file));
  if (refused.length > 0) process.exitCode = 1;
  else console.error(`This is a warning: the run fails at ${FAILING_FACTOR} times as much.`);
  return new Set(refused.map(([file]) => file));
}

// One after the other: pages that draw at the same time with the same processor hold each other up.
const pages = files.filter((file) => file.startsWith('test/browser/viewer/'));
const shared = files.filter((file) => mayShare(file));
const alone = files.filter((file) => !shared.includes(file) && !pages.includes(file));
// Of this run alone: another one at the same time may have other files.
const folder = resolve(CACHE, `test-runs/${process.pid}`);
mkdirSync(folder, { recursive: true });
const groups = new Map([
  ...(pages.length > 0 ? [[writeGroup(pages, folder, 'pages'), pages] as const] : []),
  ...toGroups(shared, times).map((group, i) => [writeGroup(group, folder, `group-${i + 1}`), group] as const),
]);
const scripts = new Map([...groups, ...alone.map((file) => [resolve(file), [file]] as const)]);

// Processes of tests need not compile what another one has compiled.
process.env.NODE_COMPILE_CACHE ??= resolve(CACHE, 'tests');
process.env.TEST_COSTS = folder;
if (values.all) process.env.TEST_SIZE = 'full';
process.env.TEST_SHARED = folder;
const servers = SHARED.filter(({ isFor }) => files.filter(isFor).length > 1).map(({ name, script }) =>
  startForAll(name, script, folder),
);
// In a new checkout the first processes would all compile the same modules. Meanwhile the browser and the service start.
if (!existsSync(process.env.NODE_COMPILE_CACHE)) {
  const modules = new URL('../src/app/serve.ts', import.meta.url).href;
  await runScript([
    ...EXEC_ARGV,
    '--input-type=module',
    '--eval',
    `await import('${modules}'); process.exit();`,
  ]);
}
/** What the runner itself does not notice, in sentences. */
const faults: string[] = [];
const nameOf = (script: string): string => groups.get(script)?.join(', ') ?? relative('.', script);
const watch = endHungProcesses({
  limits: { testMs: testMs + idleMs, idleMs },
  nameOf,
  onEnd: (sentence) => faults.push(sentence),
});
const results = run({
  // In this order, in which `node --test` would not take them: it sorts its files by name.
  files: [...longestFirst(scripts, times)],
  // Six more than can work at a time: there are always some that wait for a disk. The pages wait for the browser, and the
  // files of the spec for their service.
  concurrency: availableParallelism() + 6,
  timeout: testMs,
  execArgv: EXEC_ARGV,
});
watch.follow(results);
const followed = followPasses(results, groups);
const measured = measureRun(results, folder, groups);
results.on('test:summary', ({ success }) => {
  if (!success) process.exitCode = 1;
});
await pipeline(results.compose(new spec()), process.stdout, { end: false });
watch.stop();
await Promise.all(servers.map((one) => one.stop()));
const refused = reportTimes();
const outcome = followed.finish();
for (const script of outcome.silent) faults.push(`${nameOf(script)} ended without a report of its tests.`);
const passed = new Set([...outcome.passed].filter((file) => !refused.has(file)));
rememberPasses(PASSES, { ran: files, passed, before: digests, after: readDigests('.') });
rmSync(folder, { recursive: true, force: true });
if ((await checks) === false)
  faults.push('The static checks have failed; what they found is above, among the tests.');
for (const sentence of faults) console.error(sentence);
// A process that a test has left behind may hold our pipes.
process.exit(faults.length > 0 ? 1 : process.exitCode);
