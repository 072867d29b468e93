import type { ErrorTag } from '../errors.ts';

/** Where a task is on its way. The last three are final, except that an operator may queue a failed one again. */
export type TaskState = 'queued' | 'running' | 'finished' | 'failed' | 'cancelled';

/** The states of a task that is not over yet. */
export const OPEN_STATES: readonly TaskState[] = ['queued', 'running'];

/** Blocks of work: those done of those planned. */
export interface TaskProgress {
  readonly done: number;
  readonly total: number;
  /** Bytes that the work has stored so far; they count as the task's estimate where that is less. */
  readonly storedBytes?: number;
}

/** Why a task failed, for its caller. */
export interface TaskError {
  readonly code: string;
  /** A full sentence. */
  readonly message: string;
  /** The kind of refusal where the order is at fault; left out where the service is, and by tasks from before this was recorded. */
  readonly refusal?: RefusalTag;
}

/** Kinds of errors that say what is wrong with the order itself. A full disk is `too-large`, so that is not among them. */
export const REFUSAL_TAGS = ['bad-input', 'unsupported', 'not-found'] as const satisfies readonly ErrorTag[];

/** One of them. */
export type RefusalTag = (typeof REFUSAL_TAGS)[number];

/** A file that a task made, as it is stored and served. */
export interface TaskFile {
  readonly kind: 'file';
  /** The name under which the blob store has it. */
  readonly blobKey: string;
  /** Which blob store has it; left out of results that were made before this was recorded. */
  readonly storeId?: string;
  readonly fileName: string;
  readonly contentType: string;
  readonly bytes: number;
  readonly etag: string;
}

/** What a task answers itself, without a file. */
export interface TaskDocument {
  readonly kind: 'document';
  readonly document: unknown;
}

/** What the work on a task makes. */
export type TaskOutput = TaskFile | TaskDocument;

/** A document in the store; `TaskStore.findDocument` reads it. */
export interface StoredDocument {
  readonly kind: 'document';
  readonly bytes: number;
}

/** What a finished task has. */
export type TaskResult = TaskFile | StoredDocument;

/** The area of an order as JSON. It may be large, so the store has equal areas of an owner once. */
export interface TaskArea {
  readonly digest: string;
  readonly json: string;
}

/** A task as it is ordered. */
export interface NewTask {
  /** A random UUID. */
  readonly id: string;
  /** The id of the key that ordered it. */
  readonly owner: string;
  /** Which runner does it. */
  readonly kind: string;
  /** The caller's own name for the order. */
  readonly reference: string;
  /** Of all that was ordered: orders with equal references and digests are one task. */
  readonly digest: string;
  /** The scene that the task is about; null if it is about none, or several. */
  readonly viewId: string | null;
  /** All that the runner needs except for the area, as plain JSON. */
  readonly order: unknown;
  readonly area: TaskArea | null;
  /** Higher ones go first, whatever their owner; 0 when nothing speaks for another. */
  readonly priority: number;
  /** What the result will take at most, roughly. */
  readonly estimatedBytes: number;
  /** Seconds after its creation at which it ends, finished or not. */
  readonly timeoutS: number;
  /** The trace that it was ordered in, as the `traceparent` header states it; left out without one. */
  readonly traceparent?: string;
}

/** A stored task, without its order and its document: lists and polls do not read them. */
export interface Task extends Omit<NewTask, 'order' | 'area'> {
  readonly state: TaskState;
  readonly progress: TaskProgress;
  /** Attempts that failed for a passing reason. */
  readonly attempts: number;
  /** Workers that died, or went silent, while they had it. */
  readonly deaths: number;
  /** The worker that has it, or had it last. */
  readonly worker: string | null;
  /** The last failure; also of a task that is tried again. */
  readonly error: TaskError | null;
  readonly result: TaskResult | null;
  /** ISO 8601 in UTC, as all times here. */
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
}

/** A task with all that its runner needs. */
export interface OrderedTask extends Task {
  readonly order: unknown;
  /** The area as plain JSON; null for an order without one, and for one that was stored with its area inside. */
  readonly area: unknown;
}

/** The right to work on a task. A later lease on the same task has a higher token, and the earlier one is no longer valid. */
export interface Lease {
  readonly id: string;
  readonly token: number;
}

/** What a kind of task works with. */
export interface TaskWork {
  /** Names what this attempt stores: no other attempt, of this task or another one, has the same. */
  readonly storeKey: string;
  /** Aborts when the task is cancelled, out of time, handed back, or another worker has it. */
  readonly signal: AbortSignal;
  reportProgress(progress: TaskProgress): void;
}

/** One kind of task: how its orders are carried out. */
export interface TaskKind {
  /** Does the work; what it stores is durable when it resolves. Rejects with the reason if it cannot. */
  run(task: OrderedTask, work: TaskWork): Promise<TaskOutput>;
  /** Removes the file that an attempt has stored, because it is not wanted any more. */
  discard(file: TaskFile): Promise<void>;
}

/** The kinds of tasks by name. */
export type TaskKinds = Readonly<Record<string, TaskKind>>;
