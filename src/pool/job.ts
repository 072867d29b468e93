/** The two lanes of the pool: a person waits for a tile, but not for a single step of a task. */
export type Lane = 'tile' | 'task';

/** The kinds of jobs of a pool: the input of each, which must be cloneable, and its output. */
export type JobTable = { readonly [Kind in string]: JobType };

/** One kind of job. */
export interface JobType<Input = unknown, Output = unknown> {
  readonly input: Input;
  readonly output: Output;
}

/** Who waits for the work, how urgent it is, and how long it may take. */
export interface Ticket {
  /** The id of the key that the work is for: owners take turns. */
  readonly owner: string;
  readonly lane: Lane;
  /** Counts from the start of a run; time in the queue is not included. */
  readonly timeoutMs: number;
  /** Aborted when no one waits for the result any more. */
  readonly signal?: AbortSignal;
  /** Called when the work begins to wait for bytes of remote files; the result is called when they are there. */
  readonly onFetch?: () => () => void;
  /** Called after each job that was run for this ticket, with where its time went. */
  readonly onJob?: (report: JobReport) => void;
}

/** What a job took, without its output. */
export interface JobReport extends Omit<JobResult<unknown>, 'output'> {
  readonly kind: string;
}

/** A run of a job: whose it was, and how long it waited for a thread and worked there. */
export interface RanJob extends Pick<Ticket, 'owner' | 'lane'> {
  readonly kind: string;
  readonly queuedMs: number;
  readonly ranMs: number;
}

/** What a thread counted during a job, such as bytes that it read. */
export type JobFigures = Readonly<Record<string, number>>;

/** A ticket, and what the pool must know of the job itself. */
export interface JobTicket extends Ticket {
  /** Estimated pixel memory of the run, held in the byte ledger until the work has really stopped. */
  readonly bytes: number;
  /**
   * Jobs in flight with equal keys (and equal lane) share one run: with the owner, bytes and time limit of the first
   * one.
   */
  readonly singleFlightKey?: string;
  /** Goes to the thread with the job (`onJob` of `serveJobs`): what helps with any kind of job. Must be cloneable. */
  readonly attachment?: unknown;
  /** Set for a job that no request waits for, and that may end at any time: the totals and the average leave it out. */
  readonly isUncounted?: boolean;
  /** Called on the main thread with each progress report of the handler. */
  readonly onProgress?: (progress: unknown) => void;
}

/** A job of any kind on its way through the pool. */
export interface Job extends JobTicket {
  /** Which handler of the worker script runs it. */
  readonly kind: string;
  /** Shared buffers are shared, everything else is copied. */
  readonly input: unknown;
}

/** The output of a run and its timings (for `Server-Timing`). */
export interface JobResult<Output> {
  /** Shared by all callers of a single flight: read it, never write to it. */
  readonly output: Output;
  readonly queuedMs: number;
  readonly ranMs: number;
  /** How long the job waited for bytes of remote files before it was queued; absent if it reads none. */
  readonly fetchedMs?: number;
  /** Counted by the thread that ran it (`countFigures` of `serveJobs`); absent if it counts nothing. */
  readonly figures?: JobFigures;
  /** True when other callers have the same output. */
  readonly shared: boolean;
}

/** Runs the jobs of a table. A pool with more kinds fits where fewer are needed: a service names only those it uses. */
export interface JobRunner<Jobs extends JobTable> {
  /** Runs a job on a thread, or refuses it at once when the queue is full. */
  run<Kind extends keyof Jobs & string>(
    kind: Kind,
    input: Jobs[Kind]['input'],
    ticket: JobTicket,
  ): Promise<JobResult<Jobs[Kind]['output']>>;
}
