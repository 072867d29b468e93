import { makeSerialWork } from '../async/index.ts';
import type { GuardedFetch, PostedMessage } from '../net/index.ts';
import { postSigned } from '../net/index.ts';
import type { Callback, CallbackFailure, CallbackStore, LeasedCallback } from './callback.ts';
import type { Task } from './task.ts';
import type { TaskStore } from './task-store.ts';
import { isOver } from './tasks.ts';

/** How an attempt ended, as this process saw it; `lost` when another process has the callback, or its task is gone. */
export type CallbackEnd = 'delivered' | 'retried' | 'failed' | 'released' | 'lost';

/** Runs an attempt at a callback with the `traceparent` that its receiver gets. */
type TraceAttempt = (
  attempt: { readonly task: Task; readonly callback: Callback },
  send: (traceparent: string | undefined) => Promise<PostedMessage>,
) => Promise<PostedMessage>;

const sendPlain: TraceAttempt = ({ task }, send) => send(task.traceparent);

/** What a sender tells about its callbacks. */
interface SenderEvents {
  onEnd?(callback: Callback, end: CallbackEnd, posted: PostedMessage | null): void;
  /** A store that could not be used, or a bug; with the callback it is about. */
  onFailure?(error: unknown, callback: Callback | null): void;
}

interface SenderDeps {
  readonly store: CallbackStore;
  readonly tasks: Pick<TaskStore, 'find'>;
  /** The message about a task that is over, as its receiver is told. */
  readonly toBody: (task: Task, callback: Callback) => Promise<string>;
  /** The secret that signs messages to the owner of a key. */
  readonly findSecret: (owner: string) => Promise<string>;
  /** Ends a call well before the lease lapses, and follows no redirects. */
  readonly fetch: GuardedFetch;
  readonly userAgent: string;
  /** Sends an attempt as a part of the task's trace; by default the receiver gets the `traceparent` of the order. */
  readonly traceAttempt?: TraceAttempt | undefined;
  /** After so long without an end another process sends a callback again. */
  readonly leaseMs: number;
  /** Between the first and the second attempt. */
  readonly firstDelayMs: number;
  /** Attempts that are begun for one owner within a minute. */
  readonly perMinute: number;
  readonly wallClockMs?: () => number;
  /** How often due callbacks are looked for when no event comes. */
  readonly lookMs?: number;
  readonly events?: SenderEvents;
}

/** Sends the callbacks of tasks that are over. */
export interface CallbackSender {
  /** Begins no more attempts, waits up to `drainMs` for those under way, and hands the rest back. */
  stop(options: { readonly drainMs: number }): Promise<void>;
}

/** Callbacks under way in a process. */
const SLOTS = 16;

/** A retry may be late by as much. */
const LOOK_MS = 1_000;

/** Ends of tasks within this time are followed by one look: hundreds may end in a second. */
const GATHER_MS = 50;

/** The failure of a callback whose last attempt was begun and never ended: its process was killed, or lost the store. */
const LOST: CallbackFailure = { status: null, error: 'interrupted' };

/** Starts a sender: it leases callbacks that are due as long as it has free slots. */
export function startCallbackSender(deps: SenderDeps): CallbackSender {
  const { store, tasks, leaseMs, firstDelayMs, lookMs = LOOK_MS, events = {} } = deps;
  const stopping = new AbortController();
  const sending = new Set<Promise<void>>();
  const turns = makeSendingTurns({ perMinute: deps.perMinute, nowMs: () => performance.now() });
  let isStopping = false;
  let gathering: NodeJS.Timeout | null = null;

  /** Leases callbacks that are due, one look at a time: every event requests it. */
  const leasing = makeSerialWork(
    async () => {
      while (!isStopping && sending.size < SLOTS) {
        const leased = await store.lease({
          leaseMs,
          maxAttempts: MAX_CALLBACK_ATTEMPTS,
          lost: LOST,
          exceptOwners: turns.findBusy(),
        });
        if (leased === null) break;
        start(leased);
      }
    },
    (error) => events.onFailure?.(error, null),
  );
  const look = (): void => void leasing.request();

  function start(leased: LeasedCallback): void {
    const { callback } = leased;
    turns.begin(callback.owner);
    const sent = send(leased)
      // The lease lapses, and the callback is sent again.
      .catch((error: unknown) => events.onFailure?.(error, callback))
      .then(() => {
        turns.end(callback.owner);
        sending.delete(sent);
        look();
      });
    sending.add(sent);
  }

  async function send({ callback, lease }: LeasedCallback): Promise<void> {
    const tell = (isStored: boolean, end: CallbackEnd, posted: PostedMessage | null): void =>
      events.onEnd?.(callback, isStored ? end : 'lost', posted);
    const task = await tasks.find(callback.taskId);
    // Removed, or queued again by an operator: then it is told when it ends again.
    if (task === null || !isOver(task)) return tell(false, 'lost', null);
    let posted: PostedMessage;
    try {
      posted = await post(task, callback);
    } catch (error) {
      if (!stopping.signal.aborted) throw error;
      return tell(await store.release(lease), 'released', null);
    }
    if (posted.kind === 'delivered')
      return tell(await store.deliver(lease, posted.status), 'delivered', posted);
    const retryInMs = planCallbackRetry(callback.attempts, firstDelayMs);
    const isStored = await store.fail(lease, posted.failure, retryInMs);
    tell(isStored, retryInMs === null ? 'failed' : 'retried', posted);
  }

  async function post(task: Task, callback: Callback): Promise<PostedMessage> {
    const { taskId, url, attempts: attempt, owner } = callback;
    const { fetch, userAgent, wallClockMs = Date.now, traceAttempt = sendPlain } = deps;
    const [body, secret] = await Promise.all([deps.toBody(task, callback), deps.findSecret(owner)]);
    const headers = { 'x-swath-task': taskId, 'x-swath-attempt': String(attempt) };
    return traceAttempt({ task, callback }, (traceparent) =>
      postSigned(
        { url, headers: traceparent === undefined ? headers : { ...headers, traceparent }, body, secret },
        { fetch, userAgent, wallClockMs, signal: stopping.signal },
      ),
    );
  }

  const unwatch = store.watch(() => {
    gathering ??= setTimeout(() => {
      gathering = null;
      look();
    }, GATHER_MS);
  });
  const timer = setInterval(look, lookMs);
  // Those of a process that died may be due already.
  look();

  return {
    async stop({ drainMs }) {
      isStopping = true;
      clearInterval(timer);
      if (gathering !== null) clearTimeout(gathering);
      unwatch();
      const late = setTimeout(() => stopping.abort(), drainMs);
      // A look at a store that has fallen silent finds nothing any more.
      const { promise: gaveUp, resolve: giveUp } = Promise.withResolvers<void>();
      const tooLate = setTimeout(giveUp, drainMs + LOOK_MS);
      await Promise.race([leasing.settled(), gaveUp]);
      await Promise.all(sending);
      clearTimeout(late);
      clearTimeout(tooLate);
    },
  };
}

/** Attempts at one callback. */
export const MAX_CALLBACK_ATTEMPTS = 5;

/** Waits between attempts as multiples of the first one: 10 s, 1 min, 5 min and 30 min by default. */
const FACTORS = [1, 6, 30, 180];

/** How far a wait may be off, as a share of it: callbacks that failed together are not sent again together. */
const SPREAD = 0.2;

/** How long to wait after the failed attempt of that number, from 1; null after the last. `random` is from 0 to 1. */
export function planCallbackRetry(
  attempts: number,
  firstDelayMs: number,
  random = Math.random(),
): number | null {
  const factor = FACTORS[attempts - 1];
  if (factor === undefined || attempts >= MAX_CALLBACK_ATTEMPTS) return null;
  return Math.round(firstDelayMs * factor * (1 - SPREAD + 2 * SPREAD * random));
}

/** Which owners may have another callback begun. */
interface SendingTurns {
  begin(owner: string): void;
  end(owner: string): void;
  /** Owners that have as many callbacks under way as they may, or have begun as many within a minute. */
  findBusy(): readonly string[];
}

/** Callbacks of one owner under way: its slow receiver does not delay the callbacks of others. */
const AT_ONCE = 4;

const MINUTE_MS = 60_000;

interface OwnerTurns {
  underWay: number;
  /** When callbacks were begun, within the last minute; oldest first. */
  begunMs: readonly number[];
}

/** Counts the callbacks of one process: at most `perMinute` of an owner, so that no one makes it flood a receiver. */
export function makeSendingTurns({
  perMinute,
  nowMs,
}: {
  readonly perMinute: number;
  readonly nowMs: () => number;
}): SendingTurns {
  const owners = new Map<string, OwnerTurns>();
  const isRecent = (atMs: number): boolean => nowMs() - atMs < MINUTE_MS;
  return {
    begin(owner) {
      const { underWay = 0, begunMs = [] } = owners.get(owner) ?? {};
      owners.set(owner, { underWay: underWay + 1, begunMs: [...begunMs.filter(isRecent), nowMs()] });
    },
    end(owner) {
      const turns = owners.get(owner);
      if (turns !== undefined) turns.underWay -= 1;
    },
    findBusy() {
      const busy: string[] = [];
      for (const [owner, { underWay, begunMs }] of owners) {
        const recent = begunMs.filter(isRecent).length;
        if (underWay === 0 && recent === 0) owners.delete(owner);
        else if (underWay >= AT_ONCE || recent >= perMinute) busy.push(owner);
      }
      return busy;
    },
  };
}
