/** Share: a link to this page, and the picture as text for other programs. */
import { getVersion } from 'maplibre-gl';
import { toBox } from '../../scenes/footprint.ts';
import { bandsOfPicture } from '../../scenes/picture.ts';
import { toTemplate } from '../../scenes/scene-template.ts';
import { titleOfShown } from '../../scenes/titles.ts';
import type { ViewerState } from '../../state/viewer-state.ts';
import type { Texts } from '../../texts/en.ts';
import { formatDate } from '../../texts/format.ts';
import { el } from '../dom.ts';
import { makeIcon } from '../icon.ts';
import type { MakePanel, PanelContext } from '../panel-context.ts';
import type { Program, Shared } from './snippets.ts';
import { KEY_VARIABLE, KEY_WORD, PROGRAMS, toSnippet } from './snippets.ts';

const toShared = ({ shown, picture, view, bounds }: ViewerState, texts: Texts): Shared | null => {
  if (shown === null) return null;
  const { sensor, date, outline } = shown;
  const box = toBox(outline);
  const [west, south, east, north] = box;
  return {
    template: toTemplate(shown, picture),
    title: `${titleOfShown(sensor, bandsOfPicture(sensor, picture), texts)}, ${formatDate(date, texts.locale)}`,
    maxZoom: sensor.maxZoom,
    view: view ?? { zoom: 9, lat: (south + north) / 2, lon: (west + east) / 2 },
    bounds: bounds ?? box,
    maplibreVersion: getVersion(),
  };
};

interface Block {
  readonly element: HTMLElement;
  show(text: string): void;
}

/** A text with a button that copies it. */
const makeBlock = (name: Program | 'link', { actions, texts: { share } }: PanelContext): Block => {
  const { title, hint } = share.snippets[name];
  const code = el('code', { id: `share-${name}` });
  // Long lines scroll; keys have to reach them too.
  const text = el('pre', { tabindex: '0', 'aria-label': title, role: 'region' }, code);
  const copy = el('button', { type: 'button', class: 'link', 'aria-label': share.copyOf(title) });
  copy.append(makeIcon('copy'), share.copy);
  copy.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(code.textContent ?? '');
      actions.report.showDone(share.copied(title));
    } catch {
      // The clipboard needs https or localhost and the person's leave.
      getSelection()?.selectAllChildren(code);
      actions.report.showError(share.notCopied);
    }
  });
  return {
    element: el(
      'section',
      { class: 'snippet' },
      el('div', { class: 'heading-row' }, el('h3', {}, title), copy),
      el('p', { class: 'muted small' }, hint),
      text,
    ),
    show(next) {
      code.textContent = next;
    },
  };
};

/** The address of this page without a key, whatever was typed into it. */
const toLink = (href: string): string => {
  const link = new URL(href);
  link.search = '';
  return link.href;
};

/** Builds the panel. */
export const makeSharePanel: MakePanel = (context) => {
  const { store, texts } = context;
  const { share } = texts;
  const link = makeBlock('link', context);
  const blocks = PROGRAMS.map((program) => ({ program, ...makeBlock(program, context) }));
  const content = el(
    'div',
    { class: 'share' },
    link.element,
    el('h3', { class: 'share-heading' }, share.tiles),
    el('p', { class: 'muted small' }, share.keyHint(`${KEY_WORD} / ${KEY_VARIABLE}`)),
    ...blocks.map(({ element }) => element),
  );
  const nothing = el('div', { class: 'state' }, el('p', { class: 'muted' }, share.nothing));
  const show = (state: ViewerState): void => {
    const shared = toShared(state, texts);
    nothing.hidden = shared !== null;
    content.hidden = shared === null;
    if (shared !== null) for (const block of blocks) block.show(toSnippet(block.program, shared));
    // After the address bar, which follows the same change.
    queueMicrotask(() => link.show(toLink(location.href)));
  };
  store.watch(
    (state) => state,
    (state) => {
      if (state.panel === 'share') show(state);
    },
  );
  return el('div', {}, nothing, content);
};
