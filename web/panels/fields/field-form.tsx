/** What is said of a field: name, crop, group and sowing date. */
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { toFailureOf } from '../../actions/report.ts';
import type { Field, FieldChange } from '../../api/fields.ts';
import { Button, FieldRow, useOwnId } from '../kit/controls.tsx';
import { usePanel } from '../kit/panel.tsx';
import { Notice } from '../kit/parts.tsx';
import { useFields } from './field-context.ts';
import { namesOf } from './field-rows.ts';

/** The server takes texts of up to this many characters. */
const MAX_CHARACTERS = 120;

/** What a form sends. */
export type FieldWords = Required<Pick<FieldChange, 'name' | 'crop' | 'group' | 'sown_on'>>;

interface FormProps {
  /** What is known; empty for a new field. */
  readonly field?: Pick<Field, 'name' | 'crop' | 'group' | 'sownOn'>;
  /** Throws a failure whose message is shown. */
  readonly onSave: (words: FieldWords) => Promise<void>;
  readonly onCancel: () => void;
}

/** The form. */
export const FieldForm: FunctionComponent<FormProps> = ({ field, onSave, onCancel }) => {
  const { texts } = usePanel();
  const { words, fields } = useFields();
  const lists = useOwnId();
  const failure = useSignal<string | null>(null);
  const isBusy = useSignal(false);
  const save = async (form: HTMLFormElement): Promise<void> => {
    const data = new FormData(form);
    const read = (name: string): string => String(data.get(name) ?? '').trim();
    isBusy.value = true;
    failure.value = null;
    try {
      await onSave({
        name: read('name'),
        crop: read('crop') || null,
        group: read('group') || null,
        sown_on: read('sown') || null,
      });
    } catch (error) {
      failure.value = toFailureOf(error).message;
    }
    isBusy.value = false;
  };
  return (
    <form
      class="field-form"
      onSubmit={(event) => {
        event.preventDefault();
        void save(event.currentTarget);
      }}
    >
      <FieldRow label={words.name}>
        {(id) => (
          <input id={id} name="name" required maxLength={MAX_CHARACTERS} defaultValue={field?.name ?? ''} />
        )}
      </FieldRow>
      {(['crop', 'group'] as const).map((of) => (
        <FieldRow key={of} label={words[of]}>
          {(id) => (
            <>
              <input
                id={id}
                name={of}
                maxLength={MAX_CHARACTERS}
                list={`${lists}-${of}`}
                defaultValue={field?.[of] ?? ''}
              />
              <datalist id={`${lists}-${of}`}>
                {namesOf(fields.value, of, texts.locale).map((name) => (
                  <option key={name} value={name} />
                ))}
              </datalist>
            </>
          )}
        </FieldRow>
      ))}
      <FieldRow label={words.sownOn}>
        {(id) => <input id={id} name="sown" type="date" defaultValue={field?.sownOn ?? ''} />}
      </FieldRow>
      {failure.value !== null && <Notice kind="error">{failure.value}</Notice>}
      <div class="buttons">
        <button type="submit" class="primary" disabled={isBusy.value}>
          {words.save}
        </button>
        <Button onClick={onCancel}>{words.cancel}</Button>
      </div>
    </form>
  );
};
