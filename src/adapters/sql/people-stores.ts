/** People and sessions in both databases, by statements that both understand. */
import type { PersonRecord, PersonStore, SessionRecord, SessionStore } from '../../sign-in/index.ts';
import type { Clause, Statements } from './sql.ts';
import { raw, sql } from './sql.ts';

const PERSON = raw(
  'key_id AS "keyId", issuer, subject, email, name, created_at AS "createdAt", seen_at AS "seenAt"',
);
const SESSION = raw(
  'token_hash AS "tokenHash", key_id AS "keyId", state_hash AS "stateHash", created_at AS "createdAt", expires_at AS "expiresAt"',
);

/** Returns a row unless the person is known. */
const toInsertPerson = (person: PersonRecord): Clause => {
  const { keyId, issuer, subject, email, name, createdAt, seenAt } = person;
  return sql`INSERT INTO people (key_id, issuer, subject, email, name, created_at, seen_at)
    VALUES (${keyId}, ${issuer}, ${subject}, ${email}, ${name}, ${createdAt}, ${seenAt})
    ON CONFLICT (issuer, subject) DO NOTHING RETURNING key_id`;
};

const toFindPerson = (issuer: string, subject: string): Clause =>
  sql`SELECT ${PERSON} FROM people WHERE issuer = ${issuer} AND subject = ${subject}`;

const toFindPersonByKey = (keyId: string): Clause =>
  sql`SELECT ${PERSON} FROM people WHERE key_id = ${keyId}`;

const toUpdatePerson = ({
  keyId,
  email,
  name,
  seenAt,
}: Pick<PersonRecord, 'keyId' | 'email' | 'name' | 'seenAt'>): Clause =>
  sql`UPDATE people SET email = ${email}, name = ${name}, seen_at = ${seenAt} WHERE key_id = ${keyId}`;

const LIST_PEOPLE = sql`SELECT ${PERSON} FROM people ORDER BY created_at, key_id`;

/** Removes expired sessions, when a new one begins. */
const toPruneSessions = ({ createdAt }: SessionRecord): Clause =>
  sql`DELETE FROM sessions WHERE expires_at <= ${createdAt}`;

/** Returns a row unless a session came from this sign-in. */
const toInsertSession = (session: SessionRecord): Clause => {
  const { tokenHash, keyId, stateHash, createdAt, expiresAt } = session;
  return sql`INSERT INTO sessions (token_hash, key_id, state_hash, created_at, expires_at)
    VALUES (${tokenHash}, ${keyId}, ${stateHash}, ${createdAt}, ${expiresAt})
    ON CONFLICT (state_hash) DO NOTHING RETURNING token_hash`;
};

const toFindSession = (tokenHash: string): Clause =>
  sql`SELECT ${SESSION} FROM sessions WHERE token_hash = ${tokenHash}`;

const toRemoveSession = (tokenHash: string): Clause =>
  sql`DELETE FROM sessions WHERE token_hash = ${tokenHash}`;

const toRemoveSessions = (keyId: string): Clause => sql`DELETE FROM sessions WHERE key_id = ${keyId}`;

/** Where people are stored. */
export const makePersonStore = ({ read, change }: Statements): PersonStore => ({
  insert: async (person) => (await change(toInsertPerson(person))) === 1,
  find: async (issuer, subject) => (await read<PersonRecord>(toFindPerson(issuer, subject)))[0] ?? null,
  findByKey: async (keyId) => (await read<PersonRecord>(toFindPersonByKey(keyId)))[0] ?? null,
  update: async (person) => void (await change(toUpdatePerson(person))),
  list: () => read<PersonRecord>(LIST_PEOPLE),
});

/** Where sessions are stored. */
export const makeSessionStore = ({ read, change }: Statements): SessionStore => ({
  async insert(session) {
    await change(toPruneSessions(session));
    return (await change(toInsertSession(session))) === 1;
  },
  find: async (tokenHash) => (await read<SessionRecord>(toFindSession(tokenHash)))[0] ?? null,
  remove: async (tokenHash) => void (await change(toRemoveSession(tokenHash))),
  removeAll: async (keyId) => void (await change(toRemoveSessions(keyId))),
});
