/**
 * Loaded into a server before its own code (`--import`): measures for how long its main thread computes without a pause.
 * Each turn of the event loop is measured by the CPU time of the thread, so that other programs on the machine do not
 * count. The operating system counts it in steps of up to four milliseconds. The parent process starts and reads
 * measurements over the IPC channel.
 */
import { isMainThread } from 'node:worker_threads';

/** What the parent asks for. */
export type ProbeQuestion = 'watch' | 'end' | 'calibrate';

/** CPU time of the main thread, in milliseconds. */
export interface ProbeAnswer {
  /** The longest turn of the event loop since `watch`. */
  readonly longestMs: number;
  /** All turns since then, with the watching itself. */
  readonly totalMs: number;
}

const readCpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

let measuring: { beganMs: number; lastMs: number; longestMs: number } | null = null;

/** Runs once in each turn of the event loop, after the callbacks of sockets, threads and timers. */
function watchTurn(): void {
  if (measuring === null) return;
  const nowMs = readCpuMs();
  measuring.longestMs = Math.max(measuring.longestMs, nowMs - measuring.lastMs);
  measuring.lastMs = nowMs;
  watchNextTurn();
}

/** An immediate without a reference runs in the next turn, and does not begin one: the thread sleeps while it waits. */
const watchNextTurn = (): void => void setImmediate(watchTurn).unref();

/** A fixed amount of work of the kind that blocks a server: positions as JSON, parsed and written. */
const SAMPLE = JSON.stringify(
  Array.from({ length: 4_000 }, (_, i) => [-122.4 + i * 1.234e-5, 48.2 + i * 2.345e-5]),
);

function calibrate(): number {
  const beganMs = readCpuMs();
  for (let i = 0; i < 8; i++) JSON.stringify(JSON.parse(SAMPLE));
  return readCpuMs() - beganMs;
}

function answer(question: ProbeQuestion): ProbeAnswer {
  if (question === 'calibrate') {
    const ms = calibrate();
    return { longestMs: ms, totalMs: ms };
  }
  if (question === 'watch') {
    const nowMs = readCpuMs();
    measuring = { beganMs: nowMs, lastMs: nowMs, longestMs: 0 };
    watchNextTurn();
    return { longestMs: 0, totalMs: 0 };
  }
  const { beganMs = 0, longestMs = 0 } = measuring ?? {};
  measuring = null;
  return { longestMs, totalMs: readCpuMs() - beganMs };
}

if (isMainThread && process.send !== undefined) {
  process.on('message', (question: ProbeQuestion) => process.send?.(answer(question)));
  // The channel must not keep a server running that was told to stop.
  process.channel?.unref();
}
