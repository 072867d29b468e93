import { getHeapStatistics } from 'node:v8';
import { isSwathError } from '../../src/errors.ts';
import type { FuzzTarget } from './target.ts';

/** What one run may take, of time and of memory that is still there at its end. */
interface RunLimits {
  readonly runMs: number;
  readonly growthBytes: number;
}

const LIMITS: RunLimits = { runMs: 1_000, growthBytes: 256 * 2 ** 20 };
/** Runs that must all be too slow or too large: a busy machine or a late garbage collection may be the cause of one. */
const TRIES = 3;

/** How a run ended. */
export interface Verdict {
  /** `ok`, or the code of the tagged error. */
  readonly outcome: string;
  readonly tookMs: number;
  /** What is wrong with it; null when nothing is. */
  readonly fault: Fault | null;
}

/** A run that should not have been. */
export interface Fault {
  /** Equal for runs that fail alike. */
  readonly kind: string;
  readonly details: string;
}

/** The heap and what hangs on it: array buffers and memories of WebAssembly. */
function measureBytes(): number {
  const { used_heap_size, external_memory } = getHeapStatistics();
  return used_heap_size + external_memory;
}

/** The error without its numbers, and the line that threw it. */
function toFault(error: unknown): Fault {
  if (!(error instanceof Error)) return { kind: `threw ${typeof error}`, details: String(error) };
  const details = error.stack ?? String(error);
  const line = details.split('\n').find((part) => part.trimStart().startsWith('at ')) ?? '';
  const kind = `${error.name}: ${error.message.slice(0, 120)}`.replaceAll(/\d+/g, 'N');
  // the path of the checkout is private
  return {
    kind: `${kind} ${line.trim().replace(/(?:file:)?\/[^\s()]*?\/(?=(?:src|test|node_modules)\/)/, '')}`,
    details,
  };
}

async function runOnce(target: FuzzTarget, input: Uint8Array) {
  const bytesBefore = measureBytes();
  // CPU time of this thread, not wall time: the machine may be busy. The other side notices what never ends.
  const start = process.threadCpuUsage();
  let outcome = 'ok';
  let fault: Fault | null = null;
  try {
    await target.run(input);
  } catch (error) {
    outcome = isSwathError(error) ? error.code : 'untagged';
    // an internal error is a bug of ours that somebody noticed in time
    if (!isSwathError(error) || error.tag === 'internal') fault = toFault(error);
  }
  const { user, system } = process.threadCpuUsage(start);
  return { outcome, fault, tookMs: (user + system) / 1_000, grownBytes: measureBytes() - bytesBefore };
}

/** Runs one input and says whether that went as it should. */
export async function judgeRun(
  target: FuzzTarget,
  input: Uint8Array,
  { runMs, growthBytes }: RunLimits = LIMITS,
): Promise<Verdict> {
  let run = await runOnce(target, input);
  let tookMs = run.tookMs;
  let grownBytes = run.grownBytes;
  const isOver = () => tookMs > runMs || grownBytes > growthBytes;
  for (let more = TRIES - 1; more > 0 && run.fault === null && isOver(); more--) {
    run = await runOnce(target, input);
    tookMs = Math.min(tookMs, run.tookMs);
    grownBytes = Math.min(grownBytes, run.grownBytes);
  }
  const { outcome } = run;
  let { fault } = run;
  if (fault === null && tookMs > runMs) {
    fault = { kind: `slow: ${outcome}`, details: `takes ${Math.round(tookMs)} ms and ends in ${outcome}` };
  }
  if (fault === null && grownBytes > growthBytes) {
    fault = { kind: `large: ${outcome}`, details: `leaves ${grownBytes} bytes more and ends in ${outcome}` };
  }
  return { outcome, tookMs, fault };
}
