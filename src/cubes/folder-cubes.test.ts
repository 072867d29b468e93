import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { after } from 'node:test';
import { cubesContract } from './testing/cubes-contract.ts';
import { openTestCubes } from './testing/open-test-cubes.ts';

const scratch = mkdtempSync(join(tmpdir(), 'swath-cubes-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

cubesContract('cubes in a directory', () => {
  const directory = mkdtempSync(join(scratch, 'data-'));
  const root = join(directory, 'soil');
  const where = { directory };
  return {
    where,
    open: (options) => openTestCubes(where, options),
    listFiles: () =>
      readdirSync(root, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(root, join(entry.parentPath, entry.name)))
        .sort(),
    readFile: (path) => readFileSync(join(root, path)),
    writeFile(path, bytes) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), bytes);
    },
  };
});
