/** The list of scenes: it grows when it is scrolled, and marks what is shown and what is under the pointer. */
import { mayShowPicture, NO_ORIGINS } from '../../scenes/origins.ts';
import type { Scene } from '../../scenes/scene.ts';
import type { Results } from '../../state/search-state.ts';
import { PLAIN_QUERY } from '../../state/search-state.ts';
import type { ViewerState } from '../../state/viewer-state.ts';
import { isLive } from '../../state/viewer-state.ts';
import { el } from '../dom.ts';
import type { PanelContext } from '../panel-context.ts';
import { putInOrder } from '../put-in-order.ts';
import { makeCatalogNotes } from './catalog-notes.ts';
import { makeSceneCard } from './scene-card.ts';
import { makeThumbnails } from './thumbnails.ts';

/** The scene that is shown by itself; a clear view is of many. */
const shownAlone = ({ shown, clearView }: ViewerState): string | undefined =>
  clearView === null ? shown?.viewId : undefined;

const viewIdOf = (target: EventTarget | null): string | null =>
  target instanceof Element ? (target.closest<HTMLElement>('[data-view]')?.dataset.view ?? null) : null;

const makeNothing = ({ store, actions, texts: { states } }: PanelContext): HTMLElement => {
  const reset = el('button', { type: 'button', class: 'secondary' }, states.resetFilters);
  reset.addEventListener('click', () => {
    const { where } = store.read().query;
    // With public catalogs, the view of the map is where a search begins.
    void actions.setQuery(isLive(store.read()) ? { ...PLAIN_QUERY, where } : PLAIN_QUERY);
  });
  const hint = el('p', { class: 'muted' }, states.nothingFoundHint);
  return el('div', { class: 'state' }, el('h3', {}, states.nothingFound), hint, reset);
};

const makeFailed = (text: string, { store, actions, texts }: PanelContext): HTMLElement => {
  const retry = el('button', { type: 'button', class: 'secondary' }, texts.frame.tryAgain);
  retry.addEventListener('click', () => {
    actions.report.clear();
    // A list whose next page failed goes on where it ends.
    void (store.read().results.hasMore ? actions.loadMore() : actions.setQuery({}));
  });
  return el('div', { class: 'state' }, el('p', { role: 'alert' }, text), retry);
};

/** Builds the list. */
export const makeSceneList = (context: PanelContext): HTMLElement => {
  const { store, actions, api, texts } = context;
  const cards = new Map<string, HTMLButtonElement>();
  const items = new Map<string, HTMLLIElement>();
  const mayShow = (address: string): boolean =>
    mayShowPicture(store.read().knowledge?.origins ?? NO_ORIGINS, address);
  const thumbnails = makeThumbnails({ readThumbnail: api.readThumbnail, mayShow });
  const list = el('ul', { class: 'scenes' });
  const end = el('p', { class: 'muted list-end' }, texts.states.loadingMore);
  const note = el('div', {});
  const count = el('span', { class: 'muted', role: 'status' });
  list.addEventListener('click', ({ target }) => {
    const viewId = viewIdOf(target);
    if (viewId !== null) actions.selectScene(viewId);
  });
  // Mouse events, as the map has: pointer events would come before the map says that the pointer left it.
  list.addEventListener('mouseover', ({ target }) => actions.hoverScene(viewIdOf(target)));
  list.addEventListener('mouseleave', () => actions.hoverScene(null));
  list.addEventListener('focusin', ({ target }) => actions.hoverScene(viewIdOf(target)));

  // The next page is asked for before its end is seen.
  const atEnd = new IntersectionObserver(
    (entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) void actions.loadMore();
    },
    { rootMargin: '400px' },
  );
  atEnd.observe(end);

  const itemOf = (scene: Scene): HTMLLIElement => {
    const known = items.get(scene.viewId);
    if (known !== undefined) return known;
    const { card, canvas } = makeSceneCard(scene, texts);
    thumbnails.watch(canvas, scene);
    cards.set(scene.viewId, card);
    const item = el('li', {}, card);
    items.set(scene.viewId, item);
    return item;
  };
  const showScenes = (scenes: readonly Scene[]): void => {
    const present = new Set(scenes.map(({ viewId }) => viewId));
    for (const [viewId, card] of cards) {
      if (present.has(viewId)) continue;
      thumbnails.unwatch(card.querySelector('canvas'));
      cards.delete(viewId);
      items.delete(viewId);
    }
    putInOrder(list, scenes.map(itemOf));
    // Observing anew tells whether the end is still in view after a page came.
    atEnd.unobserve(end);
    atEnd.observe(end);
  };
  const showStatus = (results: Results): void => {
    const { scenes, found, isLoading, hasMore, failure, notes } = results;
    // Nothing is known of scenes that a catalog kept to itself; the note says so instead.
    const isMore = notes.some(({ isAtLeast, problem }) => isAtLeast && problem === null);
    count.textContent = isMore ? texts.find.foundMore(found - 1) : texts.find.found(found);
    list.setAttribute('aria-busy', String(isLoading));
    // After a failure the button asks for more, rather than every move of the list.
    end.hidden = !hasMore || failure !== null;
    if (failure !== null) note.replaceChildren(makeFailed(failure, context));
    else if (scenes.length === 0 && !isLoading && notes.every(({ problem }) => problem === null))
      note.replaceChildren(makeNothing(context));
    else note.replaceChildren();
  };
  const markShown = (viewId: string | undefined): void => {
    for (const [own, card] of cards) {
      if (own === viewId) card.setAttribute('aria-current', 'true');
      else card.removeAttribute('aria-current');
    }
  };
  store.watch(
    ({ results }) => results.scenes,
    (scenes, state) => {
      showScenes(scenes);
      markShown(shownAlone(state));
    },
  );
  store.watch(({ results }) => results, showStatus);
  store.watch(shownAlone, (viewId) => {
    markShown(viewId);
    if (viewId !== undefined) cards.get(viewId)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });
  store.watch(
    ({ hoveredViewId }) => hoveredViewId,
    (viewId) => {
      for (const [own, card] of cards) card.classList.toggle('is-hovered', own === viewId);
    },
  );
  return el(
    'section',
    { class: 'scene-section', 'aria-label': texts.find.scenes },
    el('div', { class: 'heading-row sticky' }, el('h3', {}, texts.find.scenes), count),
    makeCatalogNotes(context),
    list,
    note,
    end,
  );
};
