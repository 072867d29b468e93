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
  { keys: ['I'], text: 'fields' },
  { keys: ['M'], text: 'measure' },
  { keys: ['C'], text: 'compare' },
  { keys: ['D'], text: 'download' },
  { keys: ['S'], text: 'share' },
  { keys: [','], text: 'settings' },
  { keys: ['?'], text: 'keys' },
  { keys: ['[', 'K'], text: 'previous' },
  { keys: [']', 'J'], text: 'next' },
  { keys: ['/'], text: 'place' },
  { keys: ['V'], text: 'values' },
  { keys: ['Space'], text: 'playing' },
  { keys: ['←', '→'], text: 'stepping' },
  { keys: ['Enter'], text: 'finishing' },
  { keys: ['Ctrl+Z'], text: 'undoing' },
  { keys: ['Ctrl+Shift+Z'], text: 'redoing' },
  { keys: ['Esc'], text: 'closing' },
];

/** Brackets need another key held down on some keyboards; letters do not. */
const stepByKey: Readonly<Record<string, 1 | -1>> = { '[': -1, k: -1, ']': 1, j: 1 };

const panelByKey: Readonly<Record<string, PanelName>> = {
  f: 'find',
  l: 'look',
  a: 'area',
  i: 'fields',
  m: 'measure',
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

/** Closes the list that is open over a panel, and goes back to its button; false if none is. */
const closeDropdown = (): boolean => {
  const open = document.querySelector<HTMLDetailsElement>('details.dropdown[open]');
  if (open?.checkVisibility() !== true) return false;
  open.open = false;
  open.querySelector<HTMLElement>('summary')?.focus();
  return true;
};

/** Starts listening to keys of the page. */
export const listenToShortcuts = ({ store, actions }: PanelContext): void => {
  const takeMiddle = (): void => {
    actions.takeMiddle();
    // Who asks by a key reads on by keys.
    if (store.read().probe === null) return;
    // The card is rendered before this runs: its own microtask was queued first.
    queueMicrotask(() => document.querySelector<HTMLElement>('#values .values-content')?.focus());
  };
  const showKeys = (): void => {
    actions.openPanel('settings');
    // As below: the panel is there once its own microtask has run.
    queueMicrotask(() => {
      const keys = document.getElementById('keyboard');
      keys?.scrollIntoView();
      keys?.focus();
    });
  };
  addEventListener('keydown', (event) => {
    // An open dialog has the keys for itself, Escape among them.
    if (event.defaultPrevented || document.querySelector('dialog[open]') !== null) return;
    if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
    const [panel, step] = [panelByKey[event.key], stepByKey[event.key]];
    const isInValues = event.target instanceof Element && event.target.closest('#values') !== null;
    if (panel !== undefined) actions.openPanel(panel);
    else if (event.key === 'Escape' && store.read().drawing.tool !== null) actions.setTool(null);
    else if (event.key === 'Escape' && isInValues) actions.closeProbe();
    // One step at a time: what is open over the panel goes before the panel does.
    else if (event.key === 'Escape' && closeDropdown()) event.preventDefault();
    else if (event.key === 'Escape') actions.openPanel(null);
    else if (step !== undefined) actions.stepScene(step);
    else if (event.key === '/') document.querySelector<HTMLElement>('#place input')?.focus();
    else if (event.key === 'v') takeMiddle();
    else if (event.key === '?') showKeys();
    else return;
    event.preventDefault();
  });
};
