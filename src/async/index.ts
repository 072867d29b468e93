export { type Breaker, type CallOutcome, makeBreaker } from './breaker.ts';
export { throwIfCancelled, toCancelled } from './cancellation.ts';
export { type Gate, makeGate } from './gate.ts';
export { workInOrder } from './in-order.ts';
export { makePause, takeTurn } from './pause.ts';
export { makeTokenBuckets, makeWindowCounter, type TokenBuckets } from './rate.ts';
export { type Clock, retry, type Sleep, sleep, systemClock, toBackoffMs } from './retry.ts';
export { makeSingleFlight, type SingleFlight } from './single-flight.ts';
export { type CacheTimes, makeTtlCache, type TtlCache } from './ttl-cache.ts';
