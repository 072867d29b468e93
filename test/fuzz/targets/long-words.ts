const LENGTH = 30_000;

/** What a pattern that tries all ways to divide a text takes seconds for: long runs, each with an end that fits nothing. */
export const longWords: readonly string[] = ['1', ' ', 'A', '/', '\t1', '.1'].map(
  (piece) => `${piece.repeat(LENGTH / piece.length)}\u2028x`,
);
