import { unavailable } from '../../../errors.ts';

/** What a watched port was asked, and how it fails. */
export interface PortWatch {
  /** Names of the methods that were called. */
  calls: string[];
  isAway: boolean;
  bug: Error | null;
  /** Awaited before each call. */
  gate: Promise<void>;
}

/** A watch of ports that work. */
export const makePortWatch = (): PortWatch => ({
  calls: [],
  isAway: false,
  bug: null,
  gate: Promise.resolve(),
});

/** The same port, which notes each call and fails when it is told to. */
export function watchPort<Port extends object>(port: Port, watch: PortWatch): Port {
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
