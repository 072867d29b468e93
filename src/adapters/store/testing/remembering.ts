import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { unavailable } from '../../../errors.ts';
import type { KeyRecord } from '../../../keys/index.ts';
import { openSqliteStore } from '../../sqlite/index.ts';
import { rememberLookups } from '../remember-lookups.ts';

/** The calls of a watched port, and how it fails. */
interface PortWatch {
  /** Names of the called methods. */
  calls: string[];
  isAway: boolean;
  bug: Error | null;
  /** Awaited before each call. */
  gate: Promise<void>;
}

/** A watch for ports that work. */
const makePortWatch = (): PortWatch => ({
  calls: [],
  isAway: false,
  bug: null,
  gate: Promise.resolve(),
});

/** The same port, which records each call and fails if the watch says so. */
function watchPort<Port extends object>(port: Port, watch: PortWatch): Port {
  return new Proxy(port, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver);
      if (typeof method !== 'function') return method;
      return async (...args: readonly unknown[]): Promise<unknown> => {
        watch.calls.push(String(name));
        await watch.gate;
        if (watch.bug !== null) throw watch.bug;
        if (watch.isAway) throw unavailable('store-unavailable', 'away');
        return Reflect.apply(method, target, args);
      };
    },
  });
}

/** A key that expires in June. */
export const record: KeyRecord = {
  id: 'a1',
  label: '',
  role: 'order',
  ratePerMinute: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  expiresAt: '2026-06-01T00:00:00.000Z',
  revokedAt: null,
  parent: null,
};

/** A caching store over a watched one; `elsewhere` is the same database on another node. */
export function makeRemembering(t: TestContext, { freshMs }: { readonly freshMs: number }) {
  const directory = mkdtempSync(join(tmpdir(), 'swath-remember-'));
  const elsewhere = openSqliteStore(directory);
  t.after(async () => {
    await elsewhere.close();
    rmSync(directory, { recursive: true });
  });
  const watch = makePortWatch();
  const clock = { nowMs: 0 };
  const watched = {
    ...elsewhere,
    keys: watchPort(elsewhere.keys, watch),
    scenes: watchPort(elsewhere.scenes, watch),
    knownScenes: watchPort(elsewhere.knownScenes, watch),
    contrasts: watchPort(elsewhere.contrasts, watch),
    intensities: watchPort(elsewhere.intensities, watch),
    recipes: watchPort(elsewhere.recipes, watch),
    dems: watchPort(elsewhere.dems, watch),
  };
  const store = rememberLookups(watched, { nowMs: () => clock.nowMs, freshMs, outageMs: 60_000 });
  const countCalls = async (work: () => Promise<unknown>): Promise<number> => {
    const before = watch.calls.length;
    await work();
    return watch.calls.length - before;
  };
  return { store, elsewhere, watch, clock, countCalls };
}
