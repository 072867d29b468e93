/** Where alerts are sent besides the list: by e-mail, and to a callback address. */
import type { Signal } from '@preact/signals';
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';
import { toFailureOf } from '../../actions/report.ts';
import type { Delivery, FailedSending, Subscription } from '../../api/subscriptions.ts';
import { formatTime } from '../../texts/format.ts';
import { Button, FieldRow } from '../kit/controls.tsx';
import { usePanel } from '../kit/panel.tsx';
import { Notice } from '../kit/parts.tsx';
import { useFields } from './field-context.ts';

/** What is typed; empty for nowhere. */
export interface TypedDelivery {
  readonly email: string;
  readonly callbackUrl: string;
}

/** Nothing typed. */
export const NO_DELIVERY: TypedDelivery = { email: '', callbackUrl: '' };

const toTyped = ({ email, callbackUrl }: Delivery): TypedDelivery => ({
  email: email ?? '',
  callbackUrl: callbackUrl ?? '',
});

/** What is typed, as it is sent. */
export const toDelivery = ({ email, callbackUrl }: TypedDelivery): Delivery => ({
  email: email.trim() || null,
  callbackUrl: callbackUrl.trim() || null,
});

/** The two fields. */
export const DeliveryFields: FunctionComponent<{ readonly typed: Signal<TypedDelivery> }> = ({ typed }) => {
  const {
    words: { alerts: words },
  } = useFields();
  return (
    <fieldset>
      <legend>{words.delivery}</legend>
      <FieldRow label={words.email}>
        {(id) => (
          <input
            id={id}
            type="email"
            maxLength={254}
            autocomplete="email"
            value={typed.value.email}
            onInput={({ currentTarget }) => {
              typed.value = { ...typed.value, email: currentTarget.value };
            }}
          />
        )}
      </FieldRow>
      <FieldRow label={words.callback}>
        {(id) => (
          <input
            id={id}
            type="url"
            maxLength={2000}
            placeholder="https://"
            value={typed.value.callbackUrl}
            onInput={({ currentTarget }) => {
              typed.value = { ...typed.value, callbackUrl: currentTarget.value };
            }}
          />
        )}
      </FieldRow>
      <p class="muted small">{words.deliveryHint}</p>
    </fieldset>
  );
};

interface ChangeProps {
  readonly subscription: Subscription;
  /** Something was changed; the form closes. */
  readonly onChanged: () => Promise<void>;
  readonly onCancel: () => void;
}

/** The form that changes where alerts are sent, with what does not arrive. */
export const ChangeDelivery: FunctionComponent<ChangeProps> = ({ subscription, onChanged, onCancel }) => {
  const { texts } = usePanel();
  const { words: all, subscriptions } = useFields();
  const words = all.alerts;
  const { id, delivery } = subscription;
  const typed = useSignal(toTyped(delivery));
  const failure = useSignal<string | null>(null);
  const isBusy = useSignal(false);
  const failed = useSignal<readonly FailedSending[]>([]);
  useEffect(() => {
    const abort = new AbortController();
    subscriptions.readFailedSendings(id, abort.signal).then(
      (list) => {
        failed.value = list;
      },
      // Without it the addresses can still be changed.
      () => {},
    );
    return () => abort.abort();
  }, [id]);
  const save = async (): Promise<void> => {
    const next = toDelivery(typed.value);
    // An address that was not touched is not sent: the server keeps more of it than it shows.
    const changes: Partial<Delivery> = {
      ...(next.email === delivery.email ? {} : { email: next.email }),
      ...(next.callbackUrl === delivery.callbackUrl ? {} : { callbackUrl: next.callbackUrl }),
    };
    if (Object.keys(changes).length === 0) return onCancel();
    isBusy.value = true;
    failure.value = null;
    try {
      await subscriptions.setDelivery(id, changes);
      await onChanged();
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
        void save();
      }}
    >
      <DeliveryFields typed={typed} />
      {failed.value.map(({ channel, attempts, nextAt }) => (
        <Notice key={channel} kind="hint">
          {words.notArrived(
            channel === 'email' ? words.email : words.callback,
            attempts,
            nextAt === null ? '–' : formatTime(nextAt, texts.locale),
          )}
        </Notice>
      ))}
      {failure.value !== null && <Notice kind="error">{failure.value}</Notice>}
      <div class="buttons">
        <button type="submit" class="primary" disabled={isBusy.value}>
          {words.saveDelivery}
        </button>
        <Button onClick={onCancel}>{all.cancel}</Button>
      </div>
    </form>
  );
};
