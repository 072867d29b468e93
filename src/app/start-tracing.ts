/** Turns tracing on in the main thread and in others; its code is loaded only if the settings name a collector. */

import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import type { Log } from '../http/index.ts';
import type { CallContext } from '../pool/index.ts';
import type { Config } from '../settings/index.ts';
import type { Tracing } from './traced.ts';

interface TracingDeps {
  readonly config: Config;
  readonly version: string;
  readonly log: Log;
  readonly parts: AsyncDisposableStack;
}

/** The name under which threads learn that traces are recorded. */
const TRACES = 'swath-traces';

/** Starts to record traces if the settings name a collector; otherwise null, and nothing of tracing is loaded. */
export async function startTracing({ config, version, log, parts }: TracingDeps): Promise<Tracing | null> {
  const { traces: url } = config;
  if (url === null) return null;
  setEnvironmentData(TRACES, true);
  const { openTracing } = await import('./traced.ts');
  return openTracing({ config, url, version, log, parts });
}

/** Records what this thread does for traced requests; where traces are off nothing is loaded. */
export async function carryTraces(): Promise<CallContext | undefined> {
  if (getEnvironmentData(TRACES) !== true) return undefined;
  const { traceThread } = await import('../tracing/index.ts');
  return traceThread();
}
