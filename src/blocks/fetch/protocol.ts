import type { MessagePort } from 'node:worker_threads';
import type { WireError } from '../../errors.ts';
import type { Lane } from '../../pool/index.ts';
import type { ByteRange, ByteSource } from '../../sources/index.ts';
import type { WindowRequest } from '../image-files.ts';
import type { Offer } from './offers.ts';

/** Windows whose stored bytes a job is about to read. */
export interface FetchRequest {
  readonly windows: readonly WindowRequest[];
  readonly owner: string;
  readonly lane: Lane;
  /** Files are offered one by one as they complete: idle threads can decode them while the others are read. */
  readonly isInParts?: boolean;
  /** The context of the job (`CallContext`). */
  readonly context?: unknown;
}

/** A remote file in the state that the catalog knows. */
export interface RemoteFile {
  readonly href: string;
  readonly stamp: string | null;
}

/** Whether bytes that a thread reads are stored for later reads, or not because they are read once. */
export type ReadUse = 'stored' | 'once';

/** Main thread to network thread. */
export type ToFetcher =
  | ({ readonly type: 'fetch'; readonly id: number } & FetchRequest)
  /** The job is over, or was cancelled. */
  | { readonly type: 'release'; readonly id: number; readonly isFailed: boolean }
  /** Prefetches, if no job waits for bytes. */
  | { readonly type: 'ahead'; readonly id: number; readonly windows: readonly WindowRequest[] }
  /** Compiles the code of remote reads. */
  | { readonly type: 'warm-up' }
  /** Connects to the stores of these files, before one is requested. */
  | { readonly type: 'open-connections'; readonly files: readonly RemoteFile[] }
  /** Writes pending data to disk. */
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

type Located = Awaited<ReturnType<NonNullable<ByteSource['locate']>>>;

/** What a thread asks the network thread. Ids are the asking thread's own; `file` is the id under which it was opened. */
export type ToNetwork =
  | {
      readonly type: 'open';
      readonly id: number;
      readonly href: string;
      /** Set when a source that others have opened will do, if it is in this state (null: in any). */
      readonly known: { readonly stamp: string | null } | null;
    }
  | {
      readonly type: 'read';
      readonly id: number;
      readonly file: number;
      readonly offset: number;
      readonly length: number;
    }
  /** Which bytes of a file are on this machine. */
  | {
      readonly type: 'locate';
      readonly id: number;
      readonly file: number;
      readonly ranges: readonly ByteRange[];
    }
  | { readonly type: 'cancel'; readonly id: number }
  | { readonly type: 'close'; readonly file: number };

/** What the network thread answers. */
export type FromNetwork =
  | {
      readonly type: 'opened';
      readonly id: number;
      readonly source: { readonly id: string; readonly version: string; readonly size: number };
      /** The first bytes, which every opened file is read for. */
      readonly head: Uint8Array<ArrayBuffer>;
    }
  | { readonly type: 'bytes'; readonly id: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly type: 'located'; readonly id: number; readonly located: Located }
  | { readonly type: 'failed'; readonly id: number; readonly error: WireError };
