/**
 * Runs every `*.test.ts` of the working directory with Node's own test runner.
 * `npm run test:only -- src/formats` narrows it to files whose path contains one of the given words.
 */
import { globSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { relative, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { parseArgs } from 'node:util';
import { endHungProcesses } from './end-hung-processes.ts';
import { mayShare, toGroups, writeGroup } from './test-groups.ts';

/**
 * Parts of the paths of files that take more than about three seconds of a core, the longest first. They run in processes
 * of their own, and before all others: a long one at the end would run alone while the other cores have nothing to do.
 */
const LONG = [
  'test/event-loop/',
  'test/spec/interface',
  'test/service/seams',
  'test/service/demo-scene',
  'test/service/kill.',
  'test/service/demo.',
  'test/browser/',
  'test/how-to/add-a-sensor',
  'test/service/',
  'test/attacks/',
  'adapters/sqlite/sqlite.',
  'test/faults/',
  'tasks/callback-sender',
  'test/exports/',
  'test/harness/',
  'raster/warp.',
  'world/ground/make-ground',
  'world/products/sentinel2/write',
  'world/products/landsat/write',
  'test/world/',
  'world/truth',
  'terrain/tiles/terrain-tiles',
  'oracle/pictures/golden-pictures',
  'test/fuzz/',
  'test/ports/',
  'oracle/tiff/approved-writer',
  'storage/blobs/bucket-blobs',
  'oracle/bandmath/golden-trees',
  'render/clusters/clusters',
  'tiff/damaged-files',
  'tiff/cog/parted-cog',
  'proj/approximate-lattice',
  'pool/pool-faults',
  'blocks/cache/threads',
  'pansharpening/sharpen-channels',
  'test/spec/',
  'raster/warp-seam',
  'jp2/hostile-files',
  'blocks/read-window',
  'products/sentinel1/write',
];
const rankOf = (file: string): number => {
  const rank = LONG.findIndex((part) => file.includes(part));
  return rank === -1 ? LONG.length : rank;
};

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    // Only guards: a machine that is ten times as busy must not fail. The longest file takes about three minutes on two cores.
    'test-ms': { type: 'string', default: '2700000' },
    'idle-ms': { type: 'string', default: '240000' },
  },
});
const [testMs, idleMs] = [Number(values['test-ms']), Number(values['idle-ms'])];

const files = ['src', 'test', 'web', 'world']
  .flatMap((folder) => globSync(`${folder}/**/*.test.ts`))
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .sort()
  .sort((a, b) => rankOf(a) - rankOf(b));
if (files.length === 0) {
  console.error(`No test file matches: ${words.join(' ') || '(all)'}`);
  process.exit(1);
}

const CACHE = resolve('node_modules/.cache');
const short = files.filter((file) => rankOf(file) === LONG.length && mayShare(file));
const alone = files.filter((file) => !short.includes(file));
// Of this run alone: another one at the same time may have other files.
const folder = resolve(CACHE, `test-groups/${process.pid}`);
const groups = new Map(
  toGroups(short).map((group, i) => [writeGroup(group, folder, `group-${i + 1}`), group]),
);

// Processes of tests need not compile what another one has compiled.
process.env.NODE_COMPILE_CACHE ??= resolve(CACHE, 'tests');
const hung: string[] = [];
const watch = endHungProcesses({
  limits: { testMs: testMs + idleMs, idleMs },
  nameOf: (script) => groups.get(script)?.join(', ') ?? relative('.', script),
  onEnd: (sentence) => hung.push(sentence),
});
const results = run({
  // In this order, in which `node --test` would not take them: it sorts its files by name.
  files: [...alone, ...groups.keys()].map((file) => resolve(file)),
  // Two more than can work at a time: there is always one that waits for a disk, a browser or a process.
  concurrency: availableParallelism() + 2,
  timeout: testMs,
  execArgv: ['--disallow-code-generation-from-strings', '--disable-proto=delete'],
});
watch.follow(results);
results.on('test:summary', ({ success }) => {
  if (!success) process.exitCode = 1;
});
await pipeline(results.compose(new spec()), process.stdout, { end: false });
watch.stop();
rmSync(folder, { recursive: true, force: true });
for (const sentence of hung) console.error(sentence);
// A process that a test has left behind may hold our pipes.
process.exit(hung.length > 0 ? 1 : process.exitCode);
