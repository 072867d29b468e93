/**
 * Patience with a server that is busy, restarting, or behind a slow network: what it refuses temporarily is requested again, so
 * that tiles and thumbnails come by themselves.
 */
import { wait as waitFor } from '../../clients/typescript/src/transport.ts';

/** A request that is sent again while the server refuses it temporarily; the last answer is returned, the last error thrown. */
export type Patience = (send: () => Promise<Response>, signal?: AbortSignal) => Promise<Response>;

interface PatienceParts {
  /** Whether the server can answer; throws while there is none. */
  readonly readReadiness: () => Promise<{ readonly isReady: boolean }>;
  /** The server went away, or came back. */
  readonly onOutage: (isOut: boolean) => void;
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** From 0 to 1; spreads requests that were refused together. */
  readonly random?: () => number;
}

/** Temporarily busy: the rate of a key, a full queue, and what proxies say of a server that restarts. */
const TEMPORARY = [429, 502, 503, 504];
/** About half a minute in all; then the page shows the failure. */
const BACKOFF_MS = [1000, 2000, 4000, 8000, 16_000];
/** The rate of a minute is renewed by then, whatever the header says. */
const MAX_RETRY_AFTER_S = 60;
/** How often a server that is away is asked whether it is back: soon at first. */
const READINESS_MS = [1000, 1000, 2000, 4000, 8000];
const LAST_READINESS_MS = 15_000;
/** A restart takes seconds and a migration minutes; a tab that is forgotten overnight asks no longer. */
const MAX_READINESS_POLLS = 480;

/** Seconds of `Retry-After`, as a number or as a date; `null` without one. */
export const readRetryAfterS = (response: Response, nowMs: number): number | null => {
  const text = response.headers.get('retry-after');
  if (text === null) return null;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - nowMs) / 1000;
  return Number.isFinite(seconds) ? Math.min(MAX_RETRY_AFTER_S, Math.max(0, seconds)) : null;
};

/** Requests are sent once. */
export const NO_PATIENCE: Patience = (send) => send();

/** An answer that is there to its end: one that breaks off in the middle of a picture counts as none. */
export const sendWhole = async (send: () => Promise<Response>): Promise<Response> => {
  const response = await send();
  if (response.status !== 200) return response;
  return new Response(await response.arrayBuffer(), { headers: response.headers });
};

/** Builds it; all requests that wait for a server that is away share one question. */
export const makePatience = (parts: PatienceParts): Patience => {
  const { readReadiness, onOutage, wait = waitFor, random = Math.random } = parts;
  const never = new AbortController().signal;
  let outage: Promise<void> | null = null;

  const isServerReady = (): Promise<boolean> =>
    readReadiness().then(
      ({ isReady }) => isReady,
      () => false,
    );
  const watchReadiness = async (): Promise<void> => {
    if (await isServerReady()) return;
    onOutage(true);
    for (let polls = 0; polls < MAX_READINESS_POLLS; polls++) {
      await wait(READINESS_MS[polls] ?? LAST_READINESS_MS, never);
      if (await isServerReady()) break;
    }
    onOutage(false);
  };
  const whenReady = async (signal: AbortSignal): Promise<void> => {
    outage ??= watchReadiness().finally(() => {
      outage = null;
    });
    const { promise: given, reject } = Promise.withResolvers<never>();
    const giveUp = (): void => reject(signal.reason);
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      signal.throwIfAborted();
      await Promise.race([outage, given]);
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  };

  return async (send, signal = never) => {
    for (const pauseMs of BACKOFF_MS) {
      const answer = await send().catch((error: unknown) => {
        if (signal.aborted) throw error;
        return null;
      });
      if (answer !== null && !TEMPORARY.includes(answer.status)) return answer;
      const asked = answer === null ? null : readRetryAfterS(answer, Date.now());
      // Its connection is free for others.
      void answer?.body?.cancel();
      // One that says when to return is there.
      if (asked === null) await whenReady(signal);
      const pause = Math.max(pauseMs, (asked ?? 0) * 1000);
      await wait(pause * (1 + random() / 4), signal);
    }
    return send();
  };
};
