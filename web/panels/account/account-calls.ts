/** What the service says about the caller, their keys, what these use, and other people. */
import type { Api } from '../../api/api.ts';
import { unknownForm } from '../../api/failure.ts';
import { asNumber, asRecord, asText } from '../../scenes/read-json.ts';

/** What keys and people may do, from the least to the most. */
export const ROLES = ['read', 'order', 'ingest', 'admin'] as const;

export type Role = (typeof ROLES)[number];

const toRole = (value: unknown): Role => ROLES.find((role) => role === value) ?? 'read';

/** The roles that a person may give to a key. */
export const rolesUpTo = (role: Role): readonly Role[] => ROLES.slice(0, ROLES.indexOf(role) + 1);

/** Who is asking. */
export interface Account {
  readonly key: string;
  readonly label: string;
  readonly role: Role;
  /** Null for the key of a program. */
  readonly person: { readonly email: string | null; readonly name: string | null } | null;
}

type Calls = Pick<Api, 'call'>;

export const readAccount = async (api: Calls): Promise<Account> => {
  const { key, label, role, person } = asRecord(await api.call('api/account', {}));
  const id = asText(key);
  if (id === null) throw unknownForm();
  const { email, name } = asRecord(person);
  return {
    key: id,
    label: asText(label) ?? '',
    role: toRole(role),
    person: person == null ? null : { email: asText(email), name: asText(name) },
  };
};

/** A key that the caller has made. */
export interface OwnKey {
  readonly id: string;
  readonly label: string;
  readonly role: Role;
  readonly expiresAt: string | null;
}

/** Those that work. */
export const listKeys = async (api: Calls, now: Date): Promise<readonly OwnKey[]> => {
  const { keys } = asRecord(await api.call('api/keys', {}));
  return (Array.isArray(keys) ? keys : []).map(asRecord).flatMap((one) => {
    const [id, expiresAt] = [asText(one.id), asText(one.expires_at)];
    const isOver = expiresAt !== null && Date.parse(expiresAt) <= now.getTime();
    if (id === null || one.revoked_at != null || isOver) return [];
    return [{ id, label: asText(one.label) ?? '', role: toRole(one.role), expiresAt }];
  });
};

const DAY_MS = 86_400_000;

/** How long a new key works, in days; null for no end. */
export const KEY_DAYS = [30, 365, null] as const;

/** What a new key is for. */
export interface NewKey {
  readonly label: string;
  readonly role: Role;
  readonly days: number | null;
}

/** The secret of a new key, which is shown only now. */
export const makeKey = async (api: Calls, { label, role, days }: NewKey, now: Date): Promise<string> => {
  const expires = days === null ? null : new Date(now.getTime() + days * DAY_MS).toISOString();
  const made = await api.call('api/keys', { method: 'POST', body: { label, role, expires } });
  const secret = asText(asRecord(made).secret);
  if (secret === null) throw unknownForm();
  return secret;
};

export const revokeKey = (api: Calls, id: string): Promise<unknown> =>
  api.call(`api/keys/${encodeURIComponent(id)}`, { method: 'DELETE' });

/** What was used on a day, by all keys of the answer. */
export interface UsedDay {
  readonly day: string;
  readonly requests: number;
  readonly tiles: number;
  readonly bytes: number;
  readonly tasks: number;
}

/** The days with requests, newest first. */
export const readUsage = async (api: Calls): Promise<readonly UsedDay[]> => {
  const { usage } = asRecord(await api.call('api/usage', {}));
  const days = new Map<string, UsedDay>();
  for (const row of (Array.isArray(usage) ? usage : []).map(asRecord)) {
    const day = asText(row.day) ?? '';
    const sum = days.get(day);
    const add = (name: 'requests' | 'tiles' | 'bytes' | 'tasks'): number =>
      (sum?.[name] ?? 0) + (asNumber(row[name]) ?? 0);
    days.set(day, {
      day,
      requests: add('requests'),
      tiles: add('tiles'),
      bytes: add('bytes'),
      tasks: add('tasks'),
    });
  }
  return [...days.values()].sort((one, other) => (one.day < other.day ? 1 : -1));
};

/** Somebody who has signed in. */
export interface Person {
  readonly id: string;
  readonly title: string;
  readonly role: Role;
  readonly isBlocked: boolean;
}

export const listPeople = async (api: Calls): Promise<readonly Person[]> => {
  const { people } = asRecord(await api.call('api/people', {}));
  return (Array.isArray(people) ? people : []).map(asRecord).flatMap((one) => {
    const id = asText(one.id);
    if (id === null) return [];
    const title = asText(one.email) ?? asText(one.name) ?? id;
    return [{ id, title, role: toRole(one.role), isBlocked: one.blocked === true }];
  });
};

export const changePerson = (
  api: Calls,
  id: string,
  changes: { readonly role?: Role; readonly blocked?: boolean },
): Promise<unknown> => api.call(`api/people/${encodeURIComponent(id)}`, { method: 'PATCH', body: changes });
