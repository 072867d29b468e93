import { createHash } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { makeJp2Encoder } from '../../src/formats/jp2/index.ts';
import { makeClimate } from '../../world/climate/climate.ts';
import type { DemoPart } from '../../world/demo/demo-part.ts';
import { writePart } from '../../world/demo/demo-part.ts';
import type { GroundBase } from '../../world/ground/index.ts';
import { makeGround, makeGroundBase } from '../../world/ground/index.ts';
import type { World } from '../../world/ground/world.ts';
import { WORLD_SEED } from '../../world/ground/world.ts';
import type { Made } from '../support/made-once.ts';
import { makeOnce } from '../support/made-once.ts';

// It imports the generators whose sources it names.
// Reads: nothing more

const BASE: Made = {
  name: 'ground-base',
  madeBy: 'world/ground/index.ts',
  make: (folder) => writeFileSync(join(folder, 'base'), serialize(makeGroundBase(WORLD_SEED))),
};

let opened: Promise<World> | null = null;
/** The demo world. Its landscape takes two seconds to work out, so all test files share it. */
export function openWorld(): Promise<World> {
  opened ??= (async () => {
    const [folder = ''] = await makeOnce([BASE]);
    const base = deserialize(readFileSync(join(folder, 'base'))) as GroundBase;
    const climate = makeClimate(WORLD_SEED);
    return { climate, ground: makeGround({ seed: WORLD_SEED, climate, base }) };
  })();
  return opened;
}

/** Parts of the demo world, each written into a folder that `toFolder` names; made once for all test files. */
export async function copyParts(
  parts: readonly DemoPart[],
  toFolder: (part: DemoPart) => string,
): Promise<void> {
  const jp2Encoder = makeJp2Encoder();
  const made = await makeOnce(
    parts.map((part) => ({
      // What is to be made is part of the name: a changed plan is another product.
      name: `${part.key}-${createHash('sha256').update(JSON.stringify(part)).digest('hex').slice(0, 16)}`,
      madeBy: 'world/demo/demo-part.ts',
      make: async (directory) => writePart(part, { world: await openWorld(), directory, jp2Encoder }),
    })),
  );
  for (const [i, part] of parts.entries()) {
    cpSync(made[i] as string, toFolder(part), { recursive: true });
  }
}
