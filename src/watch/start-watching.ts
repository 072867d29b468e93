import { makeSerialWork } from '../async/index.ts';
import type { Ticket } from '../pool/index.ts';
import { DAY_MS } from '../units.ts';
import type { Checked, makeCheckSubscription } from './check-subscription.ts';
import type { Days } from './judge.ts';
import { addDays } from './judge.ts';
import type { Subscription } from './subscription.ts';
import type { LeasedCheck, WatchStore } from './watch-store.ts';

type CheckEnd = Parameters<WatchStore['endCheck']>[1];

interface WatchingDeps {
  readonly store: Pick<WatchStore, 'leaseCheck' | 'renewCheck' | 'endCheck' | 'prune'>;
  readonly check: ReturnType<typeof makeCheckSubscription>;
  /** When a subscription is checked again after it was: catalogs of others are asked less often. */
  readonly toIntervalMs: (subscription: Subscription) => number;
  /** Whether a key still works: nothing is computed or told for one that does not. */
  readonly isActive: (owner: string) => Promise<boolean>;
  readonly ticketFor: (owner: string, signal: AbortSignal) => Ticket;
  readonly nowMs: () => number;
  readonly leaseMs: number;
  /** How often due subscriptions are looked for. */
  readonly lookMs: number;
  readonly events: {
    onChecked?(subscription: Subscription, checked: Checked): void;
    /** A store that could not be used, a catalog that did not answer, or a bug. */
    onFailure?(error: unknown, subscription: Subscription | null): void;
  };
}

/** Checks subscriptions as long as it runs. */
export interface Watching {
  /** Begins no more checks, and ends those under way: what they have stored stays. */
  stop(): Promise<void>;
}

/** Scenes come in within days, or weeks. Older ones, such as an archive that is ingested, are looked for less often. */
const LATE_DAYS = 45;
/** One of so many checks looks at all days since the beginning of a subscription. */
const FULL_EVERY = 20;

/** How long readings are stored: normals look back at earlier years. */
const READINGS_DAYS = 366 * 11;
/** How long events stay in feeds. */
const EVENTS_DAYS = 400;

/** A check that has failed is repeated after this time at the earliest. */
const AFTER_FAILURE_MS = 60_000;

/** Checks under way in a process: each holds the outlines of its fields in memory. */
const SLOTS = 3;

/** A check that takes longer lets those run that wait: it goes on, with what it has stored, when its turn comes again. */
const TURN_MS = 60_000;

/** How often it is looked whether a key that was revoked, or has expired, works again. */
const INACTIVE_MS = 3_600_000;

const toDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The days whose scenes are looked for: all since the start of the subscription, or those before the last check that may be late. */
function toWatchedDays(
  { since, checkedAt }: Pick<Subscription, 'since' | 'checkedAt'>,
  { isFull, nowMs }: { readonly isFull: boolean; readonly nowMs: number },
): Days {
  const late = isFull || checkedAt === null ? since : addDays(checkedAt.slice(0, 10), -LATE_DAYS);
  // Clocks of others may be ahead: a scene of tomorrow is not missed.
  return { from: late > since ? late : since, to: toDay(nowMs + DAY_MS) };
}

/**
 * Starts to check subscriptions that are due: a few at once, at most one of each owner, and each for a turn, so that the
 * long history of one delays no other. The threads that measure are shared among owners.
 */
export function startWatching(deps: WatchingDeps): Watching {
  const { store, nowMs, leaseMs, lookMs, events } = deps;
  const stopping = new AbortController();
  /** Whole checks of this process by subscription; a new process begins with a full check. */
  const checks = new Map<string, number>();
  /** The checks under way by owner. */
  const underWay = new Map<string, Promise<void>>();
  let prunedDay = '';

  async function checkOne({ subscription, token }: LeasedCheck): Promise<void> {
    const ref = { id: subscription.id, token };
    const startedMs = nowMs();
    const earlier = checks.get(subscription.id) ?? 0;
    const days = toWatchedDays(subscription, { isFull: earlier % FULL_EVERY === 0, nowMs: startedMs });
    const renew = () => store.renewCheck(ref, nowMs() + leaseMs);
    // A scene may take longer than a lease.
    const renewing = setInterval(() => void renew().catch(() => {}), leaseMs / 3);
    try {
      if (!(await deps.isActive(subscription.owner))) {
        await store.endCheck(ref, { checkedAt: null, nextAtMs: nowMs() + INACTIVE_MS });
        return;
      }
      const checked = await deps.check(subscription, days, {
        ticket: deps.ticketFor(subscription.owner, stopping.signal),
        // A turn stores at least one scene: unreadable ones do not use it up.
        onScene: async ({ isStored }) => (await renew()) && !(isStored && nowMs() - startedMs >= TURN_MS),
      });
      if (checked.isWhole && checked.failed === 0) checks.set(subscription.id, earlier + 1);
      await store.endCheck(ref, toEnd(subscription, checked, startedMs));
      events.onChecked?.(subscription, checked);
    } catch (error) {
      const isStopping = stopping.signal.aborted;
      const waitMs = Math.max(deps.toIntervalMs(subscription), AFTER_FAILURE_MS);
      await store.endCheck(ref, { checkedAt: null, nextAtMs: nowMs() + (isStopping ? 0 : waitMs) });
      if (!isStopping) events.onFailure?.(error, subscription);
    } finally {
      clearInterval(renewing);
    }
  }

  /** When the next check of a subscription is due, and until when its scenes are known. */
  function toEnd(subscription: Subscription, { isWhole, failed }: Checked, startedMs: number): CheckEnd {
    const intervalMs = deps.toIntervalMs(subscription);
    if (!isWhole) return { checkedAt: null, nextAtMs: nowMs() };
    // A scene that could not be measured is looked for again, also after weeks.
    if (failed > 0) return { checkedAt: null, nextAtMs: nowMs() + Math.max(intervalMs, AFTER_FAILURE_MS) };
    return { checkedAt: new Date(startedMs).toISOString(), nextAtMs: nowMs() + intervalMs };
  }

  async function prune(): Promise<void> {
    const today = toDay(nowMs());
    if (prunedDay === today) return;
    prunedDay = today;
    await store.prune({
      day: addDays(today, -READINGS_DAYS),
      madeAt: new Date(nowMs() - EVENTS_DAYS * DAY_MS).toISOString(),
    });
  }

  const looking = makeSerialWork(
    async () => {
      await prune();
      while (!stopping.signal.aborted && underWay.size < SLOTS) {
        const exceptOwners = [...underWay.keys()];
        const leased = await store.leaseCheck({ nowMs: nowMs(), leaseMs, exceptOwners });
        if (leased === null) break;
        const { owner } = leased.subscription;
        const check = checkOne(leased)
          // The store could not be used: the lease lapses.
          .catch((error: unknown) => {
            if (!stopping.signal.aborted) events.onFailure?.(error, null);
          })
          .then(() => {
            underWay.delete(owner);
            void looking.request();
          });
        underWay.set(owner, check);
      }
    },
    (error) => events.onFailure?.(error, null),
  );
  const timer = setInterval(() => void looking.request(), lookMs);
  timer.unref();
  void looking.request();
  return {
    async stop() {
      stopping.abort();
      clearInterval(timer);
      await looking.settled();
      await Promise.all(underWay.values());
    },
  };
}
