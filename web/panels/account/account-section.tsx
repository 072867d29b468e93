/** The account, in the settings: who has signed in and as what, their keys, what these use, and other people. */
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Language, LoadLaterTexts } from '../../texts/choose-texts.ts';
import { englishAccount } from '../../texts/en-account.ts';
import { Button } from '../kit/controls.tsx';
import { usePanel } from '../kit/panel.tsx';
import { Notice, Section } from '../kit/parts.tsx';
import type { Account } from './account-calls.ts';
import { readAccount } from './account-calls.ts';
import { AccountWords, useWords, useWork } from './account-hooks.ts';
import { OwnKeys } from './own-keys.tsx';
import { PeopleList } from './people-list.tsx';
import { UsageTable } from './usage-table.tsx';

/** Requests without a key are those of a guest, who has no account. */
const GUEST = 'guest';

const AccountSection: FunctionComponent = () => {
  const { api, actions } = usePanel();
  const words = useWords();
  const account = useSignal<Account | null>(null);
  const { isBusy, failure, run } = useWork();
  useEffect(
    () =>
      run(async () => {
        account.value = await readAccount(api);
      }),
    [],
  );
  const signOut = (): void =>
    run(async () => {
      await api.call('auth/sign-out', { method: 'POST' });
      actions.openPanel('find');
      actions.forgetKey();
    });
  const known = account.value;
  if (failure !== null) return <Notice kind="error">{failure}</Notice>;
  if (known === null || known.key === GUEST) return null;
  const { person, label, role, key } = known;
  return (
    <>
      <Section title={words.title} class="account">
        <p>{person === null ? words.withKey(label) : words.signedIn(person.name ?? person.email ?? label)}</p>
        <p class="muted">{words.role(words.roles[role])}</p>
        {person !== null && (
          <Button isDisabled={isBusy} onClick={signOut}>
            {words.signOut}
          </Button>
        )}
      </Section>
      {(person !== null || role === 'admin') && <OwnKeys role={role} />}
      <UsageTable />
      {role === 'admin' && <PeopleList own={key} />}
    </>
  );
};

/** Loads the words of the section, and makes it of them. */
export const loadAccount = async (loadTexts: LoadLaterTexts): Promise<FunctionComponent> => {
  const words = await loadTexts('account', englishAccount, document.documentElement.lang as Language);
  return () => (
    <AccountWords.Provider value={words}>
      <AccountSection />
    </AccountWords.Provider>
  );
};
