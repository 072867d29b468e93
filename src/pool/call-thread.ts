import type { MessagePort, Transferable } from 'node:worker_threads';
import { Worker } from 'node:worker_threads';
import type { WireError } from '../errors.ts';
import { fromWire, toWire } from '../errors.ts';
import { cancelled, internal, unavailable } from './errors.ts';
import type { JobTable } from './job.ts';
import { Moved } from './serve-jobs.ts';
import { limitHeap } from './thread.ts';

/** A thread that answers many calls at once: for work that waits for files and servers between its steps. */
export interface CallThread<Calls extends JobTable> extends Pick<Caller<Calls>, 'call'> {
  /** Starts it now, because a call will follow soon. */
  start(): void;
  close(): Promise<void>;
}

interface CallThreadOptions<Own extends JobTable> {
  /** A module that calls `connectCalls` with its `parentPort`. */
  readonly script: URL;
  /** The `workerData` of the script. */
  readonly settings: unknown;
  /** What the thread may call on this side. */
  readonly handlers: CallHandlers<Own>;
  readonly heapLimitMb: number;
  /** Memory for its newest objects, if it needs more than others. */
  readonly newestMb?: number;
  readonly context?: CallContext | undefined;
  /** Called when a thread has died; the next call starts another one. */
  readonly onDeath: (error: unknown) => void;
}

/** Builds the thread; the first call starts it, and the first after its death starts another one. */
export function makeCallThread<Own extends JobTable, Calls extends JobTable>({
  script,
  settings,
  handlers,
  heapLimitMb,
  newestMb,
  context,
  onDeath,
}: CallThreadOptions<Own>): CallThread<Calls> {
  let running: { readonly worker: Worker; readonly caller: Caller<Calls> } | null = null;
  let isClosed = false;

  function start(): NonNullable<typeof running> {
    const worker = new Worker(script, {
      workerData: settings,
      resourceLimits: limitHeap(heapLimitMb, newestMb),
    });
    const caller = connectCalls<Own, Calls>(worker, handlers, context);
    const started = { worker, caller };
    let cause: unknown = null;
    worker.on('error', (error) => {
      cause = error;
    });
    worker.on('exit', () => {
      if (running === started) running = null;
      caller.fail(toLost(cause));
      if (!isClosed) onDeath(cause);
    });
    // Calls are made for requests, which hold the process open themselves.
    worker.unref();
    return started;
  }

  return {
    start() {
      if (!isClosed) running ??= start();
    },
    call(name, input, signal) {
      if (isClosed) return Promise.reject(toLost(null));
      running ??= start();
      return running.caller.call(name, input, signal);
    },
    async close() {
      isClosed = true;
      await running?.worker.terminate();
    },
  };
}

const toLost = (cause: unknown) =>
  unavailable('thread-lost', 'The thread ended before it answered; ask again in a moment.', { cause });

/** The handlers of calls from the other side, by name. Many calls may be in flight at once. */
export type CallHandlers<Calls extends JobTable> = {
  readonly [Name in keyof Calls]: (
    input: Calls[Name]['input'],
    signal: AbortSignal,
  ) => Promise<Calls[Name]['output'] | Moved<Calls[Name]['output']>>;
};

/** Calls the other side. */
export interface Caller<Calls extends JobTable> {
  call<Name extends keyof Calls & string>(
    name: Name,
    input: Calls[Name]['input'],
    signal?: AbortSignal,
  ): Promise<Calls[Name]['output']>;
  /** Rejects all calls in flight: the other side is gone. */
  fail(error: Error): void;
}

/** Carries the context of a call, such as its trace, to the thread that answers it. */
export interface CallContext {
  /** The context to send with a call; must be cloneable. */
  take(): unknown;
  /** Runs the handler of a call in the context that was sent with it. */
  enter<Result>(taken: unknown, work: () => Result): Result;
}

type Message =
  | {
      readonly type: 'call';
      readonly id: number;
      readonly name: string;
      readonly input: unknown;
      readonly context?: unknown;
    }
  | { readonly type: 'abort'; readonly id: number }
  | { readonly type: 'answer'; readonly id: number; readonly output: unknown }
  | { readonly type: 'error'; readonly id: number; readonly error: WireError };

/** One end of a channel between threads: a port, or a worker as its starter sees it. */
type Channel = Pick<MessagePort, 'postMessage'> & {
  on(event: 'message', listener: (message: Message) => void): unknown;
};

/** Connects one end of a channel whose other end does the same: both sides may call, and answer, at the same time. */
export function connectCalls<Own extends JobTable, Other extends JobTable>(
  channel: Channel,
  handlers: CallHandlers<Own>,
  context?: CallContext,
): Caller<Other> {
  const waiting = new Map<number, { resolve(output: never): void; reject(error: Error): void }>();
  const running = new Map<number, AbortController>();
  let lastId = 0;
  const post = (message: Message, transfer: readonly Transferable[] = []): void =>
    channel.postMessage(message, transfer);

  async function answer({ id, name, input }: Extract<Message, { type: 'call' }>): Promise<void> {
    const controller = new AbortController();
    running.set(id, controller);
    try {
      const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
      if (handler === undefined) throw internal('unknown-call', `The thread has no handler for '${name}'.`);
      const result = await handler(input as Own[string]['input'], controller.signal);
      const { output, transfer } = result instanceof Moved ? result : { output: result, transfer: [] };
      post({ type: 'answer', id, output }, transfer);
    } catch (error) {
      // An output that cannot be cloned ends here too.
      post({ type: 'error', id, error: toWire(error) });
    } finally {
      running.delete(id);
    }
  }

  channel.on('message', (message) => {
    if (message.type === 'call')
      return void (context === undefined
        ? answer(message)
        : context.enter(message.context, () => answer(message)));
    if (message.type === 'abort') return running.get(message.id)?.abort();
    const caller = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.type === 'answer') caller?.resolve(message.output as never);
    else caller?.reject(fromWire(message.error));
  });

  return {
    call: (name, input, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(toGone());
        lastId += 1;
        const id = lastId;
        const onAbort = (): void => {
          waiting.delete(id);
          post({ type: 'abort', id });
          reject(toGone());
        };
        const settle = (): void => signal?.removeEventListener('abort', onAbort);
        waiting.set(id, {
          resolve: (output) => {
            settle();
            resolve(output);
          },
          reject: (error) => {
            settle();
            reject(error);
          },
        });
        signal?.addEventListener('abort', onAbort, { once: true });
        post({ type: 'call', id, name, input, ...(context && { context: context.take() }) });
      }),
    fail(error) {
      for (const { reject } of [...waiting.values()]) reject(error);
      waiting.clear();
    },
  };
}

const toGone = () => cancelled('cancelled', 'The call was cancelled before it was answered.');
