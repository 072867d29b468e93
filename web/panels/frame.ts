/** The frame: the rail of panels, and the open one next to it. */
import type { PanelName } from '../state/viewer-state.ts';
import { PANELS } from '../state/viewer-state.ts';
import { el } from './dom.ts';
import { makeFindPanel } from './find/find-panel.ts';
import { hidePart } from './hide-part.ts';
import { makeIcon } from './icon.ts';
import { loadPart } from './load-part.ts';
import type { MakePanel, PanelContext } from './panel-context.ts';
import { makePhase } from './phase.ts';
import { makeSettingsPanel } from './settings/settings-panel.tsx';

/** A panel whose code is loaded when it is first opened: what few visits need, no visit waits for. */
const lazyPanel =
  (load: () => Promise<MakePanel>): MakePanel =>
  (context) => {
    const host = el('div', {});
    const { texts } = context;
    const showState = (...content: readonly Node[]): void =>
      host.replaceChildren(el('div', { class: 'state' }, ...content));
    loadPart({
      async load() {
        host.setAttribute('aria-busy', 'true');
        showState(el('p', { class: 'muted' }, texts.frame.loadingPanel));
        host.replaceChildren((await load())(context));
        host.setAttribute('aria-busy', 'false');
      },
      onFailure({ text, action }) {
        const retry = el('button', { type: 'button', class: 'secondary' }, action.label);
        retry.addEventListener('click', action.run);
        showState(el('p', { role: 'alert' }, text), retry);
        host.setAttribute('aria-busy', 'false');
      },
      texts,
      reload: () => location.reload(),
    });
    return host;
  };

/** How each panel is made. */
const makers: Readonly<Record<PanelName, MakePanel>> = {
  find: makeFindPanel,
  look: lazyPanel(async () => (await import('./look/look-panel.ts')).makeLookPanel),
  area: lazyPanel(async () => (await import('./area/area-panel.ts')).makeAreaPanel),
  measure: lazyPanel(async () => (await import('./measure/measure-panel.tsx')).makeMeasurePanel),
  compare: lazyPanel(async () => (await import('./compare/compare-panel.ts')).makeComparePanel),
  download: lazyPanel(async () => (await import('./download/download-panel.ts')).makeDownloadPanel),
  share: lazyPanel(async () => (await import('./share/share-panel.tsx')).makeSharePanel),
  settings: makeSettingsPanel,
};

interface FrameHosts {
  readonly rail: HTMLElement;
  readonly panel: HTMLElement;
}

const makeRailButton = (name: PanelName, { store, actions, texts }: PanelContext): HTMLElement => {
  const button = el('button', { type: 'button', class: 'rail-button', 'aria-controls': 'panel' });
  button.append(makeIcon(name), el('span', {}, texts.panels[name]));
  button.addEventListener('click', () => actions.openPanel(store.read().panel === name ? null : name));
  store.watch(
    ({ panel }) => panel === name,
    (isOpen) => button.setAttribute('aria-expanded', String(isOpen)),
  );
  return button;
};

/** Fills the rail and the panel of the page. */
export const makeFrame = (context: PanelContext, { rail, panel }: FrameHosts): void => {
  const { store, actions, texts } = context;
  const railButtons = new Map(PANELS.map((name) => [name, makeRailButton(name, context)]));
  rail.append(...railButtons.values());

  const title = el('h2', { id: 'panel-title' });
  const close = el(
    'button',
    { type: 'button', class: 'plain', 'aria-label': texts.frame.close },
    makeIcon('close'),
  );
  close.addEventListener('click', () => actions.openPanel(null));
  const body = el('div', { id: 'panel-body' });
  panel.replaceChildren(el('header', {}, title, close), body);

  const made = new Map<PanelName, HTMLElement>();
  const elementOf = (name: PanelName): HTMLElement => {
    const known = made.get(name) ?? makers[name](context);
    made.set(name, known);
    return known;
  };
  let last: PanelName | null = null;
  store.watch(
    ({ phase, panel: open }) => (phase.kind === 'ready' || open === 'settings' ? open : phase),
    (shown) => {
      hidePart(panel, shown === null, () => [last === null ? null : (railButtons.get(last) ?? null)]);
      if (shown === null) return;
      last = typeof shown === 'object' ? null : shown;
      close.hidden = typeof shown === 'object';
      title.textContent = typeof shown === 'object' ? 'Swath' : texts.panels[shown];
      body.scrollTop = 0;
      body.replaceChildren(typeof shown === 'object' ? makePhase(shown, context) : elementOf(shown));
    },
  );
};
