/** Subscriptions of the key: made, listed, paused, ended, and what they told. */
import { asNumber, asRecord, asText, isTexts } from '../scenes/read-json.ts';
import type { Api } from './api.ts';
import { toFailure, unknownForm } from './failure.ts';

/** When a subscription tells. */
export type Condition =
  | { readonly kind: 'every' }
  | { readonly kind: 'below' | 'above'; readonly limit: number }
  | { readonly kind: 'drop' | 'rise'; readonly by: number; readonly against: Against };

/** What a value is compared with. */
export const AGAINST = ['last', 'normal', 'group'] as const;

/** One of them. */
export type Against = (typeof AGAINST)[number];

/** What is watched. */
export type Ground =
  | { readonly kind: 'all' }
  | { readonly kind: 'group'; readonly group: string }
  | { readonly kind: 'fields'; readonly ids: readonly string[] }
  | { readonly kind: 'area' };

/** Where alerts are sent besides the list; `null` for nowhere. */
export interface Delivery {
  readonly email: string | null;
  /** As the server shows it: without its query, which may hold a secret. */
  readonly callbackUrl: string | null;
}

/** A way of sending on which the last attempts failed. */
export interface FailedSending {
  readonly channel: 'email' | 'callback';
  readonly attempts: number;
  /** The time of the next attempt. */
  readonly nextAt: string | null;
}

/** A subscription. */
export interface Subscription {
  readonly id: string;
  readonly name: string;
  readonly isPaused: boolean;
  readonly expressions: readonly string[];
  readonly condition: Condition;
  readonly ground: Ground;
  readonly delivery: Delivery;
  /** Until when scenes were looked for; `null` if not yet. */
  readonly checkedAt: string | null;
}

/** A subscription that is to be made. */
export interface SubscriptionOrder {
  readonly name: string;
  readonly ground: Exclude<Ground, { readonly kind: 'area' }>;
  readonly dataset: string;
  readonly expression: string;
  readonly condition: Condition;
  readonly delivery: Delivery;
  /** Scenes from this day on become events. */
  readonly since: string;
}

/** What a subscription told. */
export interface Alert {
  readonly id: string;
  readonly fieldId: string | null;
  readonly fieldName: string;
  /** `YYYY-MM-DD`, of the scene. */
  readonly date: string;
  readonly expression: string;
  readonly value: number;
  /** `null` for every value. */
  readonly compared: number | null;
}

/** The calls. */
export interface SubscriptionApi {
  list(signal?: AbortSignal): Promise<readonly Subscription[]>;
  make(order: SubscriptionOrder): Promise<Subscription>;
  setPaused(id: string, isPaused: boolean): Promise<void>;
  /** Changes what is given, and leaves the rest. */
  setDelivery(id: string, changes: Partial<Delivery>): Promise<void>;
  /** What does not arrive. */
  readFailedSendings(id: string, signal?: AbortSignal): Promise<readonly FailedSending[]>;
  end(id: string): Promise<void>;
  /** The newest first. */
  readAlerts(id: string, signal?: AbortSignal): Promise<readonly Alert[]>;
}

const PAGE = 1000;
/** Feeds are read from their beginning; one that is longer is for programs. */
const MAX_PAGES = 10;

const parseCondition = (value: unknown): Condition => {
  const { kind, limit, by, against } = asRecord(value);
  const [bound, change] = [asNumber(limit), asNumber(by)];
  if ((kind === 'below' || kind === 'above') && bound !== null) return { kind, limit: bound };
  if ((kind === 'drop' || kind === 'rise') && change !== null)
    return { kind, by: change, against: AGAINST.find((one) => one === against) ?? 'last' };
  return { kind: 'every' };
};

const parseGround = ({ group, fields, geometry }: Readonly<Record<string, unknown>>): Ground => {
  const name = asText(group);
  if (name !== null) return { kind: 'group', group: name };
  if (isTexts(fields)) return { kind: 'fields', ids: fields };
  return geometry === undefined ? { kind: 'all' } : { kind: 'area' };
};

/** Reads a subscription; `null` for what is none. */
export const parseSubscription = (value: unknown): Subscription | null => {
  const fields = asRecord(value);
  const [id, name] = [asText(fields.id), asText(fields.name)];
  if (id === null || name === null || !isTexts(fields.expressions)) return null;
  return {
    id,
    name,
    isPaused: fields.paused === true,
    expressions: fields.expressions,
    condition: parseCondition(fields.condition),
    ground: parseGround(fields),
    delivery: { email: asText(fields.email), callbackUrl: asText(fields.callback_url) },
    checkedAt: asText(fields.checked_at),
  };
};

const parseAlert = (value: unknown): Alert | null => {
  const fields = asRecord(value);
  const [id, date, number] = [asText(fields.id), asText(fields.date), asNumber(fields.value)];
  if (id === null || date === null || number === null) return null;
  return {
    id,
    fieldId: asText(fields.field_id),
    fieldName: asText(fields.field_name) ?? '',
    date: date.slice(0, 10),
    expression: asText(fields.expression) ?? '',
    value: number,
    compared: asNumber(fields.compared),
  };
};

const parseFailedSending = (value: unknown): FailedSending | null => {
  const { channel, failed_attempts, next_attempt_at } = asRecord(value);
  const attempts = asNumber(failed_attempts) ?? 0;
  if ((channel !== 'email' && channel !== 'callback') || attempts === 0) return null;
  return { channel, attempts, nextAt: asText(next_attempt_at) };
};

/** The fields of an order; those that are not given stay as they are, and `null` ends a way of sending. */
const toWireDelivery = ({ email, callbackUrl }: Partial<Delivery>): object => ({
  ...(email === undefined ? {} : { email }),
  ...(callbackUrl === undefined ? {} : { callback_url: callbackUrl }),
});

const toWireGround = (ground: SubscriptionOrder['ground']): object => {
  if (ground.kind === 'group') return { group: ground.group };
  return ground.kind === 'fields' ? { fields: ground.ids } : {};
};

/** Builds the calls. */
export const makeSubscriptionApi = ({ call, send }: Pick<Api, 'call' | 'send'>): SubscriptionApi => {
  const toPath = (id: string): string => `api/subscriptions/${encodeURIComponent(id)}`;
  const change = async (id: string, changes: object): Promise<void> => {
    const init = {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(changes),
    };
    const response = await send(toPath(id), init);
    if (!response.ok) throw toFailure(response.status, await response.text());
  };
  return {
    async list(signal) {
      const { subscriptions } = asRecord(await call('api/subscriptions', {}, signal));
      if (!Array.isArray(subscriptions)) throw unknownForm();
      return subscriptions.map(parseSubscription).filter((one) => one !== null);
    },
    async make({ name, ground, dataset, expression, condition, delivery, since }) {
      const body = {
        name,
        ...toWireGround(ground),
        sensors: [dataset],
        expression,
        condition,
        ...toWireDelivery(delivery),
        since,
      };
      const made = parseSubscription(await call('api/subscriptions', { method: 'POST', body }));
      if (made === null) throw unknownForm();
      return made;
    },
    setPaused: (id, isPaused) => change(id, { paused: isPaused }),
    setDelivery: (id, changes) => change(id, toWireDelivery(changes)),
    async readFailedSendings(id, signal) {
      const { sending } = asRecord(await call(toPath(id), {}, signal));
      return Array.isArray(sending) ? sending.map(parseFailedSending).filter((one) => one !== null) : [];
    },
    end: async (id) => void (await call(toPath(id), { method: 'DELETE' })),
    async readAlerts(id, signal) {
      const alerts: Alert[] = [];
      for (let page = 0, after = 0; page < MAX_PAGES; page++) {
        const path = `${toPath(id)}/events?after=${after}&limit=${PAGE}`;
        const { events, next } = asRecord(await call(path, {}, signal));
        if (!Array.isArray(events)) throw unknownForm();
        alerts.push(...events.map(parseAlert).filter((alert) => alert !== null));
        after = asNumber(next) ?? after;
        if (events.length < PAGE) break;
      }
      return alerts.toReversed();
    },
  };
};
