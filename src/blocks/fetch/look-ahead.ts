import { setImmediate } from 'node:timers/promises';
import type { WindowRequest } from '../image-files.ts';
import { isRemoteHref } from '../image-files.ts';
import type { NetworkThread } from './network-thread.ts';

/** Prefetches bytes that are likely to be requested next. */
export interface LookAhead {
  /** Notes what may follow a picture that was just drawn; `list` is called only when there is time for it. */
  note(list: () => readonly WindowRequest[]): void;
  close(): void;
}

interface LookAheadDeps {
  readonly network: Pick<NetworkThread, 'fetchAhead'>;
  /** Whether no picture is drawn or waits. */
  readonly isIdle: () => boolean;
}

/** How long nothing must be drawn before a prefetch starts; sooner, it would delay the next tile. */
const PAUSE_MS = 150;
/** Pictures remembered: those around a screen of tiles. Older ones are dropped, because the map has moved on. */
const MAX_NOTED = 200;

/** Builds the prefetch: after a pause, one picture after the other, until a picture is requested. */
export function makeLookAhead({ network, isIdle }: LookAheadDeps): LookAhead {
  const noted: (() => readonly WindowRequest[])[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isRunning = false;
  let isClosed = false;

  function startPause(): void {
    clearTimeout(timer);
    if (isClosed || noted.length === 0) return;
    timer = setTimeout(() => void run(), PAUSE_MS).unref();
  }

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    while (isIdle() && !isClosed) {
      // The newest first: it is the nearest to what the map shows.
      const list = noted.pop();
      if (list === undefined) break;
      await fetch(list);
      // Planning takes some ms: requests must not wait for two hundred plans when there is nothing to read.
      await setImmediate();
    }
    isRunning = false;
    startPause();
  }

  /** Ignores failures: no one waits for the result. */
  async function fetch(list: () => readonly WindowRequest[]): Promise<void> {
    try {
      await network.fetchAhead(list().filter(({ href }) => isRemoteHref(href)));
    } catch {
      // The picture may be impossible to plan: a request for it reports why.
    }
  }

  return {
    note(list) {
      noted.push(list);
      if (noted.length > MAX_NOTED) noted.shift();
      startPause();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
