/** Plays the dates of the list over the view: follows the film of the state from its beginning to its end, and again. */
import { signal } from '@preact/signals';
import { h } from 'preact';
import { wait } from '../../clients/typescript/src/transport.ts';
import { planPage } from '../actions/animate.ts';
import { makeLatest } from '../actions/latest.ts';
import { mount } from '../panels/kit/panel.tsx';
import { byId } from '../panels/page.ts';
import type { PanelContext } from '../panels/panel-context.ts';
import { planBands } from '../scenes/bands.ts';
import { toBox } from '../scenes/footprint.ts';
import { planFrames, planStart } from '../scenes/plan-frames.ts';
import type { Scene } from '../scenes/scene.ts';
import { toTemplate } from '../scenes/scene-template.ts';
import type { ViewerState } from '../state/viewer-state.ts';
import { listenToFilmKeys } from './film-keys.ts';
import { planFilmPicture } from './film-picture.ts';
import type { MapFrame } from './frame-layers.ts';
import { makeFrameLayers } from './frame-layers.ts';
import { PlayerBar } from './player-bar.tsx';
import { openSaveDialog } from './save-dialog.tsx';

/** The end of the wait, whether it was given up or not. */
const sleep = (ms: number, signal: AbortSignal): Promise<void> => wait(ms, signal).catch(() => undefined);

/** Whether frames may still come, later in the list. */
const isListComing = (state: ViewerState): boolean => state.results.isLoading || planPage(state) !== null;

const framesOf = ({ animation, shown, results, bounds }: ViewerState): readonly Scene[] =>
  animation === null || shown === null
    ? []
    : planFrames(results.scenes, {
        shown,
        bounds: bounds ?? toBox(shown.outline),
        maxCloudPercent: animation.maxCloudPercent,
      });

/** Builds the player and starts following. */
export const makePlayer = async (context: PanelContext): Promise<void> => {
  const { store, actions, api } = context;
  const map = await context.map;
  const layers = makeFrameLayers(map.gl);
  const [latestPicture, latestFrame] = [makeLatest(), makeLatest()];
  let frames: readonly Scene[] = [];
  /** The same, for the bar. */
  const shownFrames = signal(frames);

  const toFrame = (scene: Scene): MapFrame => {
    const { animation, picture, shown } = store.read();
    const planned = animation?.picture ?? picture;
    const bands = planBands(scene.sensor, { bands: planned.bands, of: shown?.sensor ?? null });
    return { scene, template: toTemplate(scene, { ...planned, bands }) };
  };
  const seek = (index: number): void => {
    const scene = frames[index];
    if (scene !== undefined)
      actions.changeAnimation({ viewId: scene.viewId, date: scene.date, isPlaying: false });
  };
  const indexOf = (viewId: string | null): number => frames.findIndex((frame) => frame.viewId === viewId);
  const step = (by: number): void => {
    const index = indexOf(store.read().animation?.viewId ?? null);
    if (frames.length > 0) seek((index + by + frames.length) % frames.length);
  };

  const onSave = (): void => {
    actions.changeAnimation({ isPlaying: false });
    openSaveDialog(frames.map(toFrame), context);
  };
  const host = byId('player');
  host.setAttribute('aria-label', context.texts.animate.bar);
  mount(host, () => h(PlayerBar, { frames: shownFrames.value, onSeek: seek, onSave }), context);
  listenToFilmKeys(context, step);

  /** Shows the frame of the state, and while the film plays the ones after it, each when it is whole and its time has come. */
  const play = async (): Promise<void> => {
    const abort = latestFrame.start();
    const first = store.read().animation;
    if (first === null || first.picture === null || frames.length === 0) return;
    const start = planStart(frames, first, isListComing(store.read()));
    if (start === null) return;
    let index = start;
    for (;;) {
      const scene = frames[index] as Scene;
      const frame = toFrame(scene);
      await layers.load(frame, abort);
      if (abort.aborted) return;
      layers.reveal(frame);
      map.dropRetiredImagery();
      actions.changeAnimation({ viewId: scene.viewId, date: scene.date });
      const animation = store.read().animation;
      // Told of the new frame, those who watch may have begun another round.
      if (abort.aborted || animation === null) return;
      const isLast = index === frames.length - 1;
      const next = frames[isLast ? 0 : index + 1];
      if (!animation.isPlaying || frames.length < 2 || next === undefined) return;
      if (isLast && !animation.isLooping) return actions.changeAnimation({ isPlaying: false });
      const due = sleep(1000 / animation.framesPerSecond, abort);
      await Promise.all([layers.load(toFrame(next), abort), due]);
      if (abort.aborted) return;
      index = isLast ? 0 : index + 1;
    }
  };

  const planPicture = async (): Promise<void> => {
    const abort = latestPicture.start();
    const { picture } = store.read();
    // Without an answer the frames are stretched each for itself, which is better than no film.
    const planned = await planFilmPicture(api, frames, { picture, signal: abort }).catch(() => picture);
    if (abort.aborted) return;
    actions.changeAnimation({ picture: planned });
    void play();
  };

  const refresh = (): void => {
    const state = store.read();
    const { animation } = state;
    host.hidden = animation === null;
    if (animation === null) {
      latestFrame.cancel();
      latestPicture.cancel();
      layers.clear();
      frames = [];
      shownFrames.value = frames;
      return;
    }
    const next = framesOf(state);
    const isSame = next.length === frames.length && next.every((scene, i) => scene === frames[i]);
    frames = isSame ? frames : next;
    shownFrames.value = frames;
    if (frames.length === 0) layers.clear();
    else if (!isSame || animation.picture === null) void planPicture();
    // The list may have ended without the day that is looked for.
    else if (indexOf(animation.viewId) < 0) void play();
  };
  store.watch((state) => framesKey(state), refresh);
  // The picture of all frames is planned anew for another choice under Look.
  store.watch(
    ({ picture, shown }) => `${shown?.viewId} ${JSON.stringify(picture)}`,
    () => {
      if (store.read().animation?.picture != null) actions.changeAnimation({ picture: null });
    },
  );
  store.watch(
    ({ animation }) =>
      animation && `${animation.isPlaying} ${animation.framesPerSecond} ${animation.isLooping}`,
    () => void play(),
  );
  // A date that was chosen by hand; those of the film itself are on the map already.
  store.watch(
    ({ animation }) => (animation?.isPlaying === false ? animation.date : null),
    (date) => {
      if (date !== null) void play();
    },
  );
  store.watch(({ opacity }) => opacity, layers.setOpacity);
};

/** What decides which frames there are, and whether their picture is to be planned. */
function framesKey({ animation, shown, results, bounds }: ViewerState): string {
  if (animation === null) return '';
  const { maxCloudPercent, picture } = animation;
  const loading = `${results.scenes.length} ${results.isLoading} ${results.scenes[0]?.viewId}`;
  return [maxCloudPercent, picture === null, shown?.viewId, bounds?.join(), loading].join(' ');
}
