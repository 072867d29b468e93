import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** What the visitor is told. */
export interface VisitorData {
  readonly port: number;
  readonly key: string;
  readonly localAddress: string | undefined;
}

/** What became of normal traffic. */
export interface VisitorReport {
  readonly right: number;
  /** Kinds of wrong answers and how often each came. */
  readonly wrong: readonly (readonly [string, number])[];
  readonly times: readonly number[];
  /** Times of `/healthz`, each on a connection of its own. */
  readonly healthTimes: readonly number[];
}

/** Normal traffic that goes on until it is stopped. */
export interface Visitor {
  /** Goes on with another server. */
  moveTo(port: number): void;
  stop(): Promise<VisitorReport>;
}

/** Begins normal traffic on a thread of its own. */
export function startVisitor(data: VisitorData): Visitor {
  const worker = new Worker(new URL('./visitor-worker.ts', import.meta.url), { workerData: data });
  return {
    moveTo: (port) => worker.postMessage(port),
    async stop() {
      worker.postMessage('stop');
      const [report] = (await once(worker, 'message')) as [VisitorReport];
      await worker.terminate();
      return report;
    },
  };
}
