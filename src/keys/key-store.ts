/** What a key may do: everything, or only read. */
export type KeyScope = 'full' | 'read';

/** A stored key; the secret itself is stored nowhere, only its hash. */
export interface KeyRecord {
  /** Short public id for lists, logs and fairness; grants nothing. */
  readonly id: string;
  readonly label: string;
  readonly scope: KeyScope;
  /** Requests allowed per minute; null means no limit of its own. */
  readonly ratePerMinute: number | null;
  /** ISO 8601 in UTC, as all times here. */
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
}

/** Where keys are stored. A resolved `insert` has reached the disk. */
export interface KeyStore {
  insert(record: KeyRecord, secretHash: string): Promise<void>;
  findByHash(secretHash: string): Promise<KeyRecord | null>;
  findById(id: string): Promise<KeyRecord | null>;
  list(): Promise<readonly KeyRecord[]>;
  /** False when no such key exists; a second revocation does not change the time of the first. */
  revoke(id: string, revokedAt: string): Promise<boolean>;
}
