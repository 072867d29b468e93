export { type Breaker, type CallOutcome, makeBreaker } from './breaker.ts';
export { makeBatch, makeSerialWork, startAhead, workInOrder } from './concurrency.ts';
export { type Gate, makeGate } from './gate.ts';
export {
  type CountNews,
  type MakeCounter,
  makeSharedCounts,
  makeTokenBuckets,
  makeWindowCounter,
  noNews,
  TELL_MS,
  type TokenBuckets,
  type ToldCount,
} from './rate.ts';
export {
  type Clock,
  makePause,
  type Repeat,
  repeatByTimer,
  retry,
  type Sleep,
  sleep,
  systemClock,
  takeTurn,
  toBackoffMs,
} from './retry.ts';
export { makeSingleFlight, type SingleFlight, throwIfCancelled, toCancelled } from './single-flight.ts';
export {
  type CacheTimes,
  type Changes,
  type Heard,
  makeTtlCache,
  type TtlCache,
  unheard,
} from './ttl-cache.ts';
