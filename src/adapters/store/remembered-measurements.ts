import { isUnavailable } from '../../errors.ts';
import { makeLru } from '../../lru.ts';

/** Where something measured is kept under a name of all that decides it: what was right once stays right. */
interface Measurements<Value> {
  find(key: string): Promise<Value | null>;
  put(key: string, value: Value): Promise<void>;
}

/**
 * Remembers what was found or measured lately. Where the store does not answer, or could not keep a measurement, it is
 * measured once here instead of for every picture.
 */
export function rememberMeasurements<Value>(store: Measurements<Value>, most: number): Measurements<Value> {
  const recent = makeLru<Value>({ max: most });
  return {
    async find(key) {
      try {
        const found = await store.find(key);
        if (found !== null) recent.set(key, found);
        return found ?? recent.get(key) ?? null;
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        return recent.get(key) ?? null;
      }
    },
    async put(key, value) {
      recent.set(key, value);
      await store.put(key, value);
    },
  };
}
