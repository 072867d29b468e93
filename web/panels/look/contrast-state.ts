/** What the contrast control shows: ranges and histograms, read while it is seen, and chosen ones. */
import type { ReadonlySignal } from '@preact/signals';
import { computed, signal } from '@preact/signals';
import { makeLatest } from '../../actions/latest.ts';
import { toBox } from '../../scenes/footprint.ts';
import { planGround } from '../../scenes/ground.ts';
import type { Histogram } from '../../scenes/histogram.ts';
import { toHull } from '../../scenes/histogram.ts';
import type { Contrast } from '../../scenes/picture.ts';
import { bandsOfPicture, contrastsOf, isNaturalPicture, toPictureContrast } from '../../scenes/picture.ts';
import type { ViewerState } from '../../state/viewer-state.ts';
import type { PanelContext } from '../panel-context.ts';
import type { ContrastValues, ValuesRequest } from './contrast-values.ts';
import { readContrastValues, readGroundRange, readHistograms, readWholeRange } from './contrast-values.ts';

/** What a channel shows. */
export interface RowValues {
  /** The values at the ends of the track. */
  readonly axis: Contrast;
  readonly contrast: Contrast;
  /** `null` until it is counted. */
  readonly histogram: Histogram | null;
}

/** The control behind the section. */
export interface ContrastControl {
  /** By channel; `null` while nothing is known of the picture. */
  readonly rows: ReadonlySignal<readonly RowValues[] | null>;
  /** A sentence below the rows. */
  readonly note: ReadonlySignal<string>;
  /** Whether the map shows a part of the scene. */
  readonly isPart: ReadonlySignal<boolean>;
  /** Values are read while the section is open. */
  setOpen(isOpen: boolean): void;
  choose(channel: number, contrast: Contrast): void;
  /** Back to the automatic contrast. */
  reset(): void;
  /** Takes the range of the visible ground, or that of the whole scene. */
  takeVisible(): void;
  takeWhole(): void;
}

/** A map that is zoomed by a wheel comes to rest several times: the last one counts. */
const PAUSE_MS = 300;
/** More digits than values have, and fewer than addresses allow. */
const DIGITS = 5;

const toRounded = ({ min, max }: Contrast): Contrast => ({
  min: Number(min.toPrecision(DIGITS)),
  max: Number(max.toPrecision(DIGITS)),
});

const toRequest = ({ shown, picture, bounds }: ViewerState): ValuesRequest | null =>
  shown && { scene: shown, picture, ground: planGround(toBox(shown.outline), bounds) };
/** What the values depend on, apart from the ground. */
const toPictureKey = ({ scene, picture }: ValuesRequest): string =>
  `${scene.viewId} ${bandsOfPicture(scene.sensor, picture)} ${picture.isCalibrated} ${isNaturalPicture(scene.sensor, picture)}`;

/** What is known, and of what. */
interface Known extends ContrastValues {
  readonly key: string;
  readonly request: ValuesRequest;
}

const toContrasts = (
  { own }: ContrastValues,
  { picture: { contrast } }: ViewerState,
): readonly Contrast[] => {
  if (contrast === null) return own;
  const chosen = contrastsOf(contrast);
  return own.map((range, i) => chosen[i] ?? chosen[0] ?? range);
};
/** The tracks hold most values and both handles. */
const toAxes = (values: ContrastValues, state: ViewerState): readonly Contrast[] =>
  toContrasts(values, state).map((contrast, i) =>
    toHull(contrast, values.own[i] ?? contrast, values.span[i] ?? contrast),
  );
const toHistogramKey = (values: Known, state: ViewerState): string =>
  `${values.key} ${toAxes(values, state).map(({ min, max }) => `${min},${max}`)}`;

/** Makes the control; it follows the state from then on. */
export const makeContrastControl = ({ store, state, actions, api, texts }: PanelContext): ContrastControl => {
  const words = texts.contrast;
  const [latestValues, latestHistogram, latestRange] = [makeLatest(), makeLatest(), makeLatest()];
  const note = signal('');
  const known = signal<Known | null>(null);
  const histograms = signal<{ readonly key: string; readonly all: readonly Histogram[] } | null>(null);
  let isOpen = false;
  const isSeen = (): boolean => isOpen && store.read().panel === 'look';
  const explain = (error: unknown): void => {
    note.value = error instanceof Error ? error.message : String(error);
  };

  const isKnown = computed(() => {
    const request = toRequest(state.value);
    return (
      known.value !== null && request !== null && toPictureKey(request) === toPictureKey(known.value.request)
    );
  });
  /** Of the whole state, only the contrast moves the handles. */
  const chosen = computed(() => state.value.picture.contrast);
  const rows = computed((): readonly RowValues[] | null => {
    if (!isKnown.value || known.value === null) return null;
    chosen.value;
    const now = state.peek();
    const axes = toAxes(known.value, now);
    const counted = histograms.value?.key === toHistogramKey(known.value, now) ? histograms.value.all : [];
    return toContrasts(known.value, now).flatMap((contrast, i) => {
      const axis = axes[i];
      return axis === undefined ? [] : [{ contrast, axis, histogram: counted[i] ?? null }];
    });
  });

  const count = async (): Promise<void> => {
    const values = known.peek();
    if (values === null || !isSeen()) return;
    const key = toHistogramKey(values, store.read());
    if (histograms.peek()?.key === key) return;
    const abort = latestHistogram.start();
    try {
      const all = await readHistograms(api, values.request, {
        axes: toAxes(values, store.read()),
        isCalibrated: values.isCalibrated,
        signal: abort,
      });
      if (abort.aborted) return;
      histograms.value = { key, all };
      const ground = values.request.ground.isPart ? words.ofGround : words.ofScene;
      note.value = values.isFallback ? `${words.notNatural} ${ground}` : ground;
    } catch (error) {
      // The handles work without.
      if (!abort.aborted) explain(error);
    }
  };
  const read = async (): Promise<void> => {
    const request = toRequest(store.read());
    if (request === null || !isSeen()) return;
    const key = `${toPictureKey(request)} ${request.ground.box}`;
    if (known.peek()?.key === key) return count();
    const abort = latestValues.start();
    if (!isKnown.peek()) note.value = words.loading;
    try {
      const values = await readContrastValues(api, request, abort);
      if (abort.aborted) return;
      known.value = { ...values, key, request };
      await count();
    } catch (error) {
      if (!abort.aborted) explain(error);
    }
  };
  const take = async (readRanges: typeof readWholeRange): Promise<void> => {
    const request = toRequest(store.read());
    if (request === null) return;
    const abort = latestRange.start();
    try {
      const ranges = await readRanges(api, request, abort);
      if (!abort.aborted) actions.choosePicture({ contrast: toPictureContrast(ranges.map(toRounded)) });
    } catch (error) {
      if (!abort.aborted) explain(error);
    }
  };

  // What changed while the panel was closed is counted when it is opened.
  store.watch(
    ({ panel }) => panel === 'look',
    () => void read(),
  );
  store.watch(
    (now) => {
      const request = toRequest(now);
      return request === null ? '' : toPictureKey(request);
    },
    () => {
      latestRange.cancel();
      void read();
    },
  );
  let pause: ReturnType<typeof setTimeout> | undefined;
  store.watch(
    ({ bounds }) => bounds,
    () => {
      clearTimeout(pause);
      pause = setTimeout(() => void read(), PAUSE_MS);
    },
  );
  store.watch(
    ({ picture }) => JSON.stringify(picture.contrast),
    () => void count(),
  );
  return {
    rows,
    note,
    isPart: computed(() => toRequest(state.value)?.ground.isPart === true),
    setOpen(isNowOpen) {
      isOpen = isNowOpen;
      void read();
    },
    choose(channel, contrast) {
      const values = known.peek();
      if (values === null) return;
      const now = store.read();
      const next = toContrasts(values, now).map((one, i) => (i === channel ? contrast : toRounded(one)));
      const gamma = now.picture.contrast === null ? values.gamma : now.picture.contrast.gamma;
      // The handles of natural colour are of calibrated values.
      actions.choosePicture({
        contrast: toPictureContrast(next, gamma),
        isCalibrated: values.isCalibrated,
      });
    },
    reset() {
      latestRange.cancel();
      actions.choosePicture({ contrast: null, stretch: 'auto' });
    },
    takeVisible: () => void take(readGroundRange),
    takeWhole: () => void take(readWholeRange),
  };
};
