import type { Material } from './mutate.ts';

/** A parser under test. */
export interface FuzzTarget {
  readonly name: string;
  readonly maxBytes: number;
  /** Words of its language; none for a binary format. */
  readonly tokens: readonly string[];
  readSeeds(): Promise<readonly Uint8Array[]> | readonly Uint8Array[];
  /** Feeds it one input; may throw a tagged error, and nothing else. */
  run(input: Uint8Array): Promise<unknown> | unknown;
}

/** All that inputs for a target are made from. */
export async function readMaterial({ readSeeds, tokens, maxBytes }: FuzzTarget): Promise<Material> {
  const toBytes = (token: string) => Buffer.from(token);
  return { seeds: await readSeeds(), tokens: tokens.map(toBytes), maxBytes };
}
