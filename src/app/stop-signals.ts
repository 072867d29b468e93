import type { Terminal } from '../cli/index.ts';
import { EXIT } from '../cli/index.ts';
import type { Log } from '../http/index.ts';

interface StopDeps {
  /** Aborted by the first request to stop. */
  readonly stopping: AbortController;
  readonly terminal: Terminal;
  readonly log: Log;
  /** Whether an npm script has started the service: then the end of that script is a request to stop. */
  readonly isUnderNpm: boolean;
}

/** One Ctrl-C may arrive twice: from the terminal, and from npm, which forwards it. */
const SAME_KEYSTROKE_MS = 1_000;

/**
 * Resolves to the exit status when the service is to end: 0 on the first SIGTERM or Ctrl-C (a second one does not wait
 * for anything), 70 after an unexpected failure. In both cases requests in flight are finished first.
 */
export function waitForStop({ stopping, terminal, log, isUnderNpm }: StopDeps): Promise<number> {
  return new Promise((resolve) => {
    const stop = (status: number): void => {
      if (stopping.signal.aborted) return;
      stopping.abort();
      resolve(status);
    };
    let firstAt = 0;
    const onSignal = (): void => {
      if (stopping.signal.aborted) {
        if (performance.now() - firstAt > SAME_KEYSTROKE_MS) process.exit(EXIT.failed);
        return;
      }
      firstAt = performance.now();
      terminal.note('Finishing requests in flight; press Ctrl-C again to stop at once.');
      stop(EXIT.done);
    };
    const onCrash = (error: unknown): void => {
      log.error({ err: error }, 'Swath crashed and stops');
      stop(EXIT.crashed);
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
    process.on('uncaughtException', onCrash);
    process.on('unhandledRejection', onCrash);
    if (isUnderNpm) watchParent(() => stop(EXIT.done));
  });
}

/** A signal to npm reaches the shell between npm and us, but not us: all we notice is that the shell ends. */
function watchParent(onGone: () => void): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) onGone();
  }, 500).unref();
}

/** Runs work with a signal that Ctrl-C and a request to terminate abort. */
export async function withStopSignal<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    return await work(stopping.signal);
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}
