import { setImmediate } from 'node:timers/promises';
import type { WindowRequest } from '../window-request.ts';
import { isRemoteHref } from '../window-request.ts';
import type { NetworkThread } from './network-thread.ts';

/** Has bytes read that may be asked for next. */
export interface LookAhead {
  /** Notes what may follow a picture that was just drawn; listed only when there is time for it. */
  note(list: () => readonly WindowRequest[]): void;
  close(): void;
}

interface LookAheadDeps {
  readonly network: Pick<NetworkThread, 'fetchAhead'>;
  /** Whether no picture is drawn or waits. */
  readonly isIdle: () => boolean;
}

/** A person who pauses this long looks at what there is. Shorter, and it would be in the way of the next tile. */
const PAUSE_MS = 150;
/** Pictures remembered: those around a screen of tiles. The last ones count, because the map has moved on. */
const MAX_NOTED = 200;

/** Builds the looking ahead: after a pause, one picture after the other, for as long as nothing is asked for. */
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
      // The newest first: it is the nearest to what is looked at.
      const list = noted.pop();
      if (list === undefined) break;
      await fetch(list);
      // Planning takes some ms: requests must not wait for two hundred of them when there is nothing to read.
      await setImmediate();
    }
    isRunning = false;
    startPause();
  }

  /** A failure means nothing: no one has asked. */
  async function fetch(list: () => readonly WindowRequest[]): Promise<void> {
    try {
      await network.fetchAhead(list().filter(({ href }) => isRemoteHref(href)));
    } catch {
      // A picture that cannot be planned, perhaps: the one that asks for it is told.
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
