import type { PackedReadings } from './readings.ts';
import type { FeedEvent, Subscription, SubscriptionChanges, WatchEvent } from './subscription.ts';

/** What a subscription has measured in one scene, or in the mosaic of one period. */
export interface WatchedScene {
  /** The view id of the scene, or the name of the period. */
  readonly viewId: string;
  /** YYYY-MM-DD; of a period the last one. */
  readonly day: string;
  /** The view ids of the scenes of a period, in their order; none for a scene by itself. */
  readonly sources: readonly string[];
  /** One for each expression of the subscription. */
  readonly readings: readonly PackedReadings[];
}

/** The result of a put: stored, or a refusal because its owner has reached the limit. */
export type SubscriptionPut =
  | { readonly kind: 'stored' }
  | { readonly kind: 'full'; readonly subscriptions: number };

/** A subscription that is to be checked, with the right to do so. */
export interface LeasedCheck {
  readonly subscription: Subscription;
  /** Another process that gets the subscription after the lease has lapsed has another one. */
  readonly token: string;
}

/** Names the check of a subscription. */
export interface CheckRef {
  readonly id: string;
  readonly token: string;
}

/** A way on which events are sent. */
export type Channel = 'callback' | 'mail';

/** How far the events of a subscription have been sent on one channel. */
export interface SendingState {
  readonly channel: Channel;
  /** All events up to this position have arrived. */
  readonly position: number;
  /** Attempts at what comes next that have failed. */
  readonly attempts: number;
  /** ISO 8601 in UTC; null unless an attempt has failed. */
  readonly nextAttemptAt: string | null;
  /** Of the last attempt: a word or a status; null if it arrived. */
  readonly lastError: string | null;
}

/** Events that are to be sent, with the right to do so. */
export interface LeasedSending {
  readonly subscription: Subscription;
  readonly channel: Channel;
  /** Attempts that have failed before this one. */
  readonly attempts: number;
  /** The first events that have not arrived, in order; at least one. */
  readonly events: readonly FeedEvent[];
  /** Ends the lease: one that has lapsed and was given to another process has another token. */
  readonly token: string;
}

/**
 * Where subscriptions are stored, with what they have measured and the events they have made. Removing a subscription
 * removes all of it.
 */
export interface WatchStore {
  /** Stores a new subscription, and resolves when it is on disk. Counted in the same transaction. */
  put(subscription: Subscription, maxPerOwner: number): Promise<SubscriptionPut>;
  find(id: string, owner: string): Promise<Subscription | null>;
  /** In the order of names, then of ids; areas are empty there. */
  list(owner: string): Promise<readonly Subscription[]>;
  /** Null when the owner has none of this id. Other ways of sending begin with the events after the change. */
  change(id: string, owner: string, changes: SubscriptionChanges): Promise<Subscription | null>;
  remove(id: string, owner: string): Promise<boolean>;
  /** Removes all of an owner; the number of them. */
  removeAll(owner: string): Promise<number>;

  /** Which of these scenes or periods a subscription has measured, each with its sources. */
  findMeasured(id: string, viewIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /** What it has measured in scenes of these days, both included. */
  listMeasured(
    id: string,
    days: { readonly from: string; readonly to: string },
  ): Promise<readonly WatchedScene[]>;
  /**
   * Stores a scene or a period and the events it has made, all or nothing. One that was stored before is replaced if its
   * sources are others. False, and nothing is changed, if they are the same, as those of a scene always are, or if the
   * subscription is gone. Events whose ids are in the feed already are left out.
   */
  commit(
    id: string,
    scene: WatchedScene,
    made: { readonly events: readonly WatchEvent[]; readonly at: string },
  ): Promise<boolean>;
  /**
   * Leases the subscription that has been due longest, for `leaseMs`; null if none is due. Paused ones, and those of
   * `exceptOwners`, are left out.
   */
  leaseCheck(options: {
    readonly nowMs: number;
    readonly leaseMs: number;
    readonly exceptOwners?: readonly string[];
  }): Promise<LeasedCheck | null>;
  /** Keeps a lease; false if another process has the subscription, or it is gone. */
  renewCheck(check: CheckRef, leaseUntilMs: number): Promise<boolean>;
  /** Ends a check. Null keeps the time until which scenes were searched for: the check has failed. */
  endCheck(
    check: CheckRef,
    end: { readonly checkedAt: string | null; readonly nextAtMs: number },
  ): Promise<boolean>;
  /** Removes the readings of scenes before a day, and events made before a time. */
  prune(before: { readonly day: string; readonly madeAt: string }): Promise<void>;

  /** Events behind a position, oldest first. */
  listEvents(
    id: string,
    page: { readonly after: number; readonly limit: number },
  ): Promise<readonly FeedEvent[]>;
  /** The position of the newest event; 0 if there is none. */
  lastPosition(id: string): Promise<number>;

  /** Takes the sending that has been due longest for `leaseMs`; null if none is due. */
  leaseSending(options: {
    readonly nowMs: number;
    readonly leaseMs: number;
    readonly maxEvents: number;
  }): Promise<LeasedSending | null>;
  /** Ends a sending: what has arrived is behind us, or it is due again. False if the lease is not the last one. */
  endSending(
    sending: Pick<LeasedSending, 'token' | 'channel'> & { readonly id: string },
    end:
      | { readonly kind: 'arrived'; readonly position: number }
      | { readonly kind: 'failed'; readonly error: string; readonly retryAtMs: number },
  ): Promise<boolean>;
  listSending(id: string): Promise<readonly SendingState[]>;
}
