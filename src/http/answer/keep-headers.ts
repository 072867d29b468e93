/** Headers of an answer that a client may keep for some time, and nobody between us and it: a key stands behind it. */
export const toKeepHeaders = (maxAgeS: number): Readonly<Record<string, string>> => ({
  'cache-control': `private, max-age=${maxAgeS}`,
  vary: 'x-api-key',
});

/** For what never changes but by a new version of Swath. */
export const DAY_S = 86_400;

/** For what never changes but may be deleted by its owner: after this clients ask whether it is still there. */
export const STORED_S = 60;
