/** The list of scenes: it grows when it is scrolled, and marks what is shown and what is under the pointer. */
import type { FunctionComponent } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { mayShowPicture, NO_ORIGINS } from '../../scenes/origins.ts';
import type { Scene } from '../../scenes/scene.ts';
import { PLAIN_QUERY } from '../../state/search-state.ts';
import type { ViewerState } from '../../state/viewer-state.ts';
import { isLive } from '../../state/viewer-state.ts';
import { formatDate, formatPercent } from '../../texts/format.ts';
import { Button, Icon } from '../kit/controls.tsx';
import { usePanel, usePart } from '../kit/panel.tsx';
import { CatalogNotes } from './catalog-notes.tsx';
import type { Thumbnails } from './thumbnails.ts';
import { makeThumbnails } from './thumbnails.ts';

/** The scene that is shown by itself; a clear view is of many. */
const shownAlone = ({ shown, clearView }: ViewerState): string | undefined =>
  clearView === null ? shown?.viewId : undefined;

/** Below this a card says how much of the tile has data; a whole tile is not worth a word. */
const WHOLE_PERCENT = 99.5;

interface FactProps {
  readonly icon: string;
  readonly number: string;
  /** Read aloud in place of the number. */
  readonly words: string;
}

const Fact: FunctionComponent<FactProps> = ({ icon, number, words }) => (
  <span class={`fact ${icon}`} title={words}>
    <Icon name={icon} />
    <span aria-hidden="true">{number}</span>
    <span class="unseen">{words}</span>
  </span>
);

interface CardProps {
  readonly scene: Scene;
  readonly thumbnails: Thumbnails;
}

const SceneCard: FunctionComponent<CardProps> = ({ scene, thumbnails }) => {
  const { actions, texts } = usePanel();
  const { viewId, cloudPercent, coveragePercent } = scene;
  const { find, locale } = texts;
  const isShown = usePart((state) => shownAlone(state) === viewId);
  const isHovered = usePart(({ hoveredViewId }) => hoveredViewId === viewId);
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    const { current } = canvas;
    if (current === null) return;
    thumbnails.watch(current, scene);
    return () => thumbnails.unwatch(current);
  }, [viewId]);
  const clouds = cloudPercent === null ? null : formatPercent(cloudPercent, locale);
  const coverage =
    coveragePercent === null || coveragePercent >= WHOLE_PERCENT
      ? null
      : formatPercent(coveragePercent, locale);
  return (
    <button
      type="button"
      class={isHovered ? 'scene is-hovered' : 'scene'}
      data-view={viewId}
      aria-current={isShown ? 'true' : undefined}
      onClick={() => actions.selectScene(viewId)}
      // Mouse events, as the map has: pointer events would come before the map says that the pointer left it.
      onMouseEnter={() => actions.hoverScene(viewId)}
      onMouseLeave={() => actions.hoverScene(null)}
      onFocus={() => actions.hoverScene(viewId)}
    >
      {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: a canvas takes no focus. */}
      <canvas ref={canvas} class="thumbnail" width={112} height={112} aria-hidden="true" />
      <span class="date">{formatDate(scene.date, locale)}</span>
      <span class="facts">
        {clouds !== null && <Fact icon="cloud" number={clouds} words={find.cloud(clouds)} />}
        {coverage !== null && <Fact icon="coverage" number={coverage} words={find.coverage(coverage)} />}
      </span>
      <span class="detail">{scene.sensor.title}</span>
      <span class="id">{scene.id}</span>
    </button>
  );
};

const NothingFound: FunctionComponent = () => {
  const {
    store,
    actions,
    texts: { states },
  } = usePanel();
  const reset = (): void => {
    const { where } = store.read().query;
    // With public catalogs, the view of the map is where a search begins.
    void actions.setQuery(isLive(store.read()) ? { ...PLAIN_QUERY, where } : PLAIN_QUERY);
  };
  return (
    <div class="state">
      <h3>{states.nothingFound}</h3>
      <p class="muted">{states.nothingFoundHint}</p>
      <Button onClick={reset}>{states.resetFilters}</Button>
    </div>
  );
};

const Failed: FunctionComponent<{ readonly text: string }> = ({ text }) => {
  const { store, actions, texts } = usePanel();
  const retry = (): void => {
    actions.report.clear();
    // A list whose next page failed goes on where it ends.
    void (store.read().results.hasMore ? actions.loadMore() : actions.setQuery({}));
  };
  return (
    <div class="state">
      <p role="alert">{text}</p>
      <Button onClick={retry}>{texts.frame.tryAgain}</Button>
    </div>
  );
};

/** The end of a list that has more; the next page is asked for before the end is seen. */
const ListEnd: FunctionComponent<{ readonly scenes: readonly Scene[] }> = ({ scenes }) => {
  const { actions, texts } = usePanel();
  const end = useRef<HTMLParagraphElement>(null);
  // Observing anew tells whether the end is still in view after a page came.
  useEffect(() => {
    if (end.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) void actions.loadMore();
      },
      { rootMargin: '400px' },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [scenes]);
  return (
    <p ref={end} class="muted list-end">
      {texts.states.loadingMore}
    </p>
  );
};

/** The list. */
export const SceneList: FunctionComponent = () => {
  const { store, api, map, texts } = usePanel();
  const { scenes, found, isLoading, hasMore, failure, notes } = usePart(({ results }) => results);
  const shownViewId = usePart(shownAlone);
  const list = useRef<HTMLUListElement>(null);
  const thumbnails = useMemo(() => {
    const mayShow = (address: string): boolean =>
      mayShowPicture(store.read().knowledge?.origins ?? NO_ORIGINS, address);
    // Until the map is there, nothing is drawn in it that they could delay.
    let whenDrawn = (): Promise<void> => Promise.resolve();
    void map.then((made) => {
      whenDrawn = made.whenDrawn;
    });
    return makeThumbnails({ readThumbnail: api.readThumbnail, mayShow, whenDrawn: () => whenDrawn() });
  }, []);
  useLayoutEffect(() => {
    if (shownViewId === undefined) return;
    list.current
      ?.querySelector(`[data-view="${CSS.escape(shownViewId)}"]`)
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [shownViewId]);
  // Nothing is known of scenes that a catalog kept to itself; the note says so instead.
  const isMore = notes.some(({ isAtLeast, problem }) => isAtLeast && problem === null);
  const isNothing = scenes.length === 0 && !isLoading && notes.every(({ problem }) => problem === null);
  return (
    <section class="scene-section" aria-label={texts.find.scenes}>
      <div class="heading-row sticky">
        <h3>{texts.find.scenes}</h3>
        <span class="muted" role="status">
          {isMore ? texts.find.foundMore(found - 1) : texts.find.found(found)}
        </span>
      </div>
      <CatalogNotes />
      <ul ref={list} class="scenes" aria-busy={isLoading}>
        {scenes.map((scene) => (
          <li key={scene.viewId}>
            <SceneCard scene={scene} thumbnails={thumbnails} />
          </li>
        ))}
      </ul>
      {failure !== null && <Failed text={failure} />}
      {failure === null && isNothing && <NothingFound />}
      {/* After a failure the button asks for more, rather than every move of the list. */}
      {hasMore && failure === null && <ListEnd scenes={scenes} />}
    </section>
  );
};
