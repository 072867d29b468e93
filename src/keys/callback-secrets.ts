import { createHmac, randomBytes } from 'node:crypto';
import type { RotationStore } from './rotation-store.ts';
import type { SecretStore } from './secret-store.ts';

/** The secrets with which messages to the owners of keys are signed: one for each key. */
export interface CallbackSecrets {
  /** The secret of a key, which need not be stored. */
  find(keyId: string): Promise<string>;
  /** Ends the secret of a key and gives its new one. */
  rotate(keyId: string): Promise<string>;
}

interface CallbackSecretsDeps {
  readonly secrets: SecretStore;
  readonly rotations: RotationStore;
}

/**
 * Builds them. A secret is derived from one of the service, the id of the key and the number of rotations: so it needs no
 * row of its own, is the same on all nodes, and says nothing about the key, whose hash is all that is stored.
 */
export function makeCallbackSecrets({ secrets, rotations }: CallbackSecretsDeps): CallbackSecrets {
  async function derive(keyId: string, rotation: number): Promise<string> {
    const master = await secrets.obtain('callbacks', randomBytes(32).toString('hex'));
    const digest = createHmac('sha256', master)
      .update(JSON.stringify(['callback', keyId, rotation]))
      .digest('hex');
    return `cbs.${digest}`;
  }
  return {
    find: async (keyId) => derive(keyId, await rotations.count(keyId)),
    rotate: async (keyId) => derive(keyId, await rotations.add(keyId)),
  };
}
