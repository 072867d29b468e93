/** Band math of one's own in a comparison: a line of text that the server checks before it is shown. */
import { makeLatest } from '../../actions/latest.ts';
import { el } from '../dom.ts';
import type { PanelContext } from '../panel-context.ts';

/** The choice of a list to write an expression; no band math has this sign. */
export const OWN = '…';

interface OwnExpressionParts {
  readonly id: string;
  readonly label: string;
  /** The scenes that must understand it. */
  readViewIds(): readonly string[];
  /** Why a text that the server understands is still of no use; `null` if it is. */
  refuse?(text: string): string | null;
  onShow(text: string): void;
}

/** The line, and what it begins with. */
export interface OwnExpression {
  readonly element: HTMLElement;
  /** Opens it with a text, unless another one is being typed, or closes it with `null`. */
  show(text: string | null): void;
  focus(): void;
}

/** Builds it; it is hidden until it is shown. */
export const makeOwnExpression = (
  { api, actions, texts: { look } }: PanelContext,
  { id, label, readViewIds, refuse, onShow }: OwnExpressionParts,
): OwnExpression => {
  const latest = makeLatest();
  const input = el('input', {
    type: 'text',
    id,
    spellcheck: 'false',
    autocapitalize: 'off',
    autocomplete: 'off',
    'aria-label': label,
    'aria-describedby': `${id}-note`,
    placeholder: '(NIR-RED)/(NIR+RED)',
  });
  const note = el('p', { id: `${id}-note`, class: 'muted small', role: 'status' });
  const button = el('button', { type: 'submit', class: 'secondary' }, look.showExpression);
  const form = el(
    'form',
    { class: 'own-expression', hidden: true },
    el('div', { class: 'row' }, input, button),
    note,
  );
  const showNote = (error: string | null): void => {
    // Further lines of the error repeat the text with a mark under it.
    note.textContent = error?.split('\n')[0] ?? look.expressionHint;
    note.classList.toggle('refusal', error !== null);
    note.classList.toggle('muted', error === null);
    input.setAttribute('aria-invalid', String(error !== null));
  };
  const check = async (text: string): Promise<void> => {
    const signal = latest.start();
    try {
      const checks = await Promise.all(
        readViewIds().map((viewId) => api.checkExpression(viewId, text, signal)),
      );
      if (signal.aborted) return;
      const bad = checks.find(({ isGood }) => !isGood);
      const error = bad?.isGood === false ? bad.error : (refuse?.(text) ?? null);
      showNote(error);
      if (error === null) onShow(text);
    } catch (error) {
      if (!signal.aborted) actions.report.fail(error);
    }
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const text = input.value.trim();
    if (text !== '') void check(text);
  });
  input.addEventListener('input', () => {
    latest.cancel();
    showNote(null);
  });
  showNote(null);
  return {
    element: form,
    show(text) {
      if (text === null) latest.cancel();
      form.hidden = text === null;
      if (text === null || document.activeElement === input || input.value === text) return;
      input.value = text;
      showNote(null);
    },
    focus: () => input.focus(),
  };
};
