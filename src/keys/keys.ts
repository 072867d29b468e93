import { hash, randomBytes } from 'node:crypto';
import { badInput, notFound } from '../errors.ts';
import type { KeyRecord, KeyScope, KeyStore } from './key-store.ts';

/** The options of a new key. */
export interface KeyOptions {
  readonly label: string;
  readonly scope?: KeyScope;
  readonly ratePerMinute?: number | null;
  readonly expiresAt?: string | null;
}

/** Creates, checks and ends keys. */
export interface Keys {
  /** The secret is returned here once and never again. */
  create(options: KeyOptions): Promise<{ readonly secret: string; readonly record: KeyRecord }>;
  /** Null for unknown, revoked and expired keys: the caller cannot tell them apart. */
  verify(secret: string): Promise<KeyRecord | null>;
  /** Whether a key still works, by its id: what it handed out ends with it. */
  isActive(id: string): Promise<boolean>;
  list(): Promise<readonly KeyRecord[]>;
  revoke(id: string): Promise<void>;
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
    scope: 'full',
    ratePerMinute: null,
    createdAt: now().toISOString(),
    expiresAt: null,
    revokedAt: null,
  };

  const works = ({ revokedAt, expiresAt }: KeyRecord): boolean =>
    revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > now().getTime());

  return {
    async create({ label, scope = 'full', ratePerMinute = null, expiresAt = null }) {
      if (label.length === 0 || label.length > 100) {
        throw badInput('bad-label', 'A key needs a label of 1 to 100 characters.');
      }
      if (expiresAt !== null && !(Date.parse(expiresAt) > now().getTime())) {
        throw badInput('bad-expiry', 'The expiry must be a time in the future, such as 2030-12-31.');
      }
      const record: KeyRecord = {
        id: randomBytes(4).toString('hex'),
        label,
        scope,
        ratePerMinute,
        createdAt: now().toISOString(),
        expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(),
        revokedAt: null,
      };
      const secret = makeSecret();
      await store.insert(record, hashOf(secret));
      return { secret, record };
    },

    async verify(secret) {
      const hash = hashOf(secret);
      // Known without a store. That it is answered faster than a stored one tells nothing to those who have it.
      if (hash === configuredHash) return configured;
      const record = await store.findByHash(hash);
      return record !== null && works(record) ? record : null;
    },

    async isActive(id) {
      if (id === CONFIGURED_KEY_ID) return configuredHash !== null;
      const record = await store.findById(id);
      return record !== null && works(record);
    },

    list: () => store.list(),

    async revoke(id) {
      if (!(await store.revoke(id, now().toISOString()))) {
        throw notFound(
          'unknown-key',
          `There is no key with the id "${id}". "swath keys list" shows them all.`,
        );
      }
    },
  };
}
