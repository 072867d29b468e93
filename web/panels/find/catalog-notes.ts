/** What the list says of public catalogs: where pictures come from, and which catalog did not answer completely. */
import type { Origins } from '../../scenes/origins.ts';
import { NO_ORIGINS } from '../../scenes/origins.ts';
import type { CatalogNote } from '../../scenes/scene.ts';
import type { Texts } from '../../texts/en.ts';
import { el } from '../dom.ts';
import type { PanelContext } from '../panel-context.ts';

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

/** The note over the list; hidden while all catalogs answer completely. */
export const makeCatalogNotes = ({ store, actions, texts }: PanelContext): HTMLElement => {
  const retry = el('button', { type: 'button', class: 'link' }, texts.frame.tryAgain);
  retry.addEventListener('click', () => void actions.setQuery({}));
  const note = el('div', { class: 'catalog-note', role: 'status', hidden: true });
  store.watch(
    ({ results }) => results.notes,
    (notes, { knowledge }) => {
      const sentences = toSentences(notes, knowledge?.origins ?? NO_ORIGINS, texts);
      note.hidden = sentences.length === 0;
      note.replaceChildren(...sentences.map((sentence) => el('p', {}, sentence)), retry);
    },
  );
  return note;
};

/** The line that says where pictures come from; hidden where they were ingested. */
export const makeOriginLine = ({ store, texts: { find, locale } }: PanelContext): HTMLElement => {
  const line = el('p', { class: 'origin muted small', hidden: true });
  store.watch(
    ({ knowledge }) => knowledge?.origins ?? NO_ORIGINS,
    ({ catalogs, hasDemo }) => {
      const titles = catalogs.map(({ title }) => title);
      const list = new Intl.ListFormat(locale, { type: 'conjunction' }).format(titles);
      line.hidden = titles.length === 0 && !hasDemo;
      line.textContent = titles.length > 0 ? find.liveFrom(list) : hasDemo ? find.fromDemo : '';
    },
  );
  return line;
};
