/** What an operator says of a dataset, in place of what Swath says of its sensor; what is null stays Swath's. */
export interface DatasetText {
  readonly title: string | null;
  readonly description: string | null;
  readonly keywords: readonly string[] | null;
  /** An SPDX identifier, or `other`. */
  readonly license: string | null;
  readonly providers: readonly DatasetProvider[] | null;
}

/** Who made, licensed, processed or hosts a dataset. */
export interface DatasetProvider {
  readonly name: string;
  readonly roles?: readonly string[];
  readonly url?: string;
  readonly description?: string;
}

/** Where these texts are stored: at most one for each dataset. */
export interface DatasetTextStore {
  /** All of them, by dataset. */
  list(): Promise<ReadonlyMap<string, DatasetText>>;
  /**
   * Stores a text, or removes it with null, if `before` is still what is stored; durable when it resolves. False, and nothing
   * has changed, if someone else has changed it since it was listed.
   */
  replace(
    dataset: string,
    change: { readonly before: DatasetText | null; readonly after: DatasetText | null },
  ): Promise<boolean>;
}
