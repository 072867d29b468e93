import type { NewCallback } from './callback.ts';
import type {
  Lease,
  NewTask,
  OrderedTask,
  Task,
  TaskError,
  TaskOutput,
  TaskProgress,
  TaskState,
} from './task.ts';

/** How much may be stored. */
export interface TaskLimits {
  /** Tasks of one owner that are not over. */
  readonly openPerOwner: number;
  /** Tasks of all owners that are not over. */
  readonly open: number;
  /** Bytes of an owner's orders and results, with the estimates of its open tasks. Equal areas count once. */
  readonly bytesPerOwner: number;
  /** Bytes of the areas that an owner's tasks may run with. */
  readonly areaBytesPerOwner: number;
}

/** What became of an order. */
export type TaskCreated =
  /** With how many tasks its owner has that are over. */
  | { readonly kind: 'created'; readonly ended: number }
  /** The same order is queued, running or finished already. */
  | { readonly kind: 'known'; readonly id: string }
  /** The limit that it would exceed, and how much is in use. */
  | { readonly kind: 'full'; readonly limit: keyof TaskLimits; readonly used: number };

/** A task with the lease on it. */
export interface LeasedTask {
  readonly task: OrderedTask;
  readonly lease: Lease;
  /** A worker died with this task before: while it runs, its process runs nothing else. */
  readonly isAlone: boolean;
}

/** Whether a worker still has its task: `lost` when the lease lapsed, `over` when the task was cancelled or timed out. */
export type LeaseState = 'held' | 'lost' | 'over';

/** What happened to a task: `queued` when there is work to do, `over` when it has ended. */
export interface TaskEvent {
  readonly kind: 'queued' | 'over';
  /** Absent when the store only knows that something happened. */
  readonly id?: string;
}

/** Which tasks to list: newest first, those created before the one with the id `after`. */
export interface TaskQuery {
  readonly owner?: string | undefined;
  readonly state?: TaskState | undefined;
  readonly kinds?: readonly string[] | undefined;
  readonly limit: number;
  readonly after?: string | undefined;
}

/** Tasks in one state, of one kind. */
export interface TaskCount {
  readonly state: TaskState;
  readonly kind: string;
  readonly tasks: number;
  /** When the oldest of them was created. */
  readonly oldestAt: string;
}

/** What an owner has in use. */
export interface TaskUsage {
  readonly open: number;
  readonly finished: number;
  /** Of orders and results, with the estimates of open tasks. */
  readonly bytes: number;
}

/**
 * Where tasks are stored and queued. A resolved write has reached the disk. Workers of many processes may lease at once;
 * each task goes to one of them. Higher priorities first; within a priority owners take turns; within an owner the oldest
 * first. Leases and delays run by the clock of the store, which does not jump.
 */
export interface TaskStore {
  /** Stores and queues a task in one step, with the callback that tells of its end. */
  create(task: NewTask, limits: TaskLimits, callback?: NewCallback | null): Promise<TaskCreated>;
  find(id: string): Promise<Task | null>;
  /** The order of a task without its area, as plain JSON; null if the task is unknown. */
  findOrder(id: string): Promise<unknown>;
  /** The document of a finished task as JSON, which may be megabytes; null for a task without one. */
  findDocument(id: string): Promise<string | null>;
  list(query: TaskQuery): Promise<readonly Task[]>;
  count(): Promise<readonly TaskCount[]>;
  usage(): Promise<ReadonlyMap<string, TaskUsage>>;
  /**
   * Takes up to `max` tasks of the queue for `leaseMs`; none of `exceptOwners`. Tasks that a worker died with go first, and
   * alone: while one of them waits, a worker that is not idle gets nothing, and an idle one gets one of them.
   */
  lease(options: {
    readonly worker: string;
    readonly max: number;
    /** Whether the process works on no task; true by default. */
    readonly isIdle?: boolean;
    readonly leaseMs: number;
    readonly exceptOwners?: readonly string[];
  }): Promise<readonly LeasedTask[]>;
  /** Prolongs a lease by `leaseMs` from now, and stores progress; what the work has stored counts for its owner. */
  renew(lease: Lease, progress: TaskProgress, leaseMs: number): Promise<LeaseState>;
  /** Publishes a result; false, and nothing is changed, unless the lease is held. */
  finish(lease: Lease, output: TaskOutput): Promise<boolean>;
  /** Ends a task as failed, or queues it again after `retryInMs`; false unless the lease is held. */
  fail(lease: Lease, error: TaskError, retryInMs: number | null): Promise<boolean>;
  /** Hands a task back as if it had never been leased; false unless the lease is held. */
  release(lease: Lease): Promise<boolean>;
  /** Ends a task that is not over; false if it is over or unknown. */
  cancel(id: string): Promise<boolean>;
  /** Removes a task that is over and gives it; null if it is not over, or unknown. */
  remove(id: string): Promise<Task | null>;
  /** Queues a failed or cancelled task again, as new; false for others. */
  retry(id: string): Promise<boolean>;
  /**
   * Queues tasks again whose lease has lapsed, and fails those that are over their time. Only a task that ran alone when its
   * worker died is given up: after `maxStrikes`, or when `maxDeaths` workers have died with it in all. A death alone is a
   * strike unless another task has died alone since the one before: then something else kills workers.
   */
  sweep(options: SweepRule): Promise<SweptTasks>;
  /** Removes tasks that ended before a time, oldest first, and gives those that were removed. */
  prune(options: {
    readonly endedBefore: string;
    readonly owner?: string | undefined;
    readonly max: number;
  }): Promise<readonly Task[]>;
  /** Removes tasks of an owner that are over, oldest first, until `keep` are left; gives up to `max` that were removed. */
  trim(options: {
    readonly owner: string;
    readonly keep: number;
    readonly max: number;
  }): Promise<readonly Task[]>;
  /** Calls the listener for changes, also of other processes, soon after them; events may come twice or be missed. */
  watch(listener: (event: TaskEvent) => void): () => void;
}

/** When tasks are given up, and with which errors. */
export interface SweepRule {
  readonly maxStrikes: number;
  readonly maxDeaths: number;
  readonly death: TaskError;
  readonly timeout: TaskError;
}

/** How many tasks a sweep changed. */
export interface SweptTasks {
  readonly requeued: number;
  readonly failed: number;
}
