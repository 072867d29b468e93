/** Headers of an answer that a client may cache for some time, and no proxy between us and it: it needs a key. */
export const toCacheHeaders = (maxAgeS: number): Readonly<Record<string, string>> => ({
  'cache-control': `private, max-age=${maxAgeS}`,
  vary: 'x-api-key',
});

/** For what only changes with a new version of Swath. */
export const DAY_S = 86_400;

/** For what never changes but may be deleted by its owner: after this clients ask whether it is still there. */
export const STORED_S = 60;
