/** Keys that a person has made: a form for a new one, which is shown once, and the list, each of which can be revoked. */
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';
import { formatDate } from '../../texts/format.ts';
import { Button, FieldRow, Select } from '../kit/controls.tsx';
import { usePanel } from '../kit/panel.tsx';
import { Notice, Section } from '../kit/parts.tsx';
import type { OwnKey, Role } from './account-calls.ts';
import { KEY_DAYS, listKeys, makeKey, revokeKey, rolesUpTo } from './account-calls.ts';
import { useWords, useWork } from './account-hooks.ts';

/** The secret of a new key. */
const NewSecret: FunctionComponent<{ readonly secret: string }> = ({ secret }) => {
  const { actions } = usePanel();
  const words = useWords().keys;
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(secret);
      actions.report.showDone(words.copied);
    } catch {
      // The clipboard needs https or localhost, and permission; the field can be copied by hand.
    }
  };
  return (
    <div class="new-secret" role="status">
      <FieldRow label={words.secret}>
        {(id) => (
          <input
            id={id}
            type="text"
            readOnly
            value={secret}
            onFocus={(event) => event.currentTarget.select()}
          />
        )}
      </FieldRow>
      <Button icon="copy" onClick={() => void copy()}>
        {words.copy}
      </Button>
    </div>
  );
};

/** The section. */
export const OwnKeys: FunctionComponent<{ readonly role: Role }> = ({ role }) => {
  const { api, texts } = usePanel();
  const all = useWords();
  const words = all.keys;
  const keys = useSignal<readonly OwnKey[]>([]);
  const secret = useSignal<string | null>(null);
  const label = useSignal('');
  const chosen = useSignal<Role>('read');
  const days = useSignal('365');
  const { isBusy, failure, run } = useWork();
  const refresh = async (): Promise<void> => {
    keys.value = await listKeys(api, new Date());
  };
  useEffect(() => run(refresh), []);
  const make = (event: SubmitEvent): void => {
    event.preventDefault();
    run(async () => {
      const known = KEY_DAYS.find((one) => String(one ?? '') === days.value) ?? null;
      secret.value = await makeKey(
        api,
        { label: label.value.trim(), role: chosen.value, days: known },
        new Date(),
      );
      label.value = '';
      await refresh();
    });
  };
  const revoke = (id: string): void =>
    run(async () => {
      await revokeKey(api, id);
      await refresh();
    });
  return (
    <Section title={words.title} class="own-keys">
      <p class="muted small">{words.hint}</p>
      <form onSubmit={make}>
        <FieldRow label={words.name}>
          {(id) => (
            <input
              id={id}
              type="text"
              required
              maxLength={100}
              value={label.value}
              onInput={({ currentTarget }) => {
                label.value = currentTarget.value;
              }}
            />
          )}
        </FieldRow>
        <FieldRow label={words.role}>
          {(id) => (
            <Select
              id={id}
              value={chosen.value}
              choices={rolesUpTo(role).map((value) => ({ value, title: all.roles[value] }))}
              onChoose={(value) => {
                chosen.value = value;
              }}
            />
          )}
        </FieldRow>
        <FieldRow label={words.works}>
          {(id) => (
            <Select
              id={id}
              value={days.value}
              choices={KEY_DAYS.map((one) => ({
                value: String(one ?? ''),
                title: one === null ? words.noEnd : words.days(one),
              }))}
              onChoose={(value) => {
                days.value = value;
              }}
            />
          )}
        </FieldRow>
        <button type="submit" class="primary" disabled={isBusy}>
          {words.make}
        </button>
      </form>
      {failure !== null && <Notice kind="error">{failure}</Notice>}
      {secret.value !== null && <NewSecret secret={secret.value} />}
      {keys.value.length > 0 && (
        <ul aria-label={words.list}>
          {keys.value.map((key) => (
            <li key={key.id} class="account-row">
              <div>
                <strong>{key.label}</strong>
                <p class="muted small">
                  {all.roles[key.role]}
                  {key.expiresAt !== null &&
                    `, ${words.until(formatDate(key.expiresAt.slice(0, 10), texts.locale))}`}
                </p>
              </div>
              <Button
                look="link"
                label={words.revokeOf(key.label)}
                isDisabled={isBusy}
                onClick={() => revoke(key.id)}
              >
                {words.revoke}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
};
