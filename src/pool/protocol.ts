import type { MessagePort } from 'node:worker_threads';
import type { WireError } from '../errors.ts';

/**
 * What a thread gets when it starts. `cancelFlag[0]` holds the id of the last cancelled job: a handler in a synchronous
 * loop cannot receive a message, but it can read shared memory. Ids only grow, so it needs no reset.
 */
export interface WorkerBoot {
  readonly cancelFlag: Int32Array<SharedArrayBuffer>;
  /** Above this a thread collects its garbage before it reports what it holds. */
  readonly maxWorkerBytes: number;
  readonly settings: unknown;
}

/** Main thread to worker. */
export type ToWorker =
  | {
      readonly type: 'run';
      readonly id: number;
      readonly kind: string;
      readonly input: unknown;
      readonly attachment: unknown;
    }
  | { readonly type: 'cancel'; readonly id: number };

/** Worker to main thread; `heldBytes` is what the thread holds outside its JavaScript heap after the job. */
export type FromWorker =
  | { readonly type: 'ready' }
  /** The other end of a channel that the thread wants to talk through. */
  | { readonly type: 'connect'; readonly port: MessagePort }
  | { readonly type: 'progress'; readonly id: number; readonly progress: unknown }
  | { readonly type: 'done'; readonly id: number; readonly output: unknown; readonly heldBytes: number }
  | { readonly type: 'failed'; readonly id: number; readonly error: WireError; readonly heldBytes: number };
