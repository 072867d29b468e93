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
  /** Names bands and functions only; it counts as if in parentheses. */
  readonly expression: string;
  /** Its bands are always read as reflectance. */
  readonly needsReflectance: boolean;
}

/** What must be true of one of two scenes. */
export interface ChangeCondition {
  readonly scene: 'this' | 'earlier';
  /** A comparison. */
  readonly of: IndexMeaning;
}

/**
 * What a name may mean. A composite is several expressions; a change is an index minus itself of an earlier scene, NODATA
 * where a condition is not met.
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

/** The names of one sensor (or of one scene, when its bands differ): what the language cannot know. */
export interface Names {
  /** What a name means, in every spelling that counts; null for nothing. */
  readonly find: (name: string) => NameMeaning | null;
  /** Names to suggest and to list in an error, bands first. */
  readonly all: readonly string[];
}
