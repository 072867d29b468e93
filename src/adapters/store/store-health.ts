import type { SwathError } from '../../errors.ts';
import { isUnavailable } from '../../errors.ts';
import type { Store } from './store.ts';

/** Watches whether the store works. */
interface StoreHealth {
  /** Reports a failure of the store. */
  report(error: SwathError): void;
  /** Whether the store can be read and written now; never waits for longer than a few seconds. */
  read(): Promise<StoreState>;
  stop(): void;
}

/** Which parts of the store work. */
export interface StoreState {
  readonly reads: 'ok' | 'failed';
  readonly writes: 'ok' | 'failed';
}

interface StoreHealthDeps {
  readonly store: () => Pick<Store, 'ping' | 'checkWrites'>;
  readonly log: {
    readonly error: (fields: object, message: string) => void;
    readonly info: (fields: object, message: string) => void;
  };
  /** Monotonic. */
  readonly nowMs: () => number;
  /** How often a failing store is checked again. */
  readonly retryMs?: number;
}

/** A cause is logged once in this time, with the number of its repetitions. */
const LOG_EVERY_MS = 60_000;
/** A longer check counts as failed, unless the store worked before: then it is only busy. */
const CHECK_MS = 3_000;

/** Builds the watch. A failing store is checked until it works, also without requests. */
export function makeStoreHealth({ store, log, nowMs, retryMs = 5_000 }: StoreHealthDeps): StoreHealth {
  const logged = new Map<string, { atMs: number; more: number }>();
  let failure: SwathError | null = null;
  let state: StoreState = { reads: 'ok', writes: 'ok' };
  let checking: Promise<void> | null = null;
  let retrying: NodeJS.Timeout | undefined;

  function report(error: SwathError): void {
    const { code } = error;
    const last = logged.get(code);
    if (last !== undefined && nowMs() - last.atMs < LOG_EVERY_MS) last.more += 1;
    else {
      const before = last === undefined || last.more === 0 ? {} : { times_before: last.more };
      log.error({ err: error, code, ...before }, 'the store fails');
      logged.set(code, { atMs: nowMs(), more: 0 });
    }
    if (failure !== null) return;
    failure = error;
    retry();
  }

  function retry(): void {
    clearTimeout(retrying);
    retrying = setTimeout(() => void check().then(() => failure !== null && retry()), retryMs).unref();
  }

  function check(): Promise<void> {
    checking ??= tryOut().finally(() => {
      checking = null;
    });
    return checking;
  }

  async function tryOut(): Promise<void> {
    const { ping, checkWrites } = store();
    try {
      await ping();
    } catch (error) {
      state = { reads: 'failed', writes: 'failed' };
      if (isUnavailable(error)) report(error);
      return;
    }
    try {
      await checkWrites({ thoroughly: false });
      // An inspection may find nothing wrong although writing fails, over a quota for instance.
      if (failure !== null) await checkWrites({ thoroughly: true });
    } catch (error) {
      state = { reads: 'ok', writes: 'failed' };
      if (isUnavailable(error)) report(error);
      return;
    }
    state = { reads: 'ok', writes: 'ok' };
    if (failure === null) return;
    failure = null;
    logged.clear();
    log.info({}, 'the store works again');
  }

  return {
    report,
    async read() {
      const late = Symbol('late');
      const timer = Promise.withResolvers<typeof late>();
      const timeout = setTimeout(() => timer.resolve(late), CHECK_MS);
      const outcome = await Promise.race([check(), timer.promise]);
      clearTimeout(timeout);
      return outcome === late && failure !== null ? { reads: 'failed', writes: 'failed' } : state;
    },
    stop: () => clearTimeout(retrying),
  };
}
