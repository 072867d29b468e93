/** A band by any of its names. */
export interface BandMeaning {
  readonly kind: 'band';
  /** The band's own name. */
  readonly name: string;
  readonly resolutionM: number | null;
}

/** An alias that stands for one expression of bands. */
export interface IndexMeaning {
  readonly kind: 'index';
  readonly name: string;
  /** Names only bands and functions; it counts as if in parentheses. */
  readonly expression: string;
  /** Its bands are always read as reflectance. */
  readonly needsReflectance: boolean;
}

/** A condition on one of two scenes. */
export interface ChangeCondition {
  readonly scene: 'this' | 'earlier';
  /** A comparison. */
  readonly of: IndexMeaning;
}

/**
 * The meanings of a name. A composite is several expressions; a change is an index minus the same index of an earlier
 * scene, NODATA where a condition is not met.
 */
export type NameMeaning =
  | BandMeaning
  | IndexMeaning
  | { readonly kind: 'composite'; readonly name: string; readonly of: readonly IndexMeaning[] }
  | {
      readonly kind: 'change';
      readonly name: string;
      readonly of: IndexMeaning;
      readonly when: readonly ChangeCondition[];
    };

/** The names of one sensor (or of one scene, when its bands differ), which the language itself does not know. */
export interface Names {
  /** The meaning of a name, in every accepted spelling; null for an unknown one. */
  readonly find: (name: string) => NameMeaning | null;
  /** Names to suggest and to list in an error, bands first. */
  readonly all: readonly string[];
}

/** Longer words are not misspellings, and comparing them would only cost time. */
const MAX_CHARS = 24;

/** The edit distance of two words: letters changed, inserted, deleted or swapped with a neighbour. */
export function countEdits(left: string, right: string): number {
  const width = right.length + 1;
  let before: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: width }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const next = [row];
    for (let column = 1; column < width; column++) {
      const isSame = left[row - 1] === right[column - 1];
      let edits = Math.min(last[column]! + 1, next[column - 1]! + 1, last[column - 1]! + (isSame ? 0 : 1));
      const isSwapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (isSwapped) edits = Math.min(edits, before[column - 2]! + 1);
      next.push(edits);
    }
    before = last;
    last = next;
  }
  return last[width - 1]!;
}

/** The known name most similar to a word, ignoring case; null when none is similar. */
export function suggestName(word: string, names: Iterable<string>): string | null {
  if (word.length > MAX_CHARS) return null;
  const lower = word.toLowerCase();
  // A third of the letters may be wrong, but never all: B9 may be B8, Q may not be R.
  const allowed = Math.min(Math.max(1, Math.floor(word.length / 3)), word.length - 1);
  let best: string | null = null;
  let fewest = allowed + 1;
  for (const name of names) {
    if (Math.abs(name.length - word.length) >= fewest) continue;
    const edits = countEdits(lower, name.toLowerCase());
    if (edits < fewest) {
      best = name;
      fewest = edits;
    }
  }
  return best;
}
