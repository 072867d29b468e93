import type { Dispatcher } from 'undici';
import type { AnswerBody } from './answer-body.ts';
import { toNetworkError } from './network-error.ts';
import type { ResponseHead } from './response.ts';

/** Unwanted bodies up to this size are read to their end, so that the connection can be used again. */
const DRAIN_BYTES = 16 * 1024;
/** And no longer than this, or a slow store would hold the connection for hours. */
const DRAIN_MS = 1_000;

/** An answer: its head, and its body unless that was not wanted. */
export interface Answer {
  readonly head: ResponseHead;
  readonly body: Uint8Array;
}

interface ExchangeOptions {
  readonly question: Dispatcher.DispatchOptions;
  /** Its reason is the error that the caller gets. */
  readonly signal: AbortSignal;
  /** Where the body goes; null when nobody wants it. What it throws refuses the answer. */
  readonly onHead: (head: ResponseHead) => AnswerBody | null;
  readonly onChunk: () => void;
}

/**
 * Asks one question and reads the answer. Chunks are copied into the body straight from the parser: a stream between
 * them would cost the network thread several turns of its loop for each 64 KiB.
 */
export function exchange(agent: Dispatcher, options: ExchangeOptions): Promise<Answer> {
  return new Promise((resolve, reject) => {
    try {
      options.signal.throwIfAborted();
      agent.dispatch(options.question, new AnswerReader(options, resolve, reject));
    } catch (error) {
      reject(toNetworkError(error, 'before-answer'));
    }
  });
}

class AnswerReader implements Dispatcher.DispatchHandler {
  readonly #options: ExchangeOptions;
  readonly #resolve: (answer: Answer) => void;
  readonly #reject: (error: Error) => void;
  #controller: Dispatcher.DispatchController | null = null;
  #head: ResponseHead | null = null;
  #body: AnswerBody | null = null;
  /** Set while an unwanted body is read to its end. */
  #drainTimer: NodeJS.Timeout | undefined;
  #drained = 0;

  constructor(options: ExchangeOptions, resolve: (answer: Answer) => void, reject: (error: Error) => void) {
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
    options.signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** A caller that leaves is told at once, also while its question waits for a connection. */
  readonly #onAbort = (): void => {
    const { reason } = this.#options.signal;
    this.#fail(reason);
    this.#controller?.abort(reason);
  };

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    const { signal } = this.#options;
    if (signal.aborted) controller.abort(signal.reason);
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (status < 200) return;
    this.#head = toHead(status, headers);
    this.#body = this.#options.onHead(this.#head);
    if (this.#body !== null) return;
    // No one waits for the rest. A longer or broken body only costs its connection.
    this.#succeed(new Uint8Array(0));
    this.#drainTimer = setTimeout(
      () => controller.abort(new Error('The body is too slow to drain.')),
      DRAIN_MS,
    );
    this.#drainTimer.unref();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.#body !== null) {
      this.#options.onChunk();
      this.#body.add(chunk);
      return;
    }
    this.#drained += chunk.length;
    if (this.#drained > DRAIN_BYTES) controller.abort(new Error('The body is too long to drain.'));
  }

  onResponseEnd(): void {
    clearTimeout(this.#drainTimer);
    if (this.#body !== null) this.#succeed(this.#body.finish());
  }

  /** Also called for what a method above threw. A socket with half an answer in it is closed by undici. */
  onResponseError(_controller: unknown, error: Error): void {
    clearTimeout(this.#drainTimer);
    this.#fail(error);
  }

  #succeed(body: Uint8Array): void {
    this.#options.signal.removeEventListener('abort', this.#onAbort);
    if (this.#head !== null) this.#resolve({ head: this.#head, body });
  }

  #fail(error: unknown): void {
    this.#options.signal.removeEventListener('abort', this.#onAbort);
    this.#reject(toNetworkError(error, this.#head === null ? 'before-answer' : 'in-body'));
  }
}

function toHead(
  status: number,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): ResponseHead {
  return {
    status,
    header: (name) => {
      const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
      return value === undefined ? null : String(value);
    },
  };
}
