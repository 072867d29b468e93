import { makeSerialWork } from '../async/index.ts';
import type { FeedEvent, Subscription } from './subscription.ts';
import type { Channel, LeasedSending, WatchStore } from './watch-store.ts';

/** Sends events on one channel. Resolves to null when they have arrived, and to a word for what went wrong otherwise. */
export type SendEvents = (
  message: {
    readonly subscription: Subscription;
    readonly events: readonly FeedEvent[];
    readonly attempt: number;
  },
  signal: AbortSignal,
) => Promise<string | null>;

interface SendingDeps {
  readonly store: Pick<WatchStore, 'leaseSending' | 'endSending'>;
  /** A channel without a sender waits: an operator may turn it on. */
  readonly senders: Readonly<Record<Channel, SendEvents | null>>;
  /** Whether a key still works: what it has subscribed to waits until it does. */
  readonly isActive: (owner: string) => Promise<boolean>;
  readonly nowMs: () => number;
  /** Longer than any attempt. */
  readonly leaseMs: number;
  readonly firstDelayMs: number;
  readonly lookMs: number;
  readonly events: {
    onSent?(sending: LeasedSending, error: string | null): void;
    onFailure?(error: unknown): void;
  };
}

/** Events of one message: about 100 kB. */
const MAX_EVENTS = 200;

/** Messages under way in a process. */
const SLOTS = 8;

/** The longest wait between attempts: a receiver that is back after a weekend gets everything within the hour. */
const LONGEST_MS = 3_600_000;

/** How long to wait after so many failed attempts: twice as long each time. Attempts never end, because events wait in the feed. */
const planSendingRetry = (attempts: number, firstDelayMs: number): number =>
  Math.min(LONGEST_MS, firstDelayMs * 2 ** Math.min(attempts, 20));

/**
 * Sends the events of subscriptions: each channel of each in order, one message at a time, again until it has arrived. Equal
 * ids mean the same event: one may arrive twice if a process dies after it was sent.
 */
export function startSendingEvents(deps: SendingDeps) {
  const { store, nowMs, leaseMs, firstDelayMs, lookMs, events } = deps;
  const stopping = new AbortController();
  const underWay = new Set<Promise<void>>();

  async function send(sending: LeasedSending): Promise<void> {
    const { subscription, channel, attempts, token } = sending;
    const ref = { id: subscription.id, channel, token };
    const sender = deps.senders[channel];
    const message = { subscription, events: sending.events, attempt: attempts + 1 };
    const isActive = await deps.isActive(subscription.owner);
    const error = !isActive ? 'key-revoked' : await (sender?.(message, stopping.signal) ?? 'not-available');
    const last = sending.events.at(-1);
    if (error === null && last !== undefined)
      await store.endSending(ref, { kind: 'arrived', position: last.position });
    else
      await store.endSending(ref, {
        kind: 'failed',
        error: error ?? 'nothing-to-send',
        retryAtMs: Math.round(nowMs() + planSendingRetry(attempts, firstDelayMs)),
      });
    events.onSent?.(sending, error);
  }

  const looking = makeSerialWork(
    async () => {
      while (!stopping.signal.aborted && underWay.size < SLOTS) {
        const sending = await store.leaseSending({ nowMs: nowMs(), leaseMs, maxEvents: MAX_EVENTS });
        if (sending === null) break;
        const sent = send(sending)
          // The lease lapses, and the events are sent again.
          .catch((error: unknown) => {
            if (!stopping.signal.aborted) events.onFailure?.(error);
          })
          .then(() => {
            underWay.delete(sent);
            void looking.request();
          });
        underWay.add(sent);
      }
    },
    (error) => events.onFailure?.(error),
  );
  const timer = setInterval(() => void looking.request(), lookMs);
  timer.unref();
  void looking.request();
  return {
    /** Begins no more messages, and ends those under way. */
    async stop(): Promise<void> {
      stopping.abort();
      clearInterval(timer);
      await looking.settled();
      await Promise.all(underWay);
    },
  };
}
