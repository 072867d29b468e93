import { randomBytes } from 'node:crypto';
import { conflict } from './errors.ts';
import type { Delivery, Subscription, SubscriptionContent } from './subscription.ts';
import type { WatchStore } from './watch-store.ts';

/** A subscription on its way into the store. */
export interface NewSubscription extends SubscriptionContent {
  readonly owner: string;
  readonly name: string;
  readonly delivery: Delivery;
  /** The first day of scenes that make events; today if it is left out. */
  readonly since?: string;
}

/** Stores subscriptions and finds them; only its owner finds one. */
export interface Subscriptions
  extends Pick<WatchStore, 'find' | 'list' | 'change' | 'remove' | 'listEvents' | 'listSending'> {
  /** Throws `too-many-subscriptions` when the owner has reached its limit. */
  create(subscription: NewSubscription): Promise<Subscription>;
}

interface SubscriptionsDeps {
  readonly store: WatchStore;
  readonly maxPerOwner: number;
  readonly now: () => Date;
}

/** Builds the service over a store. */
export function makeSubscriptions({ store, maxPerOwner, now }: SubscriptionsDeps): Subscriptions {
  return {
    async create({ owner, name, ground, value, condition, delivery, since }) {
      const createdAt = now().toISOString();
      const subscription: Subscription = {
        owner,
        id: randomBytes(16).toString('hex'),
        name,
        ground,
        value,
        condition,
        delivery,
        isPaused: false,
        createdAt,
        since: since ?? createdAt.slice(0, 10),
        checkedAt: null,
      };
      const put = await store.put(subscription, maxPerOwner);
      if (put.kind === 'full') {
        throw conflict(
          'too-many-subscriptions',
          `The key has ${put.subscriptions} subscriptions; at most ${maxPerOwner} are allowed. Delete some first.`,
          { details: { limit: maxPerOwner } },
        );
      }
      return subscription;
    },
    find: store.find,
    list: store.list,
    change: store.change,
    remove: store.remove,
    listEvents: store.listEvents,
    listSending: store.listSending,
  };
}
