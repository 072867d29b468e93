/** Contrast: two handles over all values that the picture has in the scene. */
import { makeLatest } from '../../actions/latest.ts';
import type { Contrast } from '../../scenes/picture.ts';
import { bandsOfPicture } from '../../scenes/picture.ts';
import { formatNumber } from '../../texts/format.ts';
import { el } from '../dom.ts';
import type { PanelContext } from '../panel-context.ts';

/** Positions of a handle; finer steps than a pixel of the slider change nothing. */
const STEPS = 400;

/** Rounds to what a handle can tell apart, so that addresses stay short. */
const toStep = (range: Contrast, position: number): number => {
  const value = range.min + ((range.max - range.min) * position) / STEPS;
  return Number(value.toPrecision(4));
};

/** Builds the control; it asks for the range of values when it is opened. */
export const makeContrast = ({ store, actions, api, texts }: PanelContext): HTMLElement => {
  const latest = makeLatest();
  const words = texts.look;
  const [low, high] = [words.min, words.max].map((label) =>
    el('input', { type: 'range', min: '0', max: String(STEPS), step: '1', 'aria-label': label }),
  ) as [HTMLInputElement, HTMLInputElement];
  const span = el('span', { class: 'span' });
  const slider = el('div', { class: 'two-handles' }, el('span', { class: 'track' }), span, low, high);
  const [from, to] = [el('output', {}), el('output', {})];
  const automatic = el('button', { type: 'button', class: 'link' }, words.automatic);
  const note = el('p', { class: 'muted small', role: 'status' });
  const content = el('div', {}, slider, el('div', { class: 'ends' }, from, automatic, to), note);
  const details = el(
    'details',
    { class: 'section', id: 'contrast' },
    el('summary', {}, words.contrast),
    content,
  );
  /** All values, and those the server stretches between by itself; `null` until they are known. */
  let known: { readonly key: string; readonly all: Contrast; readonly own: Contrast } | null = null;

  const keyNow = (): string => {
    const { shown, picture } = store.read();
    if (shown === null) return '';
    return `${shown.viewId} ${bandsOfPicture(shown.sensor, picture)} ${picture.isCalibrated}`;
  };
  const show = (): void => {
    const isKnown = known !== null && known.key === keyNow();
    for (const input of [low, high]) input.disabled = !isKnown;
    automatic.disabled = store.read().picture.contrast === null;
    if (known === null || !isKnown) return;
    const { min, max } = store.read().picture.contrast ?? known.own;
    const widest = known.all.max - known.all.min || 1;
    const [left, right] = [min, max].map((value) =>
      Math.max(0, Math.min(1, (value - (known?.all.min ?? 0)) / widest)),
    ) as [number, number];
    low.value = String(Math.round(left * STEPS));
    high.value = String(Math.round(right * STEPS));
    span.style.left = `${left * 100}%`;
    span.style.right = `${(1 - right) * 100}%`;
    [from.value, to.value] = [formatNumber(min, texts.locale), formatNumber(max, texts.locale)];
    low.setAttribute('aria-valuetext', from.value);
    high.setAttribute('aria-valuetext', to.value);
  };
  const read = async (): Promise<void> => {
    const { shown, picture } = store.read();
    const key = keyNow();
    if (shown === null || !details.open || known?.key === key) return;
    const signal = latest.start();
    note.textContent = texts.values.loading;
    const request = {
      viewId: shown.viewId,
      bands: bandsOfPicture(shown.sensor, picture),
      isCalibrated: picture.isCalibrated,
    };
    try {
      const [all, own] = await Promise.all([
        api.readRange({ ...request, method: 'minmax' }, signal),
        api.readRange({ ...request, method: 'cc' }, signal),
      ]);
      if (signal.aborted) return;
      known = { key, all, own };
      note.textContent = '';
      show();
    } catch (error) {
      if (!signal.aborted) note.textContent = error instanceof Error ? error.message : String(error);
    }
  };
  const readHandles = (): Contrast | null => {
    if (known === null) return null;
    const [min, max] = [toStep(known.all, Number(low.value)), toStep(known.all, Number(high.value))];
    return min < max ? { min, max } : null;
  };
  for (const input of [low, high]) {
    input.addEventListener('input', () => {
      // Handles stop at each other.
      if (Number(low.value) >= Number(high.value)) {
        if (input === low) low.value = String(Number(high.value) - 1);
        else high.value = String(Number(low.value) + 1);
      }
      const contrast = readHandles();
      if (contrast === null) return;
      [from.value, to.value] = [contrast.min, contrast.max].map((value) =>
        formatNumber(value, texts.locale),
      ) as [string, string];
      span.style.left = `${(Number(low.value) / STEPS) * 100}%`;
      span.style.right = `${(1 - Number(high.value) / STEPS) * 100}%`;
    });
    // Tiles are asked for when a handle comes to rest.
    input.addEventListener('change', () => {
      const contrast = readHandles();
      if (contrast !== null) actions.choosePicture({ contrast });
    });
  }
  automatic.addEventListener('click', () => actions.choosePicture({ contrast: null }));
  details.addEventListener('toggle', () => void read());
  store.watch(keyNow, () => {
    show();
    void read();
  });
  store.watch(({ picture }) => picture.contrast, show);
  return details;
};
