/** What the list says of public catalogs: where pictures come from, and which catalog did not answer completely. */
import type { FunctionComponent } from 'preact';
import type { Origins } from '../../scenes/origins.ts';
import { NO_ORIGINS } from '../../scenes/origins.ts';
import type { CatalogNote } from '../../scenes/scene.ts';
import type { Texts } from '../../texts/en.ts';
import { Button } from '../kit/controls.tsx';
import { usePanel, usePart } from '../kit/panel.tsx';

/** One sentence for each catalog and what happened to it, however many datasets it was asked for. */
const toSentences = (
  notes: readonly CatalogNote[],
  { catalogs }: Origins,
  { find }: Texts,
): readonly string[] => {
  const sentences = notes.flatMap(({ name, problem }) => {
    if (problem === null) return [];
    const title = catalogs.find((catalog) => catalog.name === name)?.title ?? name;
    if (problem === 'catalog-slow') return [find.catalogSlow(title)];
    if (problem === 'catalog-unsorted') return [find.catalogUnsorted(title)];
    return [find.catalogFailed(title)];
  });
  return [...new Set(sentences)];
};

/** The note over the list; empty while all catalogs answer completely. */
export const CatalogNotes: FunctionComponent = () => {
  const { actions, texts } = usePanel();
  const notes = usePart(({ results }) => results.notes);
  const origins = usePart(({ knowledge }) => knowledge?.origins ?? NO_ORIGINS);
  const sentences = toSentences(notes, origins, texts);
  return (
    <div class="catalog-note" role="status" hidden={sentences.length === 0}>
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {sentences.length > 0 && (
        <Button look="link" onClick={() => void actions.setQuery({})}>
          {texts.frame.tryAgain}
        </Button>
      )}
    </div>
  );
};

/** The line that says where pictures come from; it is not there where all were ingested. */
export const OriginLine: FunctionComponent = () => {
  const {
    texts: { find, locale },
  } = usePanel();
  const { catalogs, hasDemo } = usePart(({ knowledge }) => knowledge?.origins ?? NO_ORIGINS);
  if (catalogs.length === 0 && !hasDemo) return null;
  const list = new Intl.ListFormat(locale, { type: 'conjunction' });
  return (
    <p class="origin muted small">
      {catalogs.length > 0 ? find.liveFrom(list.format(catalogs.map(({ title }) => title))) : find.fromDemo}
    </p>
  );
};
