import { badInput } from '../../src/errors.ts';
import type { FuzzTarget } from './target.ts';

/** Retained on purpose, so that it counts as a leak. */
const retained: Uint8Array[] = [];

const hang = () => {
  for (;;);
};
const compute = (ms: number) => {
  for (const start = process.threadCpuUsage(); process.threadCpuUsage(start).user < ms * 1_000; );
};

/** What each does with an input that has an "!" in it. */
const faults: Readonly<Record<string, (input: Uint8Array) => unknown>> = {
  tagged: () => {
    throw badInput('shouted', 'There is no need to shout.');
  },
  untagged: () => Reflect.get(Object(null), 'x').y,
  slow: () => compute(120),
  large: () => retained.push(new Uint8Array(40 * 2 ** 20)),
  hang,
  // a promise without a handler: no caller sees it fail
  unhandled: () => void Promise.reject(new Error('no one is listening')),
};

/** Targets that are wrong in one way each: what the fuzzing itself is tested with. */
export function targetByName(name: string): FuzzTarget {
  return {
    name,
    maxBytes: 64,
    tokens: ['!'],
    readSeeds: () => [Buffer.from('hello')],
    run: (input) => (input.includes(0x21) ? faults[name]!(input) : null),
  };
}
