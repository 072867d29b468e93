import type { Lease } from './task.ts';

/** A request for a callback: who is told when a task is over, and how. */
export interface NewCallback {
  /** In normal form; may hold a secret of the receiver, so logs and lists show it without its query. */
  readonly url: string;
  /** Names the schema of the message: that of the address at which the task was ordered. */
  readonly form: string;
  /** What links in the message begin with: where the caller reached the service. */
  readonly publicUrl: string;
}

/** `waiting` before the first attempt has ended; `cancelled` when its task was, of which no one is told. */
export type CallbackState = 'waiting' | 'retrying' | 'delivered' | 'failed' | 'cancelled';

/** Why an attempt failed: the receiver's status, or a word for what happened instead of an answer. */
export interface CallbackFailure {
  readonly status: number | null;
  readonly error: string | null;
}

/** A stored callback. */
export interface Callback extends NewCallback {
  readonly taskId: string;
  /** The id of the key that ordered the task. */
  readonly owner: string;
  readonly state: CallbackState;
  /** Attempts that were begun. */
  readonly attempts: number;
  /** Of the last attempt, if the receiver has answered. */
  readonly lastStatus: number | null;
  /** Of the last attempt, if the receiver has not answered. */
  readonly lastError: string | null;
  /** ISO 8601 in UTC, as all times here; null unless another attempt is planned. */
  readonly nextAttemptAt: string | null;
  readonly deliveredAt: string | null;
}

/** A callback that is to be sent, with the lease on it. */
export interface LeasedCallback {
  readonly callback: Callback;
  /** Its id is that of the task. */
  readonly lease: Lease;
}

/** Which callbacks to list: newest first. */
export interface CallbackQuery {
  readonly owner?: string | undefined;
  readonly state?: CallbackState | undefined;
  readonly limit: number;
}

/**
 * Where callbacks are stored: with their task (`TaskStore.create`), and removed with it. The store makes a callback due in
 * the transaction in which its task finishes or fails; a task that is queued again has its callback begin anew. A resolved
 * write has reached the disk. Processes may lease at once; each callback goes to one of them. Leases and delays run by the
 * clock of the store, which does not jump.
 */
export interface CallbackStore {
  find(taskId: string): Promise<Callback | null>;
  list(query: CallbackQuery): Promise<readonly Callback[]>;
  /**
   * Takes the callback that has been due longest for `leaseMs`, and counts the attempt; null if none is due. When the lease
   * lapses it is due again. One that has had `maxAttempts`, the last of them without an end, fails with `lost`.
   */
  lease(options: {
    readonly leaseMs: number;
    readonly maxAttempts: number;
    readonly lost: CallbackFailure;
    readonly exceptOwners: readonly string[];
  }): Promise<LeasedCallback | null>;
  /** Ends a callback that has arrived; false, and nothing is changed, unless the lease is the last one and has not ended. */
  deliver(lease: Lease, status: number): Promise<boolean>;
  /** Ends a callback as failed, or makes it due again after `retryInMs`; false unless the lease is the last one and has not ended. */
  fail(lease: Lease, failure: CallbackFailure, retryInMs: number | null): Promise<boolean>;
  /** Hands a callback back as if it had never been leased; false unless the lease is the last one and has not ended. */
  release(lease: Lease): Promise<boolean>;
  /** Makes a callback due at once, with all its attempts, also one that was delivered; false unless its task finished or failed. */
  retry(taskId: string): Promise<boolean>;
  /**
   * Calls the listener when a task with a callback has ended, soon after it. It may be called in vain, and ends in other
   * processes may be missed.
   */
  watch(listener: () => void): () => void;
}
