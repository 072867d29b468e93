/** The form that asks for an API key. */
import type { FunctionComponent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Contact } from '../shared/shared-card.tsx';
import type { Texts } from '../texts/en.ts';
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

/** The address at which people sign in; they come back to what they see now. */
const toSignIn = (): string => `auth/sign-in?return=${encodeURIComponent(`/${location.hash}`)}`;

/** Why the last sign-in failed, as the service says in the address that it leads back to. */
const readSignInFailure = (words: Texts['key']): string | null => {
  const code = new URLSearchParams(location.search).get('sign_in');
  if (code === null) return null;
  return code === 'not-admitted' || code === 'person-blocked' ? words.notAdmitted : words.signInFailed;
};

/** The way in for people with an account; the key below is for those who have one. */
const SignIn: FunctionComponent = () => {
  const words = usePanel().texts.key;
  const hasSignIn = usePart((state) => state.about?.hasSignIn === true);
  if (!hasSignIn) return null;
  const failure = readSignInFailure(words);
  return (
    <>
      {failure !== null && <Notice kind="error">{failure}</Notice>}
      <a class="button primary" href={toSignIn()}>
        {words.signIn}
      </a>
      <p class="muted">{words.orKey}</p>
    </>
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
  const hasSignIn = usePart((state) => state.about?.hasSignIn === true);
  useEffect(() => {
    if (!hasSignIn) input.current?.focus();
  }, []);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const key = input.current?.value.trim() ?? '';
    if (key !== '') void actions.giveKey(key, lasting.current?.checked ?? false);
  };
  return (
    <form class="key-form" onSubmit={submit}>
      <h3>{words.title}</h3>
      <LinkContent />
      <SignIn />
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
      <button type="submit" class={hasSignIn ? 'secondary' : 'primary'}>
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
