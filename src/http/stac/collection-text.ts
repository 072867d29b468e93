/** What a collection says of its dataset: the operator's words, and Swath's where there are none. */
import type { DatasetText } from '../../library/index.ts';
import type { Sensor } from '../../sensors/index.ts';

/** The words of a collection. */
export type CollectionText = { readonly [Name in keyof DatasetText]-?: NonNullable<DatasetText[Name]> };

/** The words of a dataset's collection. */
export function toCollectionText({ title, facts }: Sensor, own: DatasetText | null): CollectionText {
  const shown = own?.title ?? title;
  return {
    title: shown,
    description: own?.description ?? `Scenes of ${shown} in the catalog of this service.`,
    keywords: own?.keywords ?? facts.keywords,
    license: own?.license ?? facts.license,
    providers: own?.providers ?? facts.providers,
  };
}

/** What words are looked for in. */
export const toSearchedText = (dataset: string, { title, description, keywords }: CollectionText): string =>
  [dataset, title, description, ...keywords].join('\n');
