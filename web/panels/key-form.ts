/** The form that asks for an API key. */
import { el } from './dom.ts';

/** A form that calls `onKey` with what was typed; `refusal` says why the last key was not good. */
export const makeKeyForm = (refusal: string | null, onKey: (key: string) => void): HTMLElement => {
  const input = el('input', {
    id: 'api-key',
    // Hides the key from people looking over a shoulder; it is no login, so no password manager is invited.
    type: 'password',
    autocomplete: 'off',
    spellcheck: 'false',
    required: true,
    'aria-describedby': 'api-key-hint',
  });
  const hint = el(
    'p',
    { id: 'api-key-hint', class: 'muted' },
    'On the server, ',
    el('code', {}, 'npm run swath keys create'),
    ' prints a new one. Your key is stored in this tab only.',
  );
  const form = el(
    'form',
    { class: 'key-form' },
    el('h2', {}, 'Open with your key'),
    ...(refusal === null ? [] : [el('p', { class: 'refusal', role: 'alert' }, refusal)]),
    el('label', { for: 'api-key' }, 'API key'),
    input,
    el('button', { type: 'submit', class: 'primary' }, 'Show scenes'),
    hint,
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const key = input.value.trim();
    if (key !== '') onKey(key);
  });
  // A key form is the only thing to do on the page, so typing may start at once.
  queueMicrotask(() => input.focus());
  return form;
};
