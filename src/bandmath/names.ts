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
