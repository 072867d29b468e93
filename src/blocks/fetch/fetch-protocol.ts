import type { MessagePort } from 'node:worker_threads';
import type { WireError } from '../../errors.ts';
import type { Lane } from '../../pool/index.ts';
import type { WindowRequest } from '../band-file.ts';
import type { Offer } from './offers.ts';
import type { ReadUse } from './serve-sources.ts';

/** Windows whose stored bytes a job is about to read. */
export interface FetchRequest {
  readonly windows: readonly WindowRequest[];
  readonly owner: string;
  readonly lane: Lane;
  /** Files are offered one by one as they are complete: idle threads can decode them while the others come. */
  readonly isInParts?: boolean;
}

/** A remote file in the state that the catalog knows. */
export interface RemoteFile {
  readonly href: string;
  readonly stamp: string | null;
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
  /** Connects to the stores of these files, before one is asked for. */
  | { readonly type: 'open-connections'; readonly files: readonly RemoteFile[] }
  /** Writes to the disk what waits for it. */
  | { readonly type: 'close' }
  /** Another thread that reads remote files. */
  | { readonly type: 'connect'; readonly port: MessagePort; readonly use: ReadUse };

/** Network thread to main thread. */
export type FromFetcher =
  | { readonly type: 'ready' }
  | { readonly type: 'closed' }
  | { readonly type: 'fetched-part'; readonly id: number; readonly offer: Offer }
  | { readonly type: 'fetched'; readonly id: number; readonly offer: Offer }
  | { readonly type: 'fetched-ahead'; readonly id: number }
  | { readonly type: 'failed'; readonly id: number; readonly error: WireError };
