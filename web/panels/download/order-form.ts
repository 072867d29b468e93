/** The order: what, of which area, how; its size before it is ordered; refusals at the option that causes them. */
import type { DownloadActions } from '../../actions/downloads.ts';
import type { OrderField } from '../../scenes/plan-order.ts';
import { fieldOfRefusal } from '../../scenes/plan-order.ts';
import { DOWNLOAD_AREAS, DOWNLOAD_KINDS, PICTURE_FILES } from '../../state/downloads.ts';
import type { ViewerState } from '../../state/viewer-state.ts';
import { formatBytes, formatNumber } from '../../texts/format.ts';
import { el } from '../dom.ts';
import { makeIcon } from '../icon.ts';
import type { PanelContext } from '../panel-context.ts';
import { makeRadios } from '../radios.ts';
import { makeWhatChoice } from './what-choice.ts';

/** A pause this long in choosing means that the choice is made. */
const SETTLED_MS = 250;

/** A line for the refusal of an option; a screen reader reads it when it comes. */
const makeRefusal = (field: OrderField, { store }: PanelContext): HTMLElement => {
  const line = el('p', { class: 'refusal small', role: 'alert', id: `refused-${field}` });
  store.watch(
    ({ downloads }) => downloads.estimate,
    (estimate) => {
      const isHere = estimate.kind === 'refused' && fieldOfRefusal(estimate.code) === field;
      line.hidden = !isHere;
      line.textContent = isHere ? estimate.text : '';
    },
  );
  return line;
};

const makeKind = ({ store, texts }: PanelContext, actions: DownloadActions): HTMLElement => {
  const words = texts.download;
  const radios = makeRadios({
    name: 'download-kind',
    legend: words.what,
    choices: DOWNLOAD_KINDS.map((value) => ({ value, title: words.kinds[value] })),
    onChoose(value) {
      const kind = DOWNLOAD_KINDS.find((name) => name === value);
      if (kind !== undefined) actions.changeForm({ kind });
    },
  });
  const hint = el('p', { class: 'muted small' });
  store.watch(
    ({ downloads }) => downloads.form.kind,
    (kind) => {
      radios.show(kind);
      hint.textContent = words.kindHints[kind];
    },
  );
  return el('div', { class: 'group' }, radios.element, hint);
};

const makeArea = (context: PanelContext, actions: DownloadActions): HTMLElement => {
  const { store, texts } = context;
  const words = texts.download;
  const radios = makeRadios({
    name: 'download-area',
    legend: words.where,
    choices: DOWNLOAD_AREAS.map((value) => ({ value, title: words.areas[value] })),
    onChoose(value) {
      const where = DOWNLOAD_AREAS.find((name) => name === value);
      if (where !== undefined) actions.changeForm({ where });
    },
  });
  const hint = el('p', { class: 'muted small' });
  const show = (): void => {
    const { area, downloads } = store.read();
    radios.disable((value) => value === 'area' && area === null);
    radios.show(downloads.form.where);
    hint.textContent = area === null ? words.noArea : (area.name ?? '');
  };
  store.watch(({ downloads }) => downloads.form.where, show);
  store.watch(
    ({ area }) => area,
    (area, { downloads }) => {
      // Without an area the whole scene is meant again.
      if (area === null && downloads.form.where === 'area') actions.changeForm({ where: 'scene' });
      show();
    },
  );
  return el('div', { class: 'group' }, radios.element, hint, makeRefusal('area', context));
};

const makePictureOptions = (context: PanelContext, actions: DownloadActions): HTMLElement => {
  const { store, texts } = context;
  const words = texts.download;
  const file = el(
    'select',
    { id: 'download-file' },
    ...PICTURE_FILES.map((value) => el('option', { value }, words.files[value])),
  );
  file.addEventListener('change', () => {
    const chosen = PICTURE_FILES.find((name) => name === file.value);
    if (chosen !== undefined) actions.changeForm({ file: chosen });
  });
  const pixel = el('input', {
    id: 'download-pixel',
    type: 'number',
    min: '0.01',
    max: '100000',
    step: 'any',
    inputmode: 'decimal',
    'aria-describedby': 'refused-pixel',
  });
  pixel.addEventListener('input', () => {
    const sizeM = Number(pixel.value);
    actions.changeForm({ pixelM: pixel.value !== '' && Number.isFinite(sizeM) ? sizeM : null });
  });
  store.watch(
    ({ downloads }) => downloads.form.file,
    (chosen) => {
      file.value = chosen;
    },
  );
  store.watch(
    ({ shown }) => shown?.sensor,
    (sensor) => {
      const finestM = Math.min(...(sensor?.bands ?? []).map(({ resolutionM }) => resolutionM));
      pixel.placeholder = Number.isFinite(finestM) ? words.finest(formatNumber(finestM, texts.locale)) : '';
    },
  );
  const element = el(
    'div',
    { class: 'group' },
    el('div', { class: 'row' }, el('label', { for: 'download-file' }, words.file), file),
    el('div', { class: 'row' }, el('label', { for: 'download-pixel' }, words.pixel), pixel),
    makeRefusal('pixel', context),
  );
  store.watch(
    ({ downloads }) => downloads.form.kind,
    (kind) => {
      element.hidden = kind !== 'picture';
    },
  );
  return element;
};

const makeMore = (context: PanelContext, actions: DownloadActions): HTMLElement => {
  const { store, texts } = context;
  const words = texts.download;
  const merge = el('input', { type: 'checkbox' });
  const mergeRow = el('label', { class: 'check' }, merge, words.merge);
  merge.addEventListener('change', () => actions.changeForm({ isMerged: merge.checked }));
  const name = el('input', { id: 'download-name', type: 'text', maxlength: '200', autocomplete: 'off' });
  name.addEventListener('input', () => actions.changeForm({ name: name.value }));
  const nameRow = el('div', { class: 'row' }, el('label', { for: 'download-name' }, words.name), name);
  const system = el('p', { class: 'muted small' });
  store.watch(
    ({ downloads }) => downloads.form,
    (form) => {
      merge.checked = form.isMerged;
      mergeRow.hidden = form.kind !== 'bands';
      nameRow.hidden = form.kind === 'bands';
      system.textContent =
        form.kind === 'picture'
          ? words.systems[form.file === 'kmz' ? 'degrees' : 'map']
          : words.systems.scene;
    },
  );
  return el(
    'details',
    { class: 'section' },
    el('summary', {}, words.more),
    el('div', { class: 'group' }, mergeRow, nameRow, makeRefusal('name', context), system),
  );
};

/** Everything that an estimate depends on, as a text. */
const toEstimated = ({
  shown,
  picture,
  bounds,
  area,
  downloads: { form },
  panel,
  phase,
}: ViewerState): string =>
  panel !== 'download' || phase.kind !== 'ready' || shown === null
    ? ''
    : JSON.stringify([
        shown.viewId,
        form,
        form.kind === 'picture' || form.bands === null || form.expressions === null ? picture : null,
        form.where === 'view' ? bounds : null,
        form.where === 'area' ? area : null,
      ]);

/** Builds the form. */
export const makeOrderForm = (context: PanelContext, actions: DownloadActions): HTMLElement => {
  const { store, texts } = context;
  const words = texts.download;
  const size = el('p', { class: 'estimate', role: 'status' });
  const submit = el('button', { type: 'submit', class: 'primary' }, makeIcon('download'), words.order);
  const form = el(
    'form',
    // The server's refusal is shown at its option; a browser cannot point at a field that is hidden, and would do nothing.
    { class: 'order', 'aria-label': words.order, novalidate: true },
    makeKind(context, actions),
    makeWhatChoice(context, actions),
    makeRefusal('what', context),
    makeArea(context, actions),
    makePictureOptions(context, actions),
    makeMore(context, actions),
    makeRefusal('all', context),
    el('div', { class: 'order-end' }, submit, size),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void actions.order();
  });
  const show = (): void => {
    const { estimate, isOrdering } = store.read().downloads;
    submit.disabled = isOrdering || (estimate.kind === 'refused' && !estimate.canRetry);
    if (estimate.kind === 'known') {
      size.replaceChildren(
        el('strong', {}, words.about(formatBytes(estimate.bytes, texts.locale))),
        el('span', { class: 'muted small file-name' }, estimate.fileName),
      );
    } else
      size.replaceChildren(
        el('span', { class: 'muted' }, estimate.kind === 'asking' ? words.estimating : ''),
      );
  };
  store.watch(({ downloads }) => downloads.estimate, show);
  store.watch(({ downloads }) => downloads.isOrdering, show);
  let timer: ReturnType<typeof setTimeout> | undefined;
  store.watch(toEstimated, (key) => {
    clearTimeout(timer);
    if (key === '') return;
    // What was known is of another order.
    actions.forgetEstimate();
    timer = setTimeout(() => void actions.estimate(), SETTLED_MS);
  });
  return form;
};
