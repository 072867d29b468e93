import type { MessagePort, Transferable } from 'node:worker_threads';
import type { WireError } from '../errors.ts';
import { cancelled, fromWire, internal, toWire } from '../errors.ts';
import type { JobTable } from './job.ts';
import { Moved } from './serve-jobs.ts';

/** What answers calls of the other side, by name. Many calls may be under way at once. */
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
  /** Rejects all calls under way: the other side is gone. */
  fail(error: Error): void;
}

type Message =
  | { readonly type: 'call'; readonly id: number; readonly name: string; readonly input: unknown }
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
    if (message.type === 'call') return void answer(message);
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
        post({ type: 'call', id, name, input });
      }),
    fail(error) {
      for (const { reject } of [...waiting.values()]) reject(error);
      waiting.clear();
    },
  };
}

const toGone = () => cancelled('cancelled', 'The call was cancelled before it was answered.');
