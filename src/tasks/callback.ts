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
