/** Keys that work wherever no text is typed. */
import type { PanelName } from '../state/viewer-state.ts';
import type { Texts } from '../texts/en.ts';
import type { PanelContext } from './panel-context.ts';

interface Shortcut {
  readonly keys: readonly string[];
  readonly text: keyof Texts['settings']['shortcutList'];
}

/** The list, for the help. */
export const SHORTCUTS: readonly Shortcut[] = [
  { keys: ['F'], text: 'find' },
  { keys: ['L'], text: 'look' },
  { keys: ['A'], text: 'area' },
  { keys: ['C'], text: 'compare' },
  { keys: ['D'], text: 'download' },
  { keys: ['S'], text: 'share' },
  { keys: [','], text: 'settings' },
  { keys: ['['], text: 'previous' },
  { keys: [']'], text: 'next' },
  { keys: ['Esc'], text: 'closing' },
];

const panelByKey: Readonly<Record<string, PanelName>> = {
  f: 'find',
  l: 'look',
  a: 'area',
  c: 'compare',
  d: 'download',
  s: 'share',
  ',': 'settings',
};

/** True where keys write text rather than do things. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(TEXTAREA|SELECT)$/.test(target.tagName) || isTextInput(target));

const isTextInput = (target: HTMLElement): boolean =>
  target instanceof HTMLInputElement && !['radio', 'checkbox', 'range', 'button'].includes(target.type);

/** Starts listening to keys of the page. */
export const listenToShortcuts = ({ store, actions }: PanelContext): void => {
  addEventListener('keydown', (event) => {
    // An open dialog has the keys for itself, Escape among them.
    if (event.defaultPrevented || document.querySelector('dialog[open]') !== null) return;
    if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
    const panel = panelByKey[event.key];
    if (panel !== undefined) actions.openPanel(panel);
    else if (event.key === 'Escape' && store.read().drawing.tool !== null) actions.setTool(null);
    else if (event.key === 'Escape') actions.openPanel(null);
    else if (event.key === '[') actions.stepScene(-1);
    else if (event.key === ']') actions.stepScene(1);
    else return;
    event.preventDefault();
  });
};
