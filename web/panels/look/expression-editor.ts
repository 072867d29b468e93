/** Band math as text: highlighted while it is typed, completed, and checked by the server. */
import { makeLatest } from '../../actions/latest.ts';
import type { CheckedExpression } from '../../api/picture-calls.ts';
import { bandsOfPicture } from '../../scenes/picture.ts';
import { el } from '../dom.ts';
import type { PanelContext } from '../panel-context.ts';
import { makeCompletion } from './completion.ts';
import { planHighlight } from './highlight.ts';

/** A pause in typing after which the text is checked. */
const PAUSE_MS = 250;

/** Builds the editor. */
export const makeExpressionEditor = ({ store, actions, api, texts: { look } }: PanelContext): HTMLElement => {
  const latest = makeLatest();
  const area = el('textarea', {
    id: 'expression',
    rows: '3',
    spellcheck: 'false',
    autocapitalize: 'off',
    autocomplete: 'off',
    'aria-describedby': 'expression-note',
    placeholder: '(NIR-RED)/(NIR+RED)',
  });
  const colored = el('pre', { 'aria-hidden': 'true' });
  const note = el('p', { id: 'expression-note', class: 'small', role: 'status' });
  const button = el('button', { type: 'submit', class: 'primary' }, look.showExpression);
  const names = () => {
    const { shown, knowledge } = store.read();
    return {
      bands: shown?.sensor.bands.flatMap(({ name, role }) => [name, ...(role === null ? [] : [role])]) ?? [],
      indices: shown?.sensor.indices.map(({ name }) => name) ?? [],
      functions: knowledge?.functions ?? [],
    };
  };
  const paint = (errorAt: number | null): void => {
    const parts = planHighlight(area.value, names(), errorAt);
    // A last line without text would have no height.
    colored.replaceChildren(
      ...parts.map(({ kind, text }) => el('span', { class: `token-${kind}` }, text)),
      '\n',
    );
    colored.scrollTop = area.scrollTop;
  };
  const showCheck = (checked: CheckedExpression | null): void => {
    const error = checked?.isGood === false ? checked : null;
    // Further lines of the error repeat the text with a mark under it, which the editor has itself.
    note.textContent = error?.error.split('\n')[0] ?? look.expressionHint;
    note.classList.toggle('refusal', error !== null);
    area.setAttribute('aria-invalid', String(error !== null));
    paint(error?.position ?? null);
  };
  const check = async (): Promise<CheckedExpression | null> => {
    const { shown } = store.read();
    const text = area.value.trim();
    const signal = latest.start();
    if (shown === null || text === '') {
      showCheck(null);
      return null;
    }
    try {
      const checked = await api.checkExpression(shown.viewId, text, signal);
      if (signal.aborted) return null;
      // Positions are of the text without the space before it.
      const start = area.value.length - area.value.trimStart().length;
      showCheck(
        checked.isGood
          ? checked
          : { ...checked, position: checked.position === null ? null : checked.position + start },
      );
      return checked;
    } catch (error) {
      if (!signal.aborted) actions.report.fail(error);
      return null;
    }
  };
  let pause: ReturnType<typeof setTimeout> | undefined;
  const onText = (): void => {
    paint(null);
    clearTimeout(pause);
    pause = setTimeout(() => void check(), PAUSE_MS);
  };
  const completion = makeCompletion({ area, title: look.expression, readNames: names, onText });
  area.addEventListener('input', onText);
  area.addEventListener('scroll', () => {
    colored.scrollTop = area.scrollTop;
  });
  const form = el('form', {}, el('div', { class: 'editor' }, colored, area), completion, note, button);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    clearTimeout(pause);
    void check().then((checked) => {
      if (checked?.isGood) actions.chooseBands(area.value.trim());
    });
  });
  area.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  store.watch(
    ({ shown, picture }) => (shown === null ? '' : bandsOfPicture(shown.sensor, picture)),
    (bands, { shown }) => {
      // The formula of an index is the best beginning of one's own.
      const index = shown?.sensor.indices.find(({ name }) => name === bands);
      if (document.activeElement !== area) area.value = index?.expression ?? bands;
      showCheck(null);
    },
  );
  return el(
    'details',
    { class: 'section', id: 'expression-section' },
    el('summary', {}, el('label', { for: 'expression' }, look.expression)),
    form,
  );
};
