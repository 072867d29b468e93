import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { walkFolder } from './walk-folder.ts';

async function withTree(paths: readonly string[], use: (root: string) => Promise<void>): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'swath-walk-'));
  try {
    for (const path of paths) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), 'x');
    }
    await use(root);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

test('a walk finds files in order and follows no links', () =>
  withTree(['b/2', 'b/1', 'a', 'outside/secret'], async (root) => {
    await symlink(join(root, 'outside'), join(root, 'b', 'link'));
    await symlink(join(root, 'a'), join(root, 'b', 'file-link'));
    await symlink(root, join(root, 'b', 'circle'));
    const { files, skipped } = await walkFolder(join(root, 'b'));
    assert.deepEqual(
      files.map(({ parts }) => parts.join('/')),
      ['1', '2'],
    );
    assert.deepEqual(skipped.map(({ name, code }) => `${name} ${code}`).sort(), [
      'circle link-not-followed',
      'file-link link-not-followed',
      'link link-not-followed',
    ]);
  }));

test('folders that are too deep are skipped with a short name, and the rest is found', () => {
  const deep = Array.from({ length: 120 }, (_, i) => `level-${i}`).join('/');
  return withTree([`${deep}/B04.tif`, 'level-0/near.tif', 'top.tif'], async (root) => {
    const { files, skipped } = await walkFolder(root);
    assert.deepEqual(
      files.map(({ parts }) => parts.join('/')),
      ['level-0/near.tif', 'top.tif'],
    );
    assert.equal(skipped.length, 1);
    const { name = '', code, reason } = skipped[0] ?? {};
    assert.equal(code, 'folder-too-deep');
    assert.match(name, /^level-0\/level-1\/.*….*\/level-24$/);
    assert.ok(name.length <= 121, name);
    assert.match(reason ?? '', /24 folders deep/);
  });
});

test(
  'an unreadable folder is skipped, and the rest is found',
  {
    skip: process.getuid?.() === 0 && 'root may read everything',
  },
  () =>
    withTree(['closed/a.tif', 'open/b.tif'], async (root) => {
      await chmod(join(root, 'closed'), 0);
      try {
        const { files, skipped } = await walkFolder(root);
        assert.deepEqual(
          files.map(({ parts }) => parts.join('/')),
          ['open/b.tif'],
        );
        assert.deepEqual(
          skipped.map(({ name, code }) => [name, code]),
          [['closed', 'folder-unreadable']],
        );
      } finally {
        await chmod(join(root, 'closed'), 0o700);
      }
    }),
);

test('a walk fails at its limits, and refuses a file and a missing folder', () =>
  withTree(['a/b/c/d', 'a/e'], async (root) => {
    const limits = { maxDepth: 24, maxFiles: 500_000 };
    await assert.rejects(walkFolder(root, { limits: { ...limits, maxFiles: 1 } }), {
      code: 'folder-too-full',
    });
    await assert.rejects(walkFolder(join(root, 'a', 'e')), { code: 'no-folder' });
    await assert.rejects(walkFolder(join(root, 'none')), { code: 'no-folder' });
    await assert.rejects(walkFolder(root, { signal: AbortSignal.abort() }), { code: 'cancelled' });
  }));
