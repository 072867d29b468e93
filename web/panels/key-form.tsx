/** The form that asks for an API key. */
import type { FunctionComponent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Contact } from '../shared/shared-card.tsx';
import { usePanel, usePart } from './kit/panel.tsx';
import { Notice } from './kit/parts.tsx';

/** What the address would show, so that people know what they ask for. */
const LinkContent: FunctionComponent = () => {
  const { texts } = usePanel();
  const wanted = usePart((state) => state.wanted);
  const bands = usePart((state) => state.picture.bands);
  if (wanted === null) return null;
  return (
    <p class="muted">
      {texts.key.wouldShow([wanted.sceneId, ...(bands === null ? [] : [bands])].join(', '))}
    </p>
  );
};

/** The form; `refusal` says why the last key was refused. */
export const KeyForm: FunctionComponent<{ readonly refusal: string | null }> = ({ refusal }) => {
  const {
    actions,
    texts: { key: words },
  } = usePanel();
  const input = useRef<HTMLInputElement>(null);
  const lasting = useRef<HTMLInputElement>(null);
  // The form is the only thing to do on the page, so typing may start at once.
  useEffect(() => input.current?.focus(), []);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const key = input.current?.value.trim() ?? '';
    if (key !== '') void actions.giveKey(key, lasting.current?.checked ?? false);
  };
  return (
    <form class="key-form" onSubmit={submit}>
      <h3>{words.title}</h3>
      <LinkContent />
      {refusal !== null && <Notice kind="error">{refusal}</Notice>}
      <label for="api-key">{words.label}</label>
      {/* Hides the key from people looking over a shoulder; it is not a login, so no password manager is invited. */}
      <input
        ref={input}
        id="api-key"
        type="password"
        autocomplete="off"
        spellcheck={false}
        required
        aria-describedby="api-key-hint"
      />
      <label class="check">
        <input ref={lasting} type="checkbox" id="key-lasts" />
        {words.remember}
      </label>
      <button type="submit" class="primary">
        {words.submit}
      </button>
      <Contact />
      <p id="api-key-hint" class="muted">
        {words.hintBefore}
        <code>npm run swath keys create</code>
        {words.hintAfter}
      </p>
    </form>
  );
};
