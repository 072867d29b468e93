import type { MessagePort } from 'node:worker_threads';
import { toCancelled } from '../../async/index.ts';
import { fromWire, internal, isSwathError } from '../../errors.ts';
import type { FromNetwork, ToNetwork } from './relay-protocol.ts';

/** A port to the network thread, as questions and answers. */
export interface RelayConnection {
  /** Asks, and takes the question back when the signal is aborted. */
  ask(question: RelayQuestion, signal?: AbortSignal): Promise<RelayAnswer>;
  close(file: number): void;
  /** True once the network thread has ended. */
  isGone(): boolean;
}

/** Each member of a union without one of its properties. */
type Without<Union, Key extends string> = Union extends unknown ? Omit<Union, Key> : never;

/** A question without its id. */
export type RelayQuestion = Without<Extract<ToNetwork, { type: 'open' | 'read' }>, 'id'>;
export type RelayAnswer = Exclude<FromNetwork, { type: 'failed' }>;

interface Waiting {
  readonly resolve: (answer: RelayAnswer) => void;
  readonly reject: (error: Error) => void;
}

/** Starts to listen at a port. */
export function makeRelayConnection(port: MessagePort): RelayConnection {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let isGone = false;
  const tell = (message: ToNetwork): void => port.postMessage(message);

  port.on('message', (message: FromNetwork) => {
    const caller = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.type === 'failed') caller?.reject(fromWire(message.error));
    else if (caller !== undefined) caller.resolve(message);
    // No one waits any more, so no one would close it.
    else if (message.type === 'opened') tell({ type: 'close', file: message.id });
  });
  port.on('close', () => {
    isGone = true;
    for (const { reject } of waiting.values()) reject(networkGone());
    waiting.clear();
  });

  return {
    isGone: () => isGone,
    close: (file) => tell({ type: 'close', file }),
    ask(question, signal) {
      if (signal?.aborted) return Promise.reject(toCancelled());
      if (isGone) return Promise.reject(networkGone());
      lastId += 1;
      const id = lastId;
      const { promise, resolve, reject } = Promise.withResolvers<RelayAnswer>();
      const onAbort = (): void => {
        waiting.delete(id);
        tell({ type: 'cancel', id });
        reject(toCancelled());
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      waiting.set(id, { resolve, reject });
      tell({ ...question, id });
      return promise.finally(() => signal?.removeEventListener('abort', onAbort));
    },
  };
}

const GONE = 'network-thread-gone';

/** Whether the network thread ended before it answered. */
export const isNetworkGone = (error: unknown): boolean => isSwathError(error) && error.code === GONE;

const networkGone = () =>
  internal(GONE, 'The thread that reads remote files stopped in the middle of a read.');
