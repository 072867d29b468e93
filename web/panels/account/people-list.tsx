/** Everyone who has signed in, for administrators: what they may do, and whether they may come in. */
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';
import { Button, Select, useOwnId } from '../kit/controls.tsx';
import { usePanel } from '../kit/panel.tsx';
import { Notice, Section } from '../kit/parts.tsx';
import type { Person, Role } from './account-calls.ts';
import { changePerson, listPeople, ROLES } from './account-calls.ts';
import { useWords, useWork } from './account-hooks.ts';

interface PersonProps {
  readonly person: Person;
  readonly isOwn: boolean;
  readonly isBusy: boolean;
  readonly onChange: (changes: { readonly role?: Role; readonly blocked?: boolean }) => void;
}

const PersonRow: FunctionComponent<PersonProps> = ({ person, isOwn, isBusy, onChange }) => {
  const all = useWords();
  const words = all.people;
  const id = useOwnId();
  const { title, role, isBlocked } = person;
  return (
    <li class="account-row">
      <div>
        {isOwn ? (
          <>
            <strong>{words.you(title)}</strong>
            <p class="muted small">{all.roles[role]}</p>
          </>
        ) : (
          <>
            <label for={id}>{title}</label>
            <Select
              id={id}
              value={role}
              choices={ROLES.map((value) => ({ value, title: all.roles[value] }))}
              onChoose={(value) => onChange({ role: value })}
            />
          </>
        )}
      </div>
      {!isOwn && (
        <Button
          look="link"
          label={isBlocked ? words.allowOf(title) : words.blockOf(title)}
          isDisabled={isBusy}
          onClick={() => onChange({ blocked: !isBlocked })}
        >
          {isBlocked ? words.allow : words.block}
        </Button>
      )}
    </li>
  );
};

/** The section; `own` is the key of the administrator. */
export const PeopleList: FunctionComponent<{ readonly own: string }> = ({ own }) => {
  const { api } = usePanel();
  const words = useWords().people;
  const people = useSignal<readonly Person[]>([]);
  const { isBusy, failure, run } = useWork();
  const refresh = async (): Promise<void> => {
    people.value = await listPeople(api);
  };
  useEffect(() => run(refresh), []);
  if (people.value.length === 0 && failure === null) return null;
  return (
    <Section title={words.title}>
      {failure !== null && <Notice kind="error">{failure}</Notice>}
      <ul aria-label={words.title}>
        {people.value.map((person) => (
          <PersonRow
            key={person.id}
            person={person}
            isOwn={person.id === own}
            isBusy={isBusy}
            onChange={(changes) =>
              run(async () => {
                // Also after a refusal the list shows what counts.
                await changePerson(api, person.id, changes).finally(refresh);
              })
            }
          />
        ))}
      </ul>
    </Section>
  );
};
