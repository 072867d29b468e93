import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { listImports } from './read-imports.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

test('the files that make a demo product are those that its writer imports, directly or not', () => {
  const files = listImports('world/demo/demo-part.ts', ROOT);
  for (const needed of ['world/demo/demo-part.ts', 'src/formats/cog/index.ts', 'src/sensors/sentinel1.ts']) {
    assert.ok(files.includes(needed), `${needed} is missing`);
  }
  assert.deepEqual(
    files.filter((file) => /^src\/(http|tasks|app)\//.test(file)),
    [],
    'an edit of the server would make every product again',
  );
});
