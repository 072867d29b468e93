export { makeBatch } from './batch.ts';
export { type Breaker, type CallOutcome, makeBreaker } from './breaker.ts';
export { type Gate, makeGate } from './gate.ts';
export { workInOrder } from './in-order.ts';
export { makeTokenBuckets, makeWindowCounter, type TokenBuckets } from './rate.ts';
export { type Repeat, repeatByTimer } from './repeat.ts';
export {
  type Clock,
  makePause,
  retry,
  type Sleep,
  sleep,
  systemClock,
  takeTurn,
  toBackoffMs,
} from './retry.ts';
export { makeSerialWork } from './serial-work.ts';
export { makeSingleFlight, type SingleFlight, throwIfCancelled, toCancelled } from './single-flight.ts';
export { type CacheTimes, makeTtlCache, type TtlCache } from './ttl-cache.ts';
