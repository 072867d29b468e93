import type { MessagePort } from 'node:worker_threads';
import type { WireError } from '../../errors.ts';
import type { Lane } from '../../pool/index.ts';
import type { Offer } from '../../storage/index.ts';
import type { WindowRequest } from '../band-file.ts';

/** Windows whose stored bytes a job is about to read. */
export interface FetchRequest {
  readonly windows: readonly WindowRequest[];
  readonly owner: string;
  readonly lane: Lane;
}

/** Main thread to network thread. */
export type ToFetcher =
  | ({ readonly type: 'fetch'; readonly id: number } & FetchRequest)
  /** The job is over, or no one waits for it any more. */
  | { readonly type: 'release'; readonly id: number; readonly isFailed: boolean }
  /** Reads what may be asked for next, if there is nothing that was asked for. */
  | { readonly type: 'ahead'; readonly id: number; readonly windows: readonly WindowRequest[] }
  /** Compiles the code of remote reads. */
  | { readonly type: 'warm-up' }
  /** Another thread that reads remote files. */
  | { readonly type: 'connect'; readonly port: MessagePort };

/** Network thread to main thread. */
export type FromFetcher =
  | { readonly type: 'ready' }
  | { readonly type: 'fetched'; readonly id: number; readonly offer: Offer }
  | { readonly type: 'fetched-ahead'; readonly id: number }
  | { readonly type: 'failed'; readonly id: number; readonly error: WireError };
