/** The service runs on Linux, macOS and Windows: what only one of them has is asked for by name, and guarded. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const sources = globSync('{bin,src,world}/**/*.{js,ts}', {
  exclude: (path) => /node_modules|\.test\.ts$|(^|[\\/])(dist|testing)([\\/]|$)/.test(path),
}).map((path) => ({ path, text: readFileSync(path, 'utf8') }));

/** What a source must not say, why, and the files that may, with their reason. */
const RULES: readonly {
  readonly pattern: RegExp;
  readonly why: string;
  readonly allowed?: Readonly<Record<string, string>>;
}[] = [
  { pattern: /['"`]\/(?:proc|dev|tmp|etc|var|usr)\//, why: 'folders of Linux; use node:os and settings' },
  {
    pattern: /import\.meta\.url\)\.pathname|fileURL\.pathname/,
    why: 'is /C:/… on Windows; use fileURLToPath or import.meta.dirname',
  },
  {
    pattern: /process\.(?:getuid|geteuid|getgid|setuid|initgroups)\(/,
    why: 'is not there on Windows; write process.getuid?.()',
  },
  { pattern: /\bchild_process\b/, why: 'programs of the machine differ; the service starts none' },
  {
    pattern: /\bsetPriority\(/,
    why: 'means another thing elsewhere',
    allowed: { 'src/pool/serve-jobs.ts': 'on Linux only', 'bin/io-threads.js': 'started on Linux only' },
  },
  { pattern: /constants\.O_(?:NOFOLLOW|DIRECTORY|SYNC)\b/, why: 'is undefined on Windows' },
  { pattern: /\.listen\(\s*['"`]\//, why: 'sockets in the file system are pipes on Windows' },
];

test('sources name nothing that only one operating system has', () => {
  assert.ok(sources.length > 500);
  const faults = RULES.flatMap(({ pattern, why, allowed = {} }) =>
    sources
      .filter(({ path, text }) => pattern.test(text) && allowed[path.replaceAll('\\', '/')] === undefined)
      .map(({ path }) => `${path}: ${pattern} ${why}`),
  );
  assert.deepEqual(faults, []);
});

test('a folder is never synced on Windows, where it cannot be opened', () => {
  const { text = '' } = sources.find(({ path }) => path.endsWith('whole-file.ts')) ?? {};
  assert.match(
    text,
    /process\.platform === 'win32'\) return;\s*\n?\s*await using handle = await open\(folder/,
  );
});

test('no two files differ in case alone, and no name is one that Windows reserves', () => {
  const files = globSync('{bin,clients,deploy,docs,kernels,scripts,src,test,web,world}/**/*', {
    exclude: (path) => /(^|[\\/])(node_modules|dist)([\\/]|$)/.test(path),
  });
  assert.ok(files.length > 1_500);
  const byName = new Map<string, string>();
  const faults = files.filter((file) => {
    const twin = byName.get(file.toLowerCase());
    byName.set(file.toLowerCase(), file);
    const parts = file.split(/[\\/]/);
    const isReserved = parts.some((part) =>
      /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)|[<>:"|?*]|[ .]$/i.test(part),
    );
    return twin !== undefined || isReserved || file.length > 200;
  });
  assert.deepEqual(faults, []);
});
