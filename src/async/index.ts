export { type Breaker, type CallOutcome, makeBreaker } from './breaker.ts';
export { makeBatch, makeSerialWork, workInOrder } from './concurrency.ts';
export { type Gate, makeGate } from './gate.ts';
export { makeTokenBuckets, makeWindowCounter, type TokenBuckets } from './rate.ts';
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
export { type CacheTimes, makeTtlCache, type TtlCache } from './ttl-cache.ts';
