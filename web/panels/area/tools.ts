/** The tools: what to draw, how, and one step back. */
import { outlineOfBox } from '../../scenes/footprint.ts';
import type { Tool } from '../../state/drawing.ts';
import { bringFile } from '../bring-file.ts';
import { el } from '../dom.ts';
import { makeIcon } from '../icon.ts';
import type { PanelContext } from '../panel-context.ts';
import { isTyping } from '../shortcuts.ts';
import type { Draw } from './draw.ts';
import { startDraw } from './draw.ts';

const DRAWN = ['polygon', 'rectangle', 'circle', 'line'] as const;

/** A button of a row: an icon over a word. */
export const makeToolButton = (icon: string, title: string, onClick: () => void): HTMLButtonElement => {
  const button = el('button', { type: 'button', class: 'tool' }, makeIcon(icon), el('span', {}, title));
  button.addEventListener('click', onClick);
  return button;
};

const makeImport = (context: PanelContext): HTMLElement => {
  const { texts } = context;
  const input = el('input', {
    type: 'file',
    class: 'unseen',
    tabindex: '-1',
    'aria-hidden': 'true',
    accept: '.geojson,.json,.kml,.kmz,.zip,application/geo+json',
  });
  input.addEventListener('change', () => {
    const file = input.files?.[0];
    if (file !== undefined) void bringFile(file, context);
    // The same file can be chosen again after it was changed.
    input.value = '';
  });
  const button = el(
    'button',
    { type: 'button', class: 'secondary' },
    makeIcon('import'),
    texts.area.importFile,
  );
  button.addEventListener('click', () => input.click());
  return el('div', { class: 'import' }, button, input);
};

/** The rectangle of what the map shows: an area without a pointer. */
const makeUseView = ({ store, actions, texts }: PanelContext): HTMLElement => {
  const button = el('button', { type: 'button', class: 'secondary' }, makeIcon('fit'), texts.area.useView);
  button.addEventListener('click', () => {
    const { bounds } = store.read();
    if (bounds === null) return;
    actions.setArea({ outline: outlineOfBox(bounds), name: null });
  });
  return button;
};

/** What to do with the tool in hand. */
const makeGuide = (context: PanelContext, readDraw: () => Draw | null): HTMLElement => {
  const { store, actions, texts } = context;
  const words = texts.area;
  const hint = el('p', {});
  const keys = el('p', { class: 'muted small keys' });
  const finish = el('button', { type: 'button', class: 'primary' }, words.finish);
  finish.addEventListener('click', () => readDraw()?.finish());
  const done = el('button', { type: 'button', class: 'primary' }, words.done);
  const cancel = el('button', { type: 'button', class: 'secondary' }, words.cancel);
  for (const button of [done, cancel]) button.addEventListener('click', () => actions.setTool(null));
  const guide = el(
    'div',
    { class: 'guide', role: 'status' },
    hint,
    keys,
    el('div', { class: 'pair' }, finish, cancel, done),
  );
  store.watch(
    ({ drawing }) => drawing.tool,
    (tool: Tool | null) => {
      guide.hidden = tool === null;
      if (tool === null) return;
      const isEditing = tool === 'edit-area' || tool === 'edit-line';
      hint.textContent = words.hints[tool];
      keys.textContent = isEditing ? words.keysEditing : words.keysDrawing;
      // Two clicks are a rectangle or a circle; there is nothing else to finish.
      finish.hidden = tool !== 'polygon' && tool !== 'line';
      cancel.hidden = isEditing;
      done.hidden = !isEditing;
    },
  );
  return guide;
};

/** Builds the tools, and starts drawing once the map is there. */
export const makeTools = (context: PanelContext): HTMLElement => {
  const { store, actions, texts, map } = context;
  const words = texts.area;
  let draw: Draw | null = null;
  void map.then(({ gl }) => {
    draw = startDraw(context, gl);
  });
  const buttons = DRAWN.map((tool) => {
    const button = makeToolButton(tool, words.tools[tool], () =>
      actions.setTool(store.read().drawing.tool === tool ? null : tool),
    );
    store.watch(
      ({ drawing }) => drawing.tool === tool,
      (isOn) => button.setAttribute('aria-pressed', String(isOn)),
    );
    return button;
  });
  const undo = (): void => {
    if (draw?.undoPoint() !== true) actions.undoShapes();
  };
  const redo = (): void => {
    if (draw?.redoPoint() !== true) actions.redoShapes();
  };
  const [undoButton, redoButton] = (
    [
      ['undo', undo],
      ['redo', redo],
    ] as const
  ).map(([name, run]) => {
    const button = el('button', {
      type: 'button',
      class: 'plain',
      'aria-label': words[name],
      title: words[name],
    });
    button.append(makeIcon(name));
    button.addEventListener('click', run);
    return button;
  }) as [HTMLButtonElement, HTMLButtonElement];
  store.watch(
    ({ drawing }) => drawing,
    ({ tool, past, future }) => {
      undoButton.disabled = past.length === 0 && tool === null;
      redoButton.disabled = future.length === 0 && tool === null;
    },
  );
  addEventListener('keydown', (event) => {
    const isUndo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z';
    const isRedo = (isUndo && event.shiftKey) || (event.ctrlKey && event.key.toLowerCase() === 'y');
    if (store.read().panel !== 'area' || isTyping(event.target) || !(isUndo || isRedo)) return;
    if (document.querySelector('dialog[open]') !== null) return;
    event.preventDefault();
    if (isRedo) redo();
    else undo();
  });
  return el(
    'section',
    { class: 'group' },
    el('div', { class: 'heading-row' }, el('h3', {}, words.draw), el('div', {}, undoButton, redoButton)),
    el('div', { class: 'tools' }, ...buttons),
    makeGuide(context, () => draw),
    el('div', { class: 'pair' }, makeImport(context), makeUseView(context)),
    el('p', { class: 'muted small' }, words.importHint),
  );
};
