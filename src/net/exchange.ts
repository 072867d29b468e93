import type { Dispatcher } from 'undici';
import type { SwathError } from '../errors.ts';
import { isSwathError } from '../errors.ts';
import { sourceBroken, timedOut } from './errors.ts';

/** Status and headers of an answer whose body has not been read yet. */
export interface ResponseHead {
  readonly status: number;
  /** A header by its lower-case name; null when absent, joined by commas when repeated. */
  header(name: string): string | null;
}

/** Collects a body as its chunks arrive. */
interface AnswerBody {
  /** Copies a chunk; throws when it goes over the limit. */
  add(chunk: Uint8Array): void;
  /** The bytes that arrived. */
  finish(): Uint8Array;
}

interface BodyOptions {
  readonly maxBytes: number;
  /** Returns memory of exactly this length. */
  readonly allocate?: ((byteLength: number) => Uint8Array) | undefined;
}

const allocateUncleared = (byteLength: number): Uint8Array =>
  new Uint8Array(Buffer.allocUnsafeSlow(byteLength).buffer);

/** Starts a body of at most `maxBytes`; throws when its announced length is above that. */
export function startBody(
  head: ResponseHead,
  { maxBytes, allocate = allocateUncleared }: BodyOptions,
): AnswerBody {
  const announced = Number(head.header('content-length') ?? Number.NaN);
  if (announced > maxBytes) throw tooLong();
  // An announced length within the limit is allocated at once and not cleared; `finish` cuts off the unfilled rest.
  let bytes = allocate(Number.isSafeInteger(announced) && announced >= 0 ? announced : 0);
  let filled = 0;
  return {
    add(chunk) {
      const needed = filled + chunk.length;
      if (needed > maxBytes) throw tooLong();
      if (needed > bytes.length) {
        const larger = new Uint8Array(Math.min(maxBytes, Math.max(needed, 2 * bytes.length)));
        larger.set(bytes.subarray(0, filled));
        bytes = larger;
      }
      bytes.set(chunk, filled);
      filled = needed;
    },
    finish: () => (filled === bytes.length ? bytes : bytes.slice(0, filled)),
  };
}

const tooLong = () => sourceBroken.about('source-too-long', '{server} sent more bytes than requested.');

/** Codes of undici's timeouts. */
const TIME_OUT_CODES = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
]);

/** Codes of OpenSSL and Node for a refused certificate: expired, for another host, signed by an unknown authority. */
const CERTIFICATE_CODE =
  /^(CERT_|CRL_|ERR_TLS_CERT_ALTNAME|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED_CERT|UNABLE_TO_(GET|VERIFY|DECODE|DECRYPT)|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE)|PATH_LENGTH)/;

/** Whether a connection failed because the certificate of the other side is not accepted. */
export const isCertificateError = (error: unknown): boolean => CERTIFICATE_CODE.test(codeOf(error));

/** Turns a network error into one of ours. Its message does not name the address; the log has the cause. */
export function toNetworkError(error: unknown, when: 'before-answer' | 'in-body'): SwathError {
  const refusal = findRefusal(error);
  if (refusal !== null) return refusal;
  if (TIME_OUT_CODES.has(codeOf(error))) {
    return timedOut.about('source-timed-out', '{server} took too long to answer.', { cause: error });
  }
  // Final, unlike a broken connection: a retry would get the same certificate.
  if (isCertificateError(error)) {
    return sourceBroken.about('source-untrusted', 'The certificate of {server} is not valid.', {
      cause: error,
    });
  }
  if (when === 'in-body') {
    return sourceBroken.about('source-cut-off', '{server} closed the connection during an answer.', {
      cause: error,
    });
  }
  return sourceBroken.about('source-unreachable', '{server} cannot be reached.', { cause: error });
}

/** Finds our own refusal, which is wrapped if several addresses were tried. */
function findRefusal(error: unknown): SwathError | null {
  if (isSwathError(error)) return error;
  const inner = error instanceof AggregateError ? error.errors : error instanceof Error ? [error.cause] : [];
  return inner.find(isSwathError) ?? null;
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Unwanted bodies up to this size are drained, so that the connection can be reused. */
const DRAIN_BYTES = 16 * 1024;
/** Time limit for draining: a slow store would hold the connection for hours. */
const DRAIN_MS = 1_000;

/** An answer: its head and its body, which is empty if the caller did not want it. */
interface Answer {
  readonly head: ResponseHead;
  readonly body: Uint8Array;
}

interface ExchangeOptions {
  readonly question: Dispatcher.DispatchOptions;
  /** Its reason becomes the caller's error. */
  readonly signal: AbortSignal;
  /** Returns the collector of the body, or null to discard it; throws to refuse the answer. */
  readonly onHead: (head: ResponseHead) => AnswerBody | null;
  readonly onChunk: () => void;
}

/**
 * Sends a request and reads the answer. The parser's chunks are copied straight into the body: a stream between them
 * would cost the network thread several turns of its event loop for each 64 KiB.
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
  /** Set while an unwanted body is drained. */
  #drainTimer: NodeJS.Timeout | undefined;
  #drained = 0;

  constructor(options: ExchangeOptions, resolve: (answer: Answer) => void, reject: (error: Error) => void) {
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
    options.signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** Rejects at once when the caller leaves, also while its request waits for a connection. */
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
    // Nobody waits for the rest. A longer or broken body only costs its connection.
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

  /** Undici calls this for errors of the methods above too, and closes a socket that holds half an answer. */
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
