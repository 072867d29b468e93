import type { SwathError } from '../errors.ts';
import { isSwathError } from '../errors.ts';
import { cancelled } from './errors.ts';

/** One caller's request for the result of `key`. */
interface FlightCall<T> {
  readonly key: string;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: unknown) => void) | undefined;
  /** Starts the shared run; called only for the first caller. Its signal aborts when no caller is left. */
  readonly start: (shared: { signal: AbortSignal; onProgress: (progress: unknown) => void }) => Promise<T>;
}

/** How a flight ended for one of its callers. */
interface Landing<T> {
  readonly value: T;
  /** Whether other callers share the value. */
  readonly shared: boolean;
  /** Whether this caller started the run. */
  readonly isFirst: boolean;
}

/** Shares one run among all callers with the same key; a caller that leaves does not end it for the others. */
export interface SingleFlight<T> {
  /** True when a call with this key would join a run instead of starting one. */
  has(key: string): boolean;
  run(call: FlightCall<T>): Promise<Landing<T>>;
  /** Makes the next call with this key start a new run; callers of the old one still get its result. */
  forget(key: string): void;
}

interface Flight<T> {
  readonly controller: AbortController;
  readonly callers: Set<FlightCall<T>>;
  readonly result: Promise<T>;
  /** Counts every caller that joined, including those that left early. */
  boarded: number;
}

/** Only runs in flight are remembered: neither a result nor a failure outlives its run. */
export function makeSingleFlight<T>(): SingleFlight<T> {
  const flights = new Map<string, Flight<T>>();

  function forget(key: string, controller: AbortController): void {
    // The key may belong to a newer flight by now: this one was abandoned, and the key was requested again.
    if (flights.get(key)?.controller === controller) flights.delete(key);
  }

  function launch({ key, start }: FlightCall<T>): Flight<T> {
    const controller = new AbortController();
    const callers = new Set<FlightCall<T>>();
    const onProgress = (progress: unknown): void => {
      for (const caller of callers) caller.onProgress?.(progress);
    };
    // Removed before any caller sees the result, so that a retry in a caller's `catch` starts a new run.
    const result = start({ signal: controller.signal, onProgress }).finally(() => forget(key, controller));
    const flight = { controller, callers, result, boarded: 0 };
    flights.set(key, flight);
    return flight;
  }

  function join(flight: Flight<T>, call: FlightCall<T>): Promise<Landing<T>> {
    const isFirst = flight.boarded === 0;
    flight.callers.add(call);
    flight.boarded++;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        call.signal?.removeEventListener('abort', onAbort);
        flight.callers.delete(call);
      };
      const onAbort = (): void => {
        leave();
        reject(toCancelled());
        if (flight.callers.size > 0) return;
        forget(call.key, flight.controller);
        flight.controller.abort(toCancelled());
      };
      call.signal?.addEventListener('abort', onAbort);
      flight.result.then(
        (value) => {
          leave();
          resolve({ value, shared: flight.boarded > 1, isFirst });
        },
        (error: unknown) => {
          leave();
          reject(error);
        },
      );
    });
  }

  return {
    has: (key) => flights.has(key),
    forget: (key) => void flights.delete(key),
    async run(call) {
      if (call.signal?.aborted) throw toCancelled();
      return join(flights.get(call.key) ?? launch(call), call);
    },
  };
}

/** The error for a caller whose signal was aborted: the signal's own reason if that is one of our errors. */
export const toCancelled = (reason?: unknown): SwathError =>
  isSwathError(reason)
    ? reason
    : cancelled('cancelled', 'The request was cancelled before it finished.', { cause: reason });

/** Throws when the caller has left. */
export function throwIfCancelled(signal: AbortSignal | null | undefined): void {
  if (signal?.aborted) throw toCancelled(signal.reason);
}
