/** Colormaps with their colours, for one band, index or expression. */
import type { ViewerColormap } from '../../scenes/knowledge.ts';
import type { OwnColormap } from '../../scenes/own-colormap.ts';
import { toColorGradient, toSpan } from '../../scenes/own-colormap.ts';
import { bandsOfPicture, isColorable } from '../../scenes/picture.ts';
import { el } from '../dom.ts';
import type { PanelContext } from '../panel-context.ts';

/** Maps that most people choose between, before the long list. */
const FIRST = ['gray', 'viridis', 'inferno', 'RdYlGn', 'BrBG', 'Blues', 'terrain'];
const REVERSED = '_r';

/** A ramp of the colours; classes have hard edges. */
const toGradient = ({ colors, isDiscrete }: ViewerColormap): string => {
  if (!isDiscrete) return `linear-gradient(90deg, ${colors.join()})`;
  const stops = colors.map((color, i) => {
    const [from, to] = [i, i + 1].map((edge) => (edge / colors.length) * 100);
    return `${color} ${from}% ${to}%`;
  });
  return `linear-gradient(90deg, ${stops.join()})`;
};

const makePreview = (colormap: ViewerColormap | OwnColormap | null): HTMLElement => {
  const preview = el('span', { class: 'ramp', 'aria-hidden': 'true' });
  // As a property: an attribute would be refused by the page's content policy.
  if (colormap !== null) {
    preview.style.backgroundImage =
      'stops' in colormap ? toColorGradient(colormap, toSpan(colormap)) : toGradient(colormap);
  }
  return preview;
};

/** The editor, whose code is loaded when it is opened. */
const makeEditorHost = (context: PanelContext): { element: HTMLElement; close: () => void } => {
  const { actions, texts } = context;
  const open = el('button', { type: 'button', class: 'link' }, texts.look.editColours);
  const host = el('div', {});
  const close = (): void => {
    host.replaceChildren();
    open.hidden = false;
  };
  open.addEventListener('click', () => {
    open.disabled = true;
    import('./editor/colormap-editor.ts')
      .then(({ makeColormapEditor }) => {
        const onClose = (): void => {
          close();
          open.focus();
        };
        host.replaceChildren(makeColormapEditor(context, { onClose }));
        open.hidden = true;
        host.querySelector<HTMLElement>('[role=slider]')?.focus();
      })
      .catch((error: unknown) => actions.report.fail(error))
      .finally(() => {
        open.disabled = false;
      });
  });
  return { element: el('div', {}, open, host), close };
};

/** Builds the choice; it is hidden where colours mean nothing. */
export const makeColormapChoice = (context: PanelContext): HTMLElement => {
  const { store, actions, texts } = context;
  const summary = el('summary', {});
  const list = el('fieldset', { class: 'ramps' }, el('legend', { class: 'unseen' }, texts.look.colours));
  const reversed = el('input', { type: 'checkbox', id: 'reversed' });
  const reverseRow = el('label', { class: 'check' }, reversed, texts.look.reversed);
  const details = el('details', { class: 'dropdown', id: 'colormaps' }, summary, reverseRow, list);
  const editor = makeEditorHost(context);
  const element = el('div', { class: 'group' }, el('h3', {}, texts.look.colours), details, editor.element);
  let inputs: readonly HTMLInputElement[] = [];

  const toBase = (name: string | null): string => (name ?? '').replace(/_r$/, '');
  const choose = (): void => {
    const base = inputs.find(({ checked }) => checked)?.value ?? '';
    editor.close();
    actions.choosePicture({ colormap: base === '' ? null : base + (reversed.checked ? REVERSED : '') });
  };
  reversed.addEventListener('change', choose);
  const offer = (colormaps: readonly ViewerColormap[], own: readonly OwnColormap[]): void => {
    const first = FIRST.flatMap((name) => colormaps.find((one) => one.name === name) ?? []);
    const sorted = [...own, ...first, ...colormaps.filter((one) => !first.includes(one))];
    inputs = ['', ...sorted.map((one) => ('id' in one ? one.id : one.name))].map((value) =>
      el('input', { type: 'radio', name: 'colormap', value }),
    );
    for (const input of inputs) input.addEventListener('change', choose);
    const rows = inputs.map((input, i) => {
      const colormap = sorted[i - 1] ?? null;
      const title = colormap?.name ?? texts.look.defaultColours;
      return el('label', { class: 'ramp-row' }, input, el('span', {}, title), makePreview(colormap));
    });
    list.replaceChildren(list.firstElementChild ?? '', ...rows);
  };
  const show = (): void => {
    const { picture, knowledge, shown, ownColormaps } = store.read();
    const base = toBase(picture.colormap);
    element.hidden = shown === null || !isColorable(shown.sensor, bandsOfPicture(shown.sensor, picture));
    for (const input of inputs) input.checked = input.value === base;
    reversed.checked = picture.colormap?.endsWith(REVERSED) ?? false;
    reverseRow.hidden = base === '';
    const colormap =
      ownColormaps.find(({ id }) => id === base) ??
      knowledge?.colormaps.find(({ name }) => name === base) ??
      null;
    const title = colormap?.name ?? (base === '' ? texts.look.defaultColours : texts.look.sharedColours);
    summary.replaceChildren(title, makePreview(colormap));
  };
  const offerAll = (): void => {
    const { knowledge, ownColormaps } = store.read();
    offer(knowledge?.colormaps ?? [], ownColormaps);
    show();
  };
  store.watch(({ knowledge }) => knowledge?.colormaps, offerAll);
  store.watch(({ ownColormaps }) => ownColormaps, offerAll);
  store.watch(({ picture }) => picture, show);
  store.watch(({ shown }) => shown, show);
  return element;
};
