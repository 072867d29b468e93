/** A new alert: where, of what, when, and from which day on. */
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { indicesOf } from '../../actions/plan-series.ts';
import { toFailureOf } from '../../actions/report.ts';
import { addDays } from '../../api/days.ts';
import type { Against, Condition, Subscription, SubscriptionOrder } from '../../api/subscriptions.ts';
import { AGAINST } from '../../api/subscriptions.ts';
import { Button, FieldRow, Select } from '../kit/controls.tsx';
import { usePanel } from '../kit/panel.tsx';
import { Notice } from '../kit/parts.tsx';
import { DeliveryFields, NO_DELIVERY, toDelivery } from './alert-delivery.tsx';
import type { Since } from './describe-alert.ts';
import { describeCondition, describeGround, SINCE_DAYS, toCondition } from './describe-alert.ts';
import { useFields } from './field-context.ts';
import { namesOf } from './field-rows.ts';

const KINDS = ['drop', 'rise', 'below', 'above', 'every'] as const;
const SINCES = ['today', 'quarter', 'year'] as const;
/** A drop of this much is seen by the eye. */
const FIRST_CHANGE = '0.2';

interface FormProps {
  /** The field that is to be watched; `null` for all. */
  readonly fieldId: string | null;
  readonly onMade: (made: Subscription) => void;
  readonly onCancel: () => void;
}

/** The form. */
export const AlertForm: FunctionComponent<FormProps> = ({ fieldId, onMade, onCancel }) => {
  const { texts } = usePanel();
  const { words: all, fields, sensor, measuring, subscriptions } = useFields();
  const words = all.alerts;
  const ground = useSignal(fieldId === null ? 'all' : `field:${fieldId}`);
  const index = useSignal(measuring.value.index);
  const kind = useSignal<Condition['kind']>('drop');
  const number = useSignal(FIRST_CHANGE);
  const against = useSignal<Against>('last');
  const since = useSignal<Since>('quarter');
  const name = useSignal<string | null>(null);
  const delivery = useSignal(NO_DELIVERY);
  const failure = useSignal<string | null>(null);
  const isBusy = useSignal(false);
  const of = sensor.value;
  if (of === null) return <Notice kind="hint">{all.noDataset}</Notice>;

  const nameOf = (id: string): string | null => fields.value.find((one) => one.id === id)?.name ?? null;
  const toGround = (): SubscriptionOrder['ground'] => {
    const [type = '', rest = ''] = ground.value.split(/:(.*)/s);
    if (type === 'group') return { kind: 'group', group: rest };
    return type === 'field' ? { kind: 'fields', ids: [rest] } : { kind: 'all' };
  };
  const condition = toCondition(
    kind.value,
    number.value === '' ? Number.NaN : Number(number.value),
    against.value,
  );
  const proposed =
    condition === null
      ? ''
      : `${describeCondition(condition, index.value, all, texts.locale)} · ${describeGround(toGround(), nameOf, all)}`;
  const save = async (): Promise<void> => {
    if (condition === null) return;
    isBusy.value = true;
    failure.value = null;
    try {
      const today = new Date().toISOString().slice(0, 10);
      onMade(
        await subscriptions.make({
          name: (name.value ?? proposed).trim().slice(0, 200) || proposed.slice(0, 200),
          ground: toGround(),
          dataset: of.dataset,
          expression: index.value,
          condition,
          delivery: toDelivery(delivery.value),
          since: addDays(today, -SINCE_DAYS[since.value]),
        }),
      );
    } catch (error) {
      failure.value = toFailureOf(error).message;
    }
    isBusy.value = false;
  };
  const hasNumber = kind.value !== 'every';
  const isChange = kind.value === 'drop' || kind.value === 'rise';
  return (
    <form
      class="field-form"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <FieldRow label={words.ground}>
        {(id) => (
          <Select
            id={id}
            choices={[
              { value: 'all', title: words.allFields },
              ...namesOf(fields.value, 'group', texts.locale).map((group) => ({
                value: `group:${group}`,
                title: words.group(group),
              })),
              ...(fieldId === null ? [] : [{ value: `field:${fieldId}`, title: nameOf(fieldId) ?? '' }]),
            ]}
            value={ground.value}
            onChoose={(value) => {
              ground.value = value;
            }}
          />
        )}
      </FieldRow>
      <FieldRow label={all.index}>
        {(id) => (
          <Select
            id={id}
            choices={indicesOf(of).map(({ name: one }) => ({ value: one, title: one }))}
            value={index.value}
            onChoose={(value) => {
              index.value = value;
            }}
          />
        )}
      </FieldRow>
      <FieldRow label={words.when}>
        {(id) => (
          <Select
            id={id}
            choices={KINDS.map((value) => ({ value, title: words.kinds[value] }))}
            value={kind.value}
            onChoose={(value) => {
              kind.value = value;
            }}
          />
        )}
      </FieldRow>
      {hasNumber && (
        <FieldRow label={isChange ? words.by : words.limit}>
          {(id) => (
            <input
              id={id}
              type="number"
              step="any"
              required
              min={isChange ? 0 : undefined}
              value={number.value}
              onInput={({ currentTarget }) => {
                number.value = currentTarget.value;
              }}
            />
          )}
        </FieldRow>
      )}
      {isChange && (
        <FieldRow label={words.against}>
          {(id) => (
            <Select
              id={id}
              choices={AGAINST.map((value) => ({ value, title: words.againsts[value] }))}
              value={against.value}
              onChoose={(value) => {
                against.value = value;
              }}
            />
          )}
        </FieldRow>
      )}
      <FieldRow label={words.since}>
        {(id) => (
          <Select
            id={id}
            choices={SINCES.map((value) => ({ value, title: words.sinces[value] }))}
            value={since.value}
            onChoose={(value) => {
              since.value = value;
            }}
          />
        )}
      </FieldRow>
      <FieldRow label={words.name}>
        {(id) => (
          <input
            id={id}
            maxLength={200}
            placeholder={proposed}
            value={name.value ?? ''}
            onInput={({ currentTarget }) => {
              name.value = currentTarget.value || null;
            }}
          />
        )}
      </FieldRow>
      <DeliveryFields typed={delivery} />
      {failure.value !== null && <Notice kind="error">{failure.value}</Notice>}
      <div class="buttons">
        <button type="submit" class="primary" disabled={isBusy.value || condition === null}>
          {words.save}
        </button>
        <Button onClick={onCancel}>{all.cancel}</Button>
      </div>
    </form>
  );
};
