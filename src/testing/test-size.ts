/**
 * Sizes of tests that try many cases. `npm test` tries a tenth of them, which finds what an edit has broken;
 * `npm run test:all` tries all.
 */
const isFull = process.env.TEST_SIZE === 'full';

/** So many cases in the full size. */
export const casesOf = (full: number): number => (isFull ? full : Math.ceil(full / 10));
