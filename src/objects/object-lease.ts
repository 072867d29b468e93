import { randomBytes } from 'node:crypto';
import type { Repeat } from '../async/index.ts';
import { repeatByTimer } from '../async/index.ts';
import { noConditions } from './bucket/bucket-objects.ts';
import { conflict } from './errors.ts';
import type { ObjectStore } from './object-store.ts';

/** The right to be the only writer, as long as it is renewed. */
export interface ObjectLease {
  /** Renews it now; throws `lease-lost` if another has it, because this process was silent for too long. */
  confirm(): Promise<void>;
  /** Gives it up. Never throws: a lease that cannot be removed lapses. */
  release(): Promise<void>;
}

/** What a lease is taken with. */
interface LeaseOptions {
  readonly key: string;
  readonly repeat?: Repeat;
}

/** A lease that was not renewed for so long is free: a renewal may be tried for a minute, five times over. */
export const LEASE_MS = 120_000;
const RENEW_MS = 20_000;
const MAX_BYTES = 4096;
/** Another may take or give up the lease while this process looks at it. */
const MAX_TRIES = 3;
const CONTENT_TYPE = 'application/json';

/**
 * Takes the lease of an object; null if another process has it. Its age is told by the clock of the store. A store that
 * ignores conditions is refused: there each of two writers would believe to be alone.
 */
export async function takeLease(
  objects: ObjectStore,
  { key, repeat = repeatByTimer }: LeaseOptions,
): Promise<ObjectLease | null> {
  const id = randomBytes(16).toString('hex');
  // Each renewal has other bytes, so that its ETag is another one too.
  const toBody = (renewals: number): Uint8Array => Buffer.from(JSON.stringify({ id, renewals }));
  const put = (renewals: number, when: 'absent' | { readonly etag: string }): Promise<string | null> =>
    objects.put(key, toBody(renewals), { contentType: CONTENT_TYPE, when });

  let held = await take(objects, key, (when) => put(0, when));
  if (held === null) return null;
  await checkConditions(objects, key);

  let renewals = 0;
  let isLost = false;
  const renew = async (): Promise<void> => {
    if (!isLost) {
      const etag = await put(renewals + 1, { etag: held! });
      if (etag !== null) {
        held = etag;
        renewals += 1;
        return;
      }
    }
    isLost = true;
    throw conflict('lease-lost', 'Another process writes now, because this one was silent for too long.');
  };
  // One after the other, because each needs the ETag of the one before.
  let last: Promise<void> = Promise.resolve();
  const confirm = (): Promise<void> => {
    last = last.catch(() => {}).then(renew);
    return last;
  };
  const stop = repeat(() => void confirm().catch(() => {}), RENEW_MS);
  return {
    confirm,
    async release() {
      stop();
      // Renewed first, so that the lease of another is not removed.
      await confirm()
        .then(() => objects.remove(key))
        .catch(() => {});
    },
  };
}

async function take(
  objects: ObjectStore,
  key: string,
  put: (when: 'absent' | { readonly etag: string }) => Promise<string | null>,
): Promise<string | null> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const made = await put('absent');
    if (made !== null) return made;
    const found = await objects.read(key, { maxBytes: MAX_BYTES });
    if (found === null || found === 'same') continue;
    if (found.ageMs < LEASE_MS) return null;
    const taken = await put({ etag: found.etag });
    if (taken !== null) return taken;
  }
  return null;
}

/** Tries two writes that must be refused. */
async function checkConditions(objects: ObjectStore, key: string): Promise<void> {
  const bytes = Buffer.from('{}');
  for (const when of ['absent', { etag: '0'.repeat(32) }] as const) {
    if ((await objects.put(key, bytes, { contentType: CONTENT_TYPE, when })) === null) continue;
    await objects.remove(key);
    throw noConditions();
  }
}
