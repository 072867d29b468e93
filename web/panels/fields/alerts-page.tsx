/** Alerts: what is watched, what it told, and its end. */
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';
import { toFailureOf } from '../../actions/report.ts';
import type { Alert, Subscription } from '../../api/subscriptions.ts';
import type { Loading } from '../../state/series-state.ts';
import { formatDate, formatTime } from '../../texts/format.ts';
import { Button } from '../kit/controls.tsx';
import { usePanel } from '../kit/panel.tsx';
import { Empty, Notice } from '../kit/parts.tsx';
import { ChangeDelivery } from './alert-delivery.tsx';
import { AlertForm } from './alert-form.tsx';
import { describeCondition, describeGround } from './describe-alert.ts';
import { useFields } from './field-context.ts';
import { formatValue } from './field-list.tsx';

/** A longer history is for programs. */
const MAX_TOLD = 200;

const Told: FunctionComponent<{ readonly alerts: readonly Alert[]; readonly name: string }> = ({
  alerts,
  name,
}) => {
  const { texts } = usePanel();
  const { words: all, fields, page } = useFields();
  const words = all.alerts;
  const { locale } = texts;
  const isThere = (id: string | null): id is string => fields.value.some((field) => field.id === id);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
    <section class="field-told" tabIndex={0} aria-label={words.historyOf(name)}>
      <table class="plain-table">
        <thead>
          <tr>
            <th scope="col">{words.date}</th>
            <th scope="col">{words.field}</th>
            <th scope="col" class="number">
              {words.value}
            </th>
            <th scope="col" class="number">
              {words.before}
            </th>
          </tr>
        </thead>
        <tbody>
          {alerts.slice(0, MAX_TOLD).map(({ id, date, fieldId, fieldName, value, compared }) => (
            <tr key={id}>
              <td>{formatDate(date, locale)}</td>
              <th scope="row">
                {isThere(fieldId) ? (
                  <Button
                    look="link"
                    onClick={() => {
                      page.value = { kind: 'field', id: fieldId };
                    }}
                  >
                    {fieldName}
                  </Button>
                ) : (
                  fieldName
                )}
              </th>
              <td class="number">{formatValue(value, locale)}</td>
              <td class="number">{compared === null ? '–' : formatValue(compared, locale)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {alerts.length > MAX_TOLD && <p class="muted small">{words.onlyNewest(MAX_TOLD)}</p>}
    </section>
  );
};

interface ItemProps {
  readonly subscription: Subscription;
  readonly isOpen: boolean;
  /** Something about it has changed. */
  readonly onChange: () => Promise<void>;
}

const Item: FunctionComponent<ItemProps> = ({ subscription, isOpen, onChange }) => {
  const { actions, texts } = usePanel();
  const { words: all, fields, subscriptions, mayChange } = useFields();
  const words = all.alerts;
  const { id, name, isPaused, expressions, condition, ground, delivery, checkedAt } = subscription;
  const isShown = useSignal(isOpen);
  const isEnding = useSignal(false);
  const isSending = useSignal(false);
  const places = [delivery.email, delivery.callbackUrl].filter((place) => place !== null);
  const told = useSignal<Loading<readonly Alert[]>>({ kind: 'idle' });
  const read = async (): Promise<void> => {
    if (told.value.kind !== 'ready') told.value = { kind: 'loading', progress: null };
    try {
      told.value = { kind: 'ready', value: await subscriptions.readAlerts(id) };
    } catch (error) {
      told.value = { kind: 'failed', text: toFailureOf(error).message };
    }
  };
  useEffect(() => {
    if (isShown.value) void read();
  }, [isShown.value]);
  const run = async (work: Promise<void>): Promise<void> => {
    try {
      await work;
      await onChange();
    } catch (error) {
      actions.report.fail(error);
    }
  };
  const where = describeGround(
    ground,
    (one) => fields.value.find((field) => field.id === one)?.name ?? null,
    all,
  );
  const now = told.value;
  return (
    <li class="field-alert">
      <strong>{name}</strong>
      <p class="muted small">
        {describeCondition(condition, expressions.join(', '), all, texts.locale)} · {where}
        {isPaused && ` · ${words.paused}`}
      </p>
      {places.length > 0 && <p class="muted small">{words.sentTo(places.join(', '))}</p>}
      <div class="buttons">
        <Button
          look="link"
          isPressed={isShown.value}
          onClick={() => {
            isShown.value = !isShown.value;
          }}
        >
          {words.history}
        </Button>
        {mayChange.value && (
          <>
            <Button look="link" onClick={() => void run(subscriptions.setPaused(id, !isPaused))}>
              {isPaused ? words.resume : words.pause}
            </Button>
            <Button
              look="link"
              isPressed={isSending.value}
              onClick={() => {
                isSending.value = !isSending.value;
              }}
            >
              {words.changeDelivery}
            </Button>
            <Button
              look="link"
              onClick={() => {
                isEnding.value = true;
              }}
            >
              {words.end}
            </Button>
          </>
        )}
      </div>
      {isSending.value && (
        <ChangeDelivery
          subscription={subscription}
          onCancel={() => {
            isSending.value = false;
          }}
          onChanged={async () => {
            isSending.value = false;
            await onChange();
          }}
        />
      )}
      {isEnding.value && (
        <div class="guide" role="alertdialog" aria-label={words.end}>
          <p>{words.endSure(name)}</p>
          <div class="buttons">
            <Button look="primary" onClick={() => void run(subscriptions.end(id))}>
              {words.endYes}
            </Button>
            <Button
              onClick={() => {
                isEnding.value = false;
              }}
            >
              {all.cancel}
            </Button>
          </div>
        </div>
      )}
      {isShown.value && (
        <div aria-live="polite">
          {now.kind === 'failed' && <Notice kind="error">{now.text}</Notice>}
          {now.kind === 'loading' && <progress aria-label={words.history} />}
          {now.kind === 'ready' && now.value.length > 0 && <Told alerts={now.value} name={name} />}
          {now.kind === 'ready' && now.value.length === 0 && (
            <p class="muted small">
              {checkedAt === null ? words.notChecked : words.noneTold(formatTime(checkedAt, texts.locale))}
            </p>
          )}
          <Button look="link" onClick={() => void onChange().then(read)}>
            {words.refresh}
          </Button>
        </div>
      )}
    </li>
  );
};

/** The page; a field that is given is the ground of a new alert. */
export const AlertsPage: FunctionComponent<{ readonly fieldId: string | null }> = ({ fieldId }) => {
  const { actions, texts } = usePanel();
  const { words: all, subscriptions, mayChange } = useFields();
  const words = all.alerts;
  const list = useSignal<Loading<readonly Subscription[]>>({ kind: 'loading', progress: null });
  const isMaking = useSignal(fieldId !== null);
  const madeId = useSignal<string | null>(null);
  const load = async (): Promise<void> => {
    try {
      list.value = { kind: 'ready', value: await subscriptions.list() };
    } catch (error) {
      list.value = { kind: 'failed', text: toFailureOf(error).message };
    }
  };
  useEffect(() => void load(), []);
  const now = list.value;
  return (
    <>
      <h3>{words.title}</h3>
      <p class="muted small">{words.hint}</p>
      {isMaking.value ? (
        <AlertForm
          fieldId={fieldId}
          onCancel={() => {
            isMaking.value = false;
          }}
          onMade={(made) => {
            isMaking.value = false;
            madeId.value = made.id;
            actions.report.showDone(words.made(made.name));
            void load();
          }}
        />
      ) : (
        mayChange.value && (
          <div>
            <Button
              onClick={() => {
                isMaking.value = true;
              }}
            >
              {words.make}
            </Button>
          </div>
        )
      )}
      {now.kind === 'failed' && (
        <Empty text={now.text}>
          <Button onClick={() => void load()}>{texts.frame.tryAgain}</Button>
        </Empty>
      )}
      {now.kind === 'ready' && now.value.length === 0 && !isMaking.value && <Empty text={words.none} />}
      {now.kind === 'ready' && (
        <ul class="field-alerts" aria-label={words.title}>
          {now.value.map((subscription) => (
            <Item
              key={subscription.id}
              subscription={subscription}
              isOpen={subscription.id === madeId.value}
              onChange={load}
            />
          ))}
        </ul>
      )}
    </>
  );
};
