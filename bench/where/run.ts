/**
 * Where the CPU time of a warm request goes, from socket to socket: `npm run bench -- where [--case png] [--requests 3000]
 * [--functions 20]`.
 *
 * Cases are png, jpeg, smooth, ndvi, point and hillshade of the small demo, with its blocks decoded. The system says how
 * much CPU each kind of thread took, in the program and in the kernel; a profile of each thread says for which stage, and
 * with `--functions` for which functions. Profiling itself costs a fifth: compare stages, and take the total of a request from `npm run bench -- all`. Needs Linux.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeDemoData } from '../../test/support/demo-data.ts';
import { readDemoGrid } from '../../test/support/demo-grid.ts';
import { startSwath, waitUntilReady } from '../../test/support/start-swath.ts';
import { askInTurns, listCases } from '../all/requests.ts';
import { toPercentile } from '../overload/ask.ts';
import { hasPixels, MAIN_STAGES, PIXEL_STAGES, readProfiles, toFunctions, toStages } from './profiles.ts';

const { values } = parseArgs({
  options: {
    case: { type: 'string', default: 'png' },
    requests: { type: 'string', default: '3000' },
    clients: { type: 'string', default: '8' },
    functions: { type: 'string', default: '0' },
  },
});
const [requests, clients, most] = [Number(values.requests), Number(values.clients), Number(values.functions)];
/** Clock ticks of a second in /proc. */
const TICKS = 100;

interface ThreadTime {
  readonly kind: string;
  readonly userMs: number;
  readonly kernelMs: number;
}

/** What each thread of a process has taken so far, by its number. */
function readThreads(pid: number): ReadonlyMap<string, ThreadTime> {
  const toTime = (tid: string): ThreadTime => {
    const stat = readFileSync(`/proc/${pid}/task/${tid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    const kind = Number(tid) === pid ? 'main' : name;
    return {
      kind: KINDS.find(([pattern]) => pattern.test(kind))?.[1] ?? `other (${kind})`,
      userMs: (Number(fields[11]) * 1000) / TICKS,
      kernelMs: (Number(fields[12]) * 1000) / TICKS,
    };
  };
  return new Map(readdirSync(`/proc/${pid}/task`).map((tid) => [tid, toTime(tid)]));
}

/** Kinds of threads by the names that Node gives them. */
const KINDS = [
  [/^main$/, 'main thread'],
  [/^v8:Prof/, 'profiler (not in the service)'],
  [/^V8Worker/, 'V8: compiling, collecting garbage'],
  [/^libuv/, 'file threads'],
  [/^Worker/, 'pixel and other threads'],
] as const;

const profiles = mkdtempSync(join(tmpdir(), 'swath-where-'));
const swath = await startSwath({
  dataDir: await makeDemoData(),
  // Frames of the built scripts would not say which source they are of.
  probe: new URL('data:text/javascript,'),
  env: {
    SWATH_LOG: 'error',
    NODE_OPTIONS: `--cpu-prof --cpu-prof-interval=400 --cpu-prof-dir=${profiles}`,
  },
});
try {
  await waitUntilReady(swath.url);
  const cases = listCases(await readDemoGrid(swath.dataDir));
  const paths = cases[values.case];
  if (paths === undefined) throw new Error(`--case must be one of ${Object.keys(cases).join(', ')}`);
  const run = () => askInTurns(swath.url, paths, { count: requests, clients });
  // Until the code is optimised.
  await run();
  const pid = swath.process.pid as number;
  const before = readThreads(pid);
  const fromUs = Number(process.hrtime.bigint() / 1000n);
  const answers = await run();
  const toUs = Number(process.hrtime.bigint() / 1000n);
  const after = readThreads(pid);
  await swath.stop();

  const spent = new Map<string, { userMs: number; kernelMs: number }>();
  for (const [tid, { kind, userMs, kernelMs }] of after) {
    const sum = spent.get(kind) ?? { userMs: 0, kernelMs: 0 };
    sum.userMs += userMs - (before.get(tid)?.userMs ?? 0);
    sum.kernelMs += kernelMs - (before.get(tid)?.kernelMs ?? 0);
    spent.set(kind, sum);
  }
  const each = (ms: number): string => (ms / requests).toFixed(3).padStart(9);
  console.log(`${values.case}: ${requests} warm requests of ${clients} clients`);
  console.log(
    `p50 ${toPercentile(answers, 0.5).toFixed(1)} ms, p99 ${toPercentile(answers, 0.99).toFixed(1)} ms\n`,
  );
  console.log(`${'CPU ms a request'.padEnd(38)}  program   kernel`);
  for (const [kind, { userMs, kernelMs }] of spent)
    if (userMs + kernelMs >= requests / 1000)
      console.log(`${kind.padEnd(38)}${each(userMs)}${each(kernelMs)}`);

  const [main, ...others] = readProfiles(profiles);
  const print = (title: string, { shares, busyMs }: ReturnType<typeof toStages>, count = Infinity): void => {
    console.log(`\n${title}`);
    for (const [name, share] of [...shares].slice(0, count))
      if (share >= 0.005)
        console.log(`  ${name.padEnd(36)}${each(share * busyMs)}  ${(100 * share).toFixed(0).padStart(3)} %`);
  };
  const tell = (thread: Parameters<typeof toStages>[0], name: string, stages: typeof MAIN_STAGES): void => {
    const found = toStages(thread, stages, fromUs, toUs);
    if (found.busyMs === 0) return;
    print(name, found);
    if (most > 0) print(`functions of the ${name}`, toFunctions(thread, fromUs, toUs), most);
  };
  if (main !== undefined) tell(main, 'main thread, ms a request', MAIN_STAGES);
  for (const [i, thread] of others.filter(hasPixels).entries())
    tell(thread, `pixel thread ${i + 1}, ms a request of all threads`, PIXEL_STAGES);
} finally {
  await swath.stop('SIGKILL');
  rmSync(profiles, { recursive: true, force: true });
}
