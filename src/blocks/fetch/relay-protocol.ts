import type { WireError } from '../../errors.ts';

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
  | { readonly type: 'failed'; readonly id: number; readonly error: WireError };
