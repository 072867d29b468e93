/** People who sign in: who they are, their sessions, and what they may do. */

import { hash, randomBytes } from 'node:crypto';
import type { KeyRecord, Keys, Role, SecretStore } from '../keys/index.ts';
import { HOUR_MS } from '../units.ts';
import type { Admission } from './claims.ts';
import { findClaimedRole, findVerifiedEmail, isAdmitted } from './claims.ts';
import { badInput, conflict, notAllowed, notFound } from './errors.ts';
import type { Claims } from './id-token.ts';

/** A person. What they may do and whether they may still sign in is in the key, whose secret no one knows. */
export interface PersonRecord {
  readonly keyId: string;
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  readonly name: string | null;
  readonly createdAt: string;
  readonly seenAt: string;
}

/** Where people are stored. A resolved write is on disk. */
export interface PersonStore {
  /** False if this issuer's subject is stored already; then nothing is changed. */
  insert(person: PersonRecord): Promise<boolean>;
  find(issuer: string, subject: string): Promise<PersonRecord | null>;
  findByKey(keyId: string): Promise<PersonRecord | null>;
  /** Replaces what a new sign-in may change. */
  update(person: Pick<PersonRecord, 'keyId' | 'email' | 'name' | 'seenAt'>): Promise<void>;
  /** In the order of their first sign-in. */
  list(): Promise<readonly PersonRecord[]>;
}

/** A session; the token itself is stored nowhere, only its hash. */
export interface SessionRecord {
  readonly tokenHash: string;
  readonly keyId: string;
  /** The hash of the sign-in that it came from: each gives one session. */
  readonly stateHash: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** Where sessions are stored. A resolved write is on disk. */
export interface SessionStore {
  /** False if a session came from this sign-in already; then nothing is changed. Removes sessions that have expired. */
  insert(session: SessionRecord): Promise<boolean>;
  find(tokenHash: string): Promise<SessionRecord | null>;
  remove(tokenHash: string): Promise<void>;
  removeAll(keyId: string): Promise<void>;
}

/** A person with what they may do. */
export interface ListedPerson extends PersonRecord {
  readonly role: Role;
  readonly isBlocked: boolean;
}

/** Signs people in and out, and manages them. */
export interface People {
  /** Begins a session of the person with these claims. The token is returned here once. */
  signIn(
    claims: Claims,
    sign: { readonly issuer: string; readonly state: string },
  ): Promise<{ readonly token: string; readonly expiresAt: string }>;
  /** The key of a session's person; null for unknown and expired sessions, and people who were blocked. */
  identify(token: string): Promise<KeyRecord | null>;
  signOut(token: string): Promise<void>;
  /** The person whose key this is. */
  find(keyId: string): Promise<PersonRecord | null>;
  list(): Promise<readonly ListedPerson[]>;
  /** Changes what another person may do. */
  change(
    keyId: string,
    changes: { readonly role?: Role; readonly isBlocked?: boolean },
    by: string,
  ): Promise<void>;
}

interface PeopleDeps {
  readonly people: PersonStore;
  readonly sessions: SessionStore;
  readonly keys: Pick<Keys, 'create' | 'findActive' | 'list' | 'revoke' | 'change'>;
  readonly secrets: SecretStore;
  readonly admission: Admission;
  readonly sessionHours: number;
  readonly now: () => Date;
}

const hashOf = (text: string): string => hash('sha256', text, 'hex');

/** 256 random bits. */
const makeToken = (): string => randomBytes(32).toString('base64url');

/** Names and addresses are shown to administrators: control characters are left out. */
function toShown(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = value.replace(/\p{C}/gu, '').trim().slice(0, 200);
  return text === '' ? null : text;
}

/** Builds the service over its stores. */
export function makePeople(deps: PeopleDeps): People {
  const { people, sessions, keys, secrets, admission, sessionHours, now } = deps;

  async function findOrCreate(person: Omit<PersonRecord, 'keyId' | 'createdAt'>): Promise<PersonRecord> {
    const known = await people.find(person.issuer, person.subject);
    if (known !== null) return known;
    const label = (person.email ?? person.name ?? person.subject).slice(0, 100);
    // Its secret is forgotten at once: only sessions lead to this key.
    const { record } = await keys.create({ label, role: admission.defaultRole });
    const created = { ...person, keyId: record.id, createdAt: person.seenAt };
    if (await people.insert(created)) return created;
    await keys.revoke(record.id);
    return (await people.find(person.issuer, person.subject)) ?? created;
  }

  async function isAdministrator(claims: Claims, issuer: string): Promise<boolean> {
    const { admin } = admission;
    if (admin === null) return false;
    if (admin !== 'first') return findVerifiedEmail(claims) === admin.email;
    // Of several nodes at once one wins, and all of them learn who was first.
    const name = JSON.stringify([issuer, claims.sub]);
    return (await secrets.obtain('first-person', name)) === name;
  }

  async function findPerson(keyId: string): Promise<PersonRecord> {
    const person = await people.findByKey(keyId);
    if (person === null) throw notFound('unknown-person', 'There is no person with this id.');
    return person;
  }

  return {
    async signIn(claims, { issuer, state }) {
      if (!isAdmitted(claims, admission))
        throw notAllowed('not-admitted', 'Your account may not use this service; ask its operator.');
      const seenAt = now().toISOString();
      const shown = { email: toShown(claims.email), name: toShown(claims.name), seenAt };
      const person = await findOrCreate({ ...shown, issuer, subject: claims.sub });
      const key = await keys.findActive(person.keyId);
      if (key === null) throw notAllowed('person-blocked', 'An administrator has ended your access.');
      const role = (await isAdministrator(claims, issuer)) ? 'admin' : findClaimedRole(claims, admission);
      if (role !== null && role !== key.role) await keys.change(key.id, { role });
      await people.update({ ...shown, keyId: key.id });
      const token = makeToken();
      const expiresAt = new Date(now().getTime() + sessionHours * HOUR_MS).toISOString();
      const session = { tokenHash: hashOf(token), keyId: key.id, stateHash: hashOf(state) };
      if (!(await sessions.insert({ ...session, createdAt: seenAt, expiresAt })))
        throw badInput('bad-sign-in', 'This sign-in was used already; begin again.');
      return { token, expiresAt };
    },

    async identify(token) {
      const session = await sessions.find(hashOf(token));
      if (session === null || Date.parse(session.expiresAt) <= now().getTime()) return null;
      return keys.findActive(session.keyId);
    },

    signOut: (token) => sessions.remove(hashOf(token)),

    find: (keyId) => people.findByKey(keyId),

    async list() {
      const [all, records] = await Promise.all([people.list(), keys.list()]);
      const byId = new Map(records.map((record) => [record.id, record]));
      return all.map((person) => {
        const key = byId.get(person.keyId);
        return {
          ...person,
          role: key?.role ?? 'read',
          isBlocked: key === undefined || key.revokedAt !== null,
        };
      });
    },

    async change(keyId, { role, isBlocked }, by) {
      await findPerson(keyId);
      // The last administrator could lock everyone out.
      if (keyId === by) throw badInput('own-role', 'Another administrator must change your own access.');
      if (role !== undefined && admission.roles.length > 0)
        throw conflict(
          'roles-from-provider',
          'Roles come from the sign-in provider here (SWATH_OIDC_ROLES); change them there.',
        );
      if (role !== undefined) await keys.change(keyId, { role });
      if (isBlocked === false) await keys.change(keyId, { revokedAt: null });
      if (isBlocked !== true) return;
      // The key goes first: it ends the keys that the person made, and sessions on all nodes.
      await keys.revoke(keyId);
      await sessions.removeAll(keyId);
    },
  };
}
