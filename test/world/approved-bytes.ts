import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listHashes } from '../../world/testing/list-hashes.ts';

const file = new URL('approved-bytes.json', import.meta.url);
const COMMAND = 'npm run node -- test/world/same-bytes.slow.test.ts --approve';

async function hashAll(directory: string, keys: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const key of keys) {
    for (const line of await listHashes(join(directory, key))) {
      const [name = '', hash = ''] = line.split(' ');
      found.set(`${key}/${name}`, hash);
    }
  }
  return found;
}

/** Records the files of some folders, as those that every machine should make. */
export async function approveBytes(directory: string, keys: readonly string[]): Promise<void> {
  const found = Object.fromEntries(await hashAll(directory, keys));
  writeFileSync(file, `${JSON.stringify(found, null, 2)}\n`);
}

/** Fails unless the folders hold just the files that were approved. */
export async function assertApproved(directory: string, keys: readonly string[]): Promise<void> {
  const all: Record<string, string> = JSON.parse(readFileSync(file, 'utf8'));
  const isAsked = (name: string) => keys.includes(name.slice(0, name.indexOf('/')));
  const approved = new Map(Object.entries(all).filter(([name]) => isAsked(name)));
  const found = await hashAll(directory, keys);
  const changed = [...new Set([...approved.keys(), ...found.keys()])].filter(
    (name) => approved.get(name) !== found.get(name),
  );
  assert.ok(found.size > keys.length);
  assert.deepEqual(
    changed,
    [],
    `${changed.length} files of the demo world have other bytes than those approved: ` +
      `${changed.slice(0, 5).join(', ')} … If the world was changed on purpose, run: ${COMMAND}`,
  );
}
