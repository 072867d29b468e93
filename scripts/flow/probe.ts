/**
 * Loaded into every thread of a service before its own code (`--import`): tells which source files run for a request.
 * V8 counts calls per function, once while the service rests and once while it answers: timers, such as those that look
 * for tasks, are not part of the flow. Another request then shows the order, by breakpoints that write down their file and
 * never stop. The parent process asks over the IPC channel of the main thread, which asks the others.
 */
import { Session } from 'node:inspector/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads';
import type { FlowCalls, FlowMessage, FlowQuestion } from './flow-questions.ts';
import { REPEATS } from './flow-questions.ts';

/** Threads say that they are there, and answer; the main thread asks. */
interface Told {
  readonly message?: FlowMessage;
  readonly from?: number;
  readonly calls?: readonly FlowCalls[];
}

const session = new Session();
session.connect();
const urls = new Map<string, string>();
session.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => void urls.set(scriptId, url));
await session.post('Debugger.enable');
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

/** Written by the breakpoints: a file and the times of its calls. Timers call some files before the request comes. */
const marked = new Map<string, number[]>();
Object.defineProperty(globalThis, '__flow', {
  value: (file: string): false => {
    const times = marked.get(file);
    const nowMs = performance.timeOrigin + performance.now();
    if (times === undefined) marked.set(file, [nowMs]);
    else if (nowMs - (times.at(-1) as number) > 1) times.push(nowMs);
    return false;
  },
});

/** The functions of files that ran since the last reading. */
async function takeCounts() {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result.filter(
    ({ url }) => url.startsWith('file:') && !url.includes('/node_modules/') && url !== import.meta.url,
  );
}

/** Functions of each file that ran for the requests. */
const ran = new Map<string, Set<string>>();

/** Calls of each function while the service rested, by script and offset. */
const restCalls = new Map<string, number>();

async function readRest(): Promise<void> {
  for (const { scriptId, functions } of await takeCounts())
    for (const { ranges } of functions)
      for (const { startOffset, count } of ranges.slice(0, 1))
        restCalls.set(`${scriptId} ${startOffset}`, count);
}

/** Lets each function that ran for the requests write down its file the next time. */
async function setMarks(timesRest: number): Promise<void> {
  for (const { scriptId, url, functions } of await takeCounts()) {
    const { scriptSource } = await session.post('Debugger.getScriptSource', { scriptId });
    const starts = [...scriptSource.matchAll(/^/gm)].map(({ index }) => index);
    const toLocation = (offset: number) => {
      const lineNumber = starts.findLastIndex((start) => start <= offset);
      return { scriptId, lineNumber, columnNumber: offset - (starts[lineNumber] ?? 0) };
    };
    for (const { functionName, ranges } of functions) {
      const [range] = ranges;
      if (range === undefined || (functionName === '' && range.startOffset === 0)) continue;
      // Half of the requests: some find a part of their answer in a cache. Timers are not exact: what they call too must be
      // called at least twice as often.
      const byTimers = timesRest * (restCalls.get(`${scriptId} ${range.startOffset}`) ?? 0);
      if (range.count - byTimers < Math.max(REPEATS / 2, byTimers)) continue;
      const { locations } = await session.post('Debugger.getPossibleBreakpoints', {
        start: toLocation(range.startOffset),
        end: toLocation(range.endOffset),
        restrictToFunction: true,
      });
      const [location] = locations;
      if (location === undefined) continue;
      const file = fileURLToPath(url);
      if (!ran.has(file)) ran.set(file, new Set());
      if (functionName !== '') ran.get(file)?.add(functionName);
      const condition = `__flow(${JSON.stringify(file)})`;
      // Two functions may begin at one location: one mark will do.
      await session.post('Debugger.setBreakpoint', { location, condition }).catch(() => null);
    }
  }
}

const answerHere: Readonly<Record<FlowQuestion, (message: FlowMessage) => Promise<readonly FlowCalls[]>>> = {
  async forget() {
    await takeCounts();
    return [];
  },
  async rest() {
    await readRest();
    return [];
  },
  async order({ timesRest = 1 }) {
    await setMarks(timesRest);
    marked.clear();
    return [];
  },
  report: async () =>
    [...marked].map(([file, atMs]) => ({ file, functions: [...(ran.get(file) ?? [])], atMs })),
};

const channel = new BroadcastChannel('swath-flow');
/** Threads that have said that they are there. */
const threads = new Set<number>();
/** How long a thread may take to answer: one that has ended never does. */
const ANSWER_MS = 30_000;

if (isMainThread) {
  channel.onmessage = ({ data }: { data: unknown }) => void threads.add((data as Told).from!);
  process.on('message', (message: FlowMessage) => void answerAll(message));
  process.channel?.unref();
} else {
  channel.onmessage = async ({ data }: { data: unknown }) => {
    const { message } = data as Told;
    if (message === undefined) return;
    const calls = await answerHere[message.question](message);
    channel.postMessage({ from: threadId, calls } satisfies Told);
  };
  channel.postMessage({ from: threadId } satisfies Told);
}
(channel as unknown as { unref(): void }).unref();

async function answerAll(message: FlowMessage): Promise<void> {
  const calls: FlowCalls[] = [];
  const waitedFor = new Set(threads);
  const answered = new Promise<void>((resolve) => {
    channel.onmessage = ({ data }: { data: unknown }) => {
      const { from, calls: answer } = data as Told;
      threads.add(from!);
      if (answer === undefined) return;
      calls.push(...answer);
      waitedFor.delete(from!);
      if (waitedFor.size === 0) resolve();
    };
    if (waitedFor.size === 0) resolve();
  });
  channel.postMessage({ message } satisfies Told);
  calls.push(...(await answerHere[message.question](message)));
  await Promise.race([answered, sleep(ANSWER_MS, undefined, { ref: false })]);
  // What has not answered by now has ended, and is not asked again.
  for (const thread of waitedFor) threads.delete(thread);
  process.send?.(calls);
}
