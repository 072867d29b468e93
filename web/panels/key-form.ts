/** The form that asks for an API key. */
import { el } from './dom.ts';
import type { PanelContext } from './panel-context.ts';

/** `refusal` says why the last key was not good. */
export const makeKeyForm = (
  refusal: string | null,
  { texts: { key: words }, actions }: PanelContext,
): HTMLElement => {
  const input = el('input', {
    id: 'api-key',
    // Hides the key from people looking over a shoulder; it is no login, so no password manager is invited.
    type: 'password',
    autocomplete: 'off',
    spellcheck: 'false',
    required: true,
    'aria-describedby': 'api-key-hint',
  });
  const lasting = el('input', { type: 'checkbox', id: 'key-lasts' });
  const form = el(
    'form',
    { class: 'key-form' },
    el('h3', {}, words.title),
    ...(refusal === null ? [] : [el('p', { class: 'refusal', role: 'alert' }, refusal)]),
    el('label', { for: 'api-key' }, words.label),
    input,
    el('label', { class: 'check' }, lasting, words.remember),
    el('button', { type: 'submit', class: 'primary' }, words.submit),
    el(
      'p',
      { id: 'api-key-hint', class: 'muted' },
      words.hintBefore,
      el('code', {}, 'npm run swath keys create'),
      words.hintAfter,
    ),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const key = input.value.trim();
    if (key !== '') void actions.giveKey(key, lasting.checked);
  });
  // A key form is the only thing to do on the page, so typing may start at once.
  queueMicrotask(() => input.focus());
  return form;
};
