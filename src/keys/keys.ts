import { hash, randomBytes } from 'node:crypto';
import { badInput, notFound } from './errors.ts';

/** What keys and people may do, from the least to the most: each role includes those before it. */
export const ROLES = ['read', 'order', 'ingest', 'admin'] as const;

/**
 * - `read`: search, draw and measure; nothing is stored.
 * - `order`: also order tasks, and store areas, colormaps, recipes, fields and subscriptions of its own.
 * - `ingest`: also add, replace and remove scenes of the catalog, which all keys share.
 * - `admin`: also see the usage of all keys, and manage the keys and roles of others.
 */
export type Role = (typeof ROLES)[number];

/** Whether a role may do what needs another. */
export const includesRole = (role: Role, needed: Role): boolean =>
  ROLES.indexOf(role) >= ROLES.indexOf(needed);

/** A stored key; the secret itself is stored nowhere, only its hash. */
export interface KeyRecord {
  /** Short public id for lists, logs and fairness; grants nothing. */
  readonly id: string;
  readonly label: string;
  readonly role: Role;
  /** Requests allowed per minute; null means no limit of its own. */
  readonly ratePerMinute: number | null;
  /** ISO 8601 in UTC, as all times here. */
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  /** The key of the person, or of the administrator, who made it; null for keys of operators. */
  readonly parent: string | null;
}

/** Where keys are stored. A resolved `insert` has reached the disk. */
export interface KeyStore {
  insert(record: KeyRecord, secretHash: string): Promise<void>;
  findByHash(secretHash: string): Promise<KeyRecord | null>;
  findById(id: string): Promise<KeyRecord | null>;
  list(): Promise<readonly KeyRecord[]>;
  /** False when no such key exists; a second revocation does not change the time of the first. */
  revoke(id: string, revokedAt: string): Promise<boolean>;
  /** Changes the role, or lets a revoked key work again. False when no such key exists. */
  change(id: string, changes: KeyChanges): Promise<boolean>;
}

/** What may change about a key. */
export interface KeyChanges {
  readonly role?: Role;
  readonly revokedAt?: null;
}

/** The options of a new key. */
interface KeyOptions {
  readonly label: string;
  readonly role?: Role;
  readonly ratePerMinute?: number | null;
  readonly expiresAt?: string | null;
  readonly parent?: string | null;
}

/** Creates, checks and ends keys. */
export interface Keys {
  /** The secret is returned here once and never again. */
  create(options: KeyOptions): Promise<{ readonly secret: string; readonly record: KeyRecord }>;
  /**
   * Null for unknown, revoked and expired keys: the caller cannot tell them apart. A key that someone made works as long as
   * theirs does, and may do no more than they may.
   */
  verify(secret: string): Promise<KeyRecord | null>;
  /** A key that still works, by its id. */
  findActive(id: string): Promise<KeyRecord | null>;
  /** Whether a key still works, by its id: what it handed out ends with it. */
  isActive(id: string): Promise<boolean>;
  list(): Promise<readonly KeyRecord[]>;
  revoke(id: string): Promise<void>;
  change(id: string, changes: KeyChanges): Promise<void>;
}

/** The id of the key that is valid by configuration. */
export const CONFIGURED_KEY_ID = 'configured';

interface KeysDeps {
  readonly store: KeyStore;
  /** A key valid by configuration, in addition to the stored ones. */
  readonly configuredSecret: string | null;
  readonly now: () => Date;
}

/** Look-up is by hash, so that the time of a comparison reveals nothing about a secret (docs/operate/hardening.md). */
const hashOf = (secret: string): string => hash('sha256', secret, 'hex');

/** `apk.` and 64 hex digits: the form existing clients expect; 256 random bits. */
const makeSecret = (): string => `apk.${randomBytes(32).toString('hex')}`;

/** Builds the key service over a store. */
export function makeKeys({ store, configuredSecret, now }: KeysDeps): Keys {
  const configuredHash = configuredSecret === null ? null : hashOf(configuredSecret);
  const configured: KeyRecord = {
    id: CONFIGURED_KEY_ID,
    label: 'SWATH_API_KEY',
    role: 'order',
    ratePerMinute: null,
    createdAt: now().toISOString(),
    expiresAt: null,
    revokedAt: null,
    parent: null,
  };

  const findActive = async (id: string): Promise<KeyRecord | null> => {
    if (id === CONFIGURED_KEY_ID) return configuredHash === null ? null : configured;
    const record = await store.findById(id);
    return resolve(record);
  };
  const works = ({ revokedAt, expiresAt }: KeyRecord): boolean =>
    revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > now().getTime());

  async function resolve(record: KeyRecord | null): Promise<KeyRecord | null> {
    if (record === null || !works(record)) return null;
    if (record.parent === null) return record;
    const parent = await findActive(record.parent);
    if (parent === null) return null;
    return includesRole(parent.role, record.role) ? record : { ...record, role: parent.role };
  }

  const unknown = (id: string): Error =>
    notFound('unknown-key', `There is no key with the id "${id}". "swath keys list" shows them all.`);

  return {
    async create({ label, role = 'order', ratePerMinute = null, expiresAt = null, parent = null }) {
      if (label.length === 0 || label.length > 100) {
        throw badInput('bad-label', 'A key needs a label of 1 to 100 characters.');
      }
      if (expiresAt !== null && !(Date.parse(expiresAt) > now().getTime())) {
        throw badInput('bad-expiry', 'The expiry must be a time in the future, such as 2030-12-31.');
      }
      const record: KeyRecord = {
        id: randomBytes(4).toString('hex'),
        label,
        role,
        ratePerMinute,
        createdAt: now().toISOString(),
        expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(),
        revokedAt: null,
        parent,
      };
      const secret = makeSecret();
      await store.insert(record, hashOf(secret));
      return { secret, record };
    },

    async verify(secret) {
      const hash = hashOf(secret);
      // Known without a store. That it is answered faster than a stored one tells nothing to those who have it.
      if (hash === configuredHash) return configured;
      return resolve(await store.findByHash(hash));
    },

    findActive,
    isActive: async (id) => (await findActive(id)) !== null,

    list: () => store.list(),

    async revoke(id) {
      if (!(await store.revoke(id, now().toISOString()))) throw unknown(id);
    },

    async change(id, changes) {
      if (!(await store.change(id, changes))) throw unknown(id);
    },
  };
}

/** What became of a request that was to be counted. */
export type CountedRequest =
  | {
      readonly isAllowed: true;
      /** How many more are allowed at this moment. */
      readonly remaining: number;
      /** When as many are allowed again as per minute, if none come meanwhile. */
      readonly fullInMs: number;
    }
  | {
      readonly isAllowed: false;
      /** When the next one is allowed, if no other comes first. */
      readonly waitMs: number;
    };

/**
 * Counts requests once for all nodes, by the clock of the database.
 *
 * The rule is a bucket of tokens: it holds `perMinute` of them, each request takes one, and they come back evenly, one
 * every 60 / `perMinute` seconds. A burst of a whole minute's requests is allowed after a pause, and in the long run no
 * more than `perMinute`. A strict window would refuse programs that poll a little too often for a minute or two, such as
 * two tasks whose polls are held for 10 s and repeated after 1 s: eleven a minute.
 */
export interface RateStore {
  /**
   * Counts one more request of an owner under a name, or refuses it; a refused one is not counted. Of many at once, also
   * on several nodes, no more are allowed than there are tokens. After a crash of the machine or the database, the
   * requests of the last minute may be forgotten.
   */
  count(request: RatedRequest): Promise<CountedRequest>;
}

/** A request to be counted. */
export interface RatedRequest {
  readonly owner: string;
  /** What is counted apart from other requests of the owner, such as an endpoint. */
  readonly name: string;
  /** 1 to 1,000,000; the same for all requests of a name. After a change, it applies from the next request on. */
  readonly perMinute: number;
}
