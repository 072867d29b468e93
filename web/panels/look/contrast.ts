/** Contrast: for each channel two handles over the histogram of the ground that is seen. */
import { makeLatest } from '../../actions/latest.ts';
import { toBox } from '../../scenes/footprint.ts';
import { planGround } from '../../scenes/ground.ts';
import type { Histogram } from '../../scenes/histogram.ts';
import { toHull } from '../../scenes/histogram.ts';
import type { Contrast } from '../../scenes/picture.ts';
import { bandsOfPicture, contrastsOf, isNaturalPicture, toPictureContrast } from '../../scenes/picture.ts';
import { el } from '../dom.ts';
import type { PanelContext } from '../panel-context.ts';
import type { ChannelName, ContrastRow } from './contrast-row.ts';
import { makeContrastRow } from './contrast-row.ts';
import type { ContrastValues, ValuesRequest } from './contrast-values.ts';
import { readContrastValues, readGroundRange, readHistograms, readWholeRange } from './contrast-values.ts';

/** A map that is zoomed by a wheel comes to rest several times: the last one counts. */
const PAUSE_MS = 300;
const CHANNELS: readonly ChannelName[] = ['red', 'green', 'blue'];
/** More digits than values have, and fewer than addresses allow. */
const DIGITS = 5;

const toRounded = ({ min, max }: Contrast): Contrast => ({
  min: Number(min.toPrecision(DIGITS)),
  max: Number(max.toPrecision(DIGITS)),
});

/** What is known, and of what. */
interface Known extends ContrastValues {
  readonly key: string;
  readonly request: ValuesRequest;
}

/** Builds the control; it asks for values while it is open. */
export const makeContrast = ({ store, actions, api, texts }: PanelContext): HTMLElement => {
  const words = texts.contrast;
  const [latestValues, latestHistogram, latestRange] = [makeLatest(), makeLatest(), makeLatest()];
  const host = el('div', { class: 'group' });
  const note = el('p', { class: 'muted small', role: 'status' });
  const makeButton = (title: string) => el('button', { type: 'button', class: 'link' }, title);
  const [automatic, visible, whole] = [texts.look.automatic, words.visible, words.whole].map(makeButton) as [
    HTMLButtonElement,
    HTMLButtonElement,
    HTMLButtonElement,
  ];
  const details = el(
    'details',
    { class: 'section', id: 'contrast' },
    el('summary', {}, texts.look.contrast),
    host,
    note,
    el('div', { class: 'contrast-buttons' }, automatic, visible, whole),
  );
  let known: Known | null = null;
  let histograms: { readonly key: string; readonly all: readonly Histogram[] } | null = null;
  let rows: readonly ContrastRow[] = [];

  const requestNow = (): ValuesRequest | null => {
    const { shown, picture, bounds } = store.read();
    return shown && { scene: shown, picture, ground: planGround(toBox(shown.outline), bounds) };
  };
  /** What the values depend on, apart from the ground. */
  const toPictureKey = ({ scene, picture }: ValuesRequest): string =>
    `${scene.viewId} ${bandsOfPicture(scene.sensor, picture)} ${picture.isCalibrated} ${isNaturalPicture(scene.sensor, picture)}`;
  const toKey = (request: ValuesRequest): string => `${toPictureKey(request)} ${request.ground.box}`;

  const contrastsNow = ({ own }: ContrastValues): readonly Contrast[] => {
    const { contrast } = store.read().picture;
    if (contrast === null) return own;
    const chosen = contrastsOf(contrast);
    return own.map((range, i) => chosen[i] ?? chosen[0] ?? range);
  };
  /** The tracks hold most values and both handles. */
  const axesNow = (values: ContrastValues): readonly Contrast[] =>
    contrastsNow(values).map((contrast, i) =>
      toHull(contrast, values.own[i] ?? contrast, values.span[i] ?? contrast),
    );
  const choose = (channel: number, contrast: Contrast): void => {
    if (known === null) return;
    const next = contrastsNow(known).map((one, i) => (i === channel ? contrast : toRounded(one)));
    const gamma = store.read().picture.contrast === null ? known.gamma : store.read().picture.contrast?.gamma;
    // The handles of natural colour are of calibrated values.
    actions.choosePicture({
      contrast: toPictureContrast(next, gamma),
      isCalibrated: known.isCalibrated,
    });
  };
  const makeRows = (count: number): void => {
    if (rows.length === count) return;
    rows = Array.from({ length: count }, (_, i) =>
      makeContrastRow({
        channel: count === 1 ? 'all' : (CHANNELS[i] ?? 'all'),
        texts,
        onChoose: (contrast) => choose(i, contrast),
      }),
    );
    host.replaceChildren(...rows.map(({ element }) => element));
  };

  const show = (): void => {
    const request = requestNow();
    const { contrast: chosen, stretch } = store.read().picture;
    automatic.disabled = chosen === null && stretch === 'auto';
    visible.hidden = request?.ground.isPart !== true;
    const isKnown =
      known !== null && request !== null && toPictureKey(request) === toPictureKey(known.request);
    whole.disabled = !isKnown;
    if (known === null || !isKnown) {
      for (const row of rows) row.show(null);
      return;
    }
    const [contrasts, axes] = [contrastsNow(known), axesNow(known)];
    makeRows(contrasts.length);
    for (const [i, row] of rows.entries()) {
      const [contrast, axis] = [contrasts[i], axes[i]];
      const histogram = histograms?.key === toHistogramKey(known) ? (histograms.all[i] ?? null) : null;
      row.show(contrast === undefined || axis === undefined ? null : { contrast, axis, histogram });
    }
  };
  const toHistogramKey = (values: Known): string =>
    `${values.key} ${axesNow(values).map(({ min, max }) => `${min},${max}`)}`;

  const explain = (error: unknown): void => {
    note.textContent = error instanceof Error ? error.message : String(error);
  };
  const isSeen = (): boolean => details.open && store.read().panel === 'look';
  const count = async (): Promise<void> => {
    const values = known;
    if (values === null || !isSeen()) return;
    const key = toHistogramKey(values);
    if (histograms?.key === key) return;
    const signal = latestHistogram.start();
    try {
      const all = await readHistograms(api, values.request, {
        axes: axesNow(values),
        isCalibrated: values.isCalibrated,
        signal,
      });
      if (signal.aborted) return;
      histograms = { key, all };
      const ground = values.request.ground.isPart ? words.ofGround : words.ofScene;
      note.textContent = values.isFallback ? `${words.notNatural} ${ground}` : ground;
      show();
    } catch (error) {
      // The handles work without.
      if (!signal.aborted) explain(error);
    }
  };
  const read = async (): Promise<void> => {
    const request = requestNow();
    if (request === null || !isSeen()) return;
    const key = toKey(request);
    if (known?.key === key) return count();
    const signal = latestValues.start();
    if (known === null || toPictureKey(known.request) !== toPictureKey(request)) {
      makeRows(rows.length || 1);
      note.textContent = words.loading;
    }
    try {
      const values = await readContrastValues(api, request, signal);
      if (signal.aborted) return;
      known = { ...values, key, request };
      show();
      await count();
    } catch (error) {
      if (!signal.aborted) explain(error);
    }
  };
  const take = async (readRanges: typeof readWholeRange): Promise<void> => {
    const request = requestNow();
    if (request === null) return;
    const signal = latestRange.start();
    try {
      const ranges = await readRanges(api, request, signal);
      if (!signal.aborted) actions.choosePicture({ contrast: toPictureContrast(ranges.map(toRounded)) });
    } catch (error) {
      if (!signal.aborted) explain(error);
    }
  };
  automatic.addEventListener('click', () => {
    latestRange.cancel();
    actions.choosePicture({ contrast: null, stretch: 'auto' });
  });
  visible.addEventListener('click', () => void take(readGroundRange));
  whole.addEventListener('click', () => void take(readWholeRange));
  details.addEventListener('toggle', () => void read());
  // What changed while the panel was closed is counted when it is opened.
  store.watch(
    ({ panel }) => panel === 'look',
    () => void read(),
  );
  store.watch(
    () => {
      const request = requestNow();
      return request === null ? '' : toPictureKey(request);
    },
    () => {
      latestRange.cancel();
      show();
      void read();
    },
  );
  let pause: ReturnType<typeof setTimeout> | undefined;
  store.watch(
    ({ bounds }) => bounds,
    () => {
      clearTimeout(pause);
      pause = setTimeout(() => {
        show();
        void read();
      }, PAUSE_MS);
    },
  );
  store.watch(
    ({ picture }) => `${JSON.stringify(picture.contrast)} ${picture.stretch}`,
    () => {
      show();
      void count();
    },
  );
  return details;
};
