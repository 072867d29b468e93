/** What a file holds: which bands, which indices, or the picture of the map in words. */

import type { DownloadActions } from '../../actions/downloads.ts';
import { bandsOfPicture, isColorable, isMaskedPicture } from '../../scenes/picture.ts';
import { bandsOfOrder, expressionsOfOrder } from '../../scenes/plan-order.ts';
import type { Scene } from '../../scenes/scene.ts';
import { titleOfBand, titleOfShown, wordsOfIndex } from '../../scenes/titles.ts';
import type { ViewerState } from '../../state/viewer-state.ts';
import { formatNumber } from '../../texts/format.ts';
import { el } from '../dom.ts';
import type { PanelContext } from '../panel-context.ts';
import { makeCheckList } from './check-list.ts';

/** As many expressions as one order takes. */
const MAX_EXPRESSIONS = 10;

/** The picture of the map in a line: `NDVI Vegetation · viridis · 0 to 1`. */
const describePicture = ({ shown, picture, ownColormaps }: ViewerState, { texts }: PanelContext): string => {
  if (shown === null) return '';
  const { sensor } = shown;
  const bands = bandsOfPicture(sensor, picture);
  const { look, legend, locale } = texts;
  const base = picture.colormap?.replace(/_r$/, '');
  const own = ownColormaps.find(({ id }) => id === base)?.name;
  const parts = [titleOfShown(sensor, bands, texts)];
  if (picture.colormap !== null && isColorable(sensor, bands)) parts.push(own ?? picture.colormap);
  if (picture.contrast !== null) {
    const { min, max } = picture.contrast;
    parts.push(legend.between(formatNumber(min, locale), formatNumber(max, locale)));
  }
  if (picture.isCalibrated) parts.push(look.calibrate);
  if (picture.isPansharpened && sensor.hasPansharpening) parts.push(look.pansharpen);
  return parts.join(' · ');
};

const makeBands = ({ store, texts }: PanelContext, actions: DownloadActions): HTMLElement => {
  const words = texts.download;
  const list = makeCheckList(words.whichBands, (bands) => actions.changeForm({ bands }));
  const button = (title: string, choose: (scene: Scene) => readonly string[] | null): HTMLElement => {
    const element = el('button', { type: 'button', class: 'link' }, title);
    element.addEventListener('click', () => {
      const { shown } = store.read();
      if (shown !== null) actions.changeForm({ bands: choose(shown) });
    });
    return element;
  };
  const quick = el(
    'div',
    { class: 'quick' },
    button(words.asShown, () => null),
    button(words.all, ({ sensor }) => sensor.bands.map(({ name }) => name)),
    button(words.none, () => []),
  );
  store.watch(
    ({ shown }) => shown?.sensor,
    (sensor) => {
      // Names of bands are those of one sensor.
      if (store.read().downloads.form.bands !== null) actions.changeForm({ bands: null });
      list.offer(
        (sensor?.bands ?? []).map((band) => ({
          value: band.name,
          name: band.name,
          title: titleOfBand(band, texts),
          note: `${formatNumber(band.resolutionM, texts.locale)} m`,
        })),
      );
    },
  );
  store.watch(
    ({ shown, picture, downloads }) =>
      shown === null ? '' : bandsOfOrder(shown, picture, downloads.form.bands).join(),
    (chosen) => list.show(chosen.split(',')),
  );
  list.element.append(quick);
  return list.element;
};

const makeIndices = ({ store, texts }: PanelContext, actions: DownloadActions): HTMLElement => {
  const words = texts.download;
  const list = makeCheckList(words.whichIndices, (chosen) =>
    actions.changeForm({ expressions: chosen.slice(0, MAX_EXPRESSIONS) }),
  );
  const none = el('p', { class: 'muted small' }, words.noIndices);
  /** What is on the map, if the list of the sensor lacks it. */
  const shownExpression = ({ shown, picture }: ViewerState): string | null => {
    if (shown === null) return null;
    const [own = null] = expressionsOfOrder(shown, picture, null);
    return shown.sensor.indices.some(({ name }) => name === own) ? null : own;
  };
  const show = (): void => {
    const { shown, picture, downloads } = store.read();
    if (shown !== null) list.show(expressionsOfOrder(shown, picture, downloads.form.expressions));
  };
  store.watch(
    (state) => `${state.shown?.sensor.dataset} ${shownExpression(state)}`,
    (_, state) => {
      const own = shownExpression(state);
      const indices = (state.shown?.sensor.indices ?? []).filter(({ kind }) => kind === 'index');
      if (state.downloads.form.expressions !== null) actions.changeForm({ expressions: null });
      list.offer([
        ...(own === null ? [] : [{ value: own, name: own, title: words.onMap, note: '' }]),
        ...indices.map((index) => ({
          value: index.name,
          name: index.name,
          title: wordsOfIndex(index, texts).title,
          note: '',
        })),
      ]);
      none.hidden = own !== null || indices.length > 0;
      show();
    },
  );
  store.watch(({ downloads }) => downloads.form.expressions, show);
  store.watch(({ picture }) => picture.bands, show);
  list.element.append(none);
  return list.element;
};

const makePicture = (context: PanelContext): HTMLElement => {
  const { store, actions, texts } = context;
  const line = el('p', {});
  const change = el('button', { type: 'button', class: 'link' }, texts.download.changeInLook);
  change.addEventListener('click', () => actions.openPanel('look'));
  const clouds = el('p', { class: 'muted small' }, texts.download.noCloudMask);
  const contrast = el('p', { class: 'muted small' }, texts.download.oneContrast);
  const show = (): void => {
    const state = store.read();
    contrast.hidden = state.picture.contrast?.others === undefined;
    line.textContent = describePicture(state, context);
    clouds.hidden = !(state.shown !== null && isMaskedPicture(state.shown.sensor, state.picture));
  };
  store.watch(({ shown }) => shown, show);
  store.watch(({ picture }) => picture, show);
  store.watch(({ ownColormaps }) => ownColormaps, show);
  return el('div', { class: 'group' }, el('h3', {}, texts.download.asOnMap), line, change, contrast, clouds);
};

/** Builds all three; the kind of the order decides which is seen. */
export const makeWhatChoice = (context: PanelContext, actions: DownloadActions): HTMLElement => {
  const parts = {
    bands: makeBands(context, actions),
    index: makeIndices(context, actions),
    picture: makePicture(context),
  };
  context.store.watch(
    ({ downloads }) => downloads.form.kind,
    (kind) => {
      for (const [name, part] of Object.entries(parts)) part.hidden = name !== kind;
    },
  );
  return el('div', {}, ...Object.values(parts));
};
