/**
 * Builds the package that people install: `npm run package -- [FOLDER]`, by default `build/package`.
 * It holds the server as `npm run prepare` builds it, the viewer, the kernels, and what programs may import.
 * `npm pack` in the folder makes the tarball.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { bundleServer, FOR_NODE } from './build-server.ts';

const root = join(import.meta.dirname, '..');

/** What programs may import, by its name behind `swath/`; all else is internal and may change at any time. */
const PUBLIC = { bandmath: 'src/bandmath/index', client: 'clients/typescript/src/index' } as const;

/** Files as they are: what the service reads while it runs, and what a person looks for in a package. */
const COPIED = [
  'web/dist',
  'kernels/dist/swath.wasm',
  'docs',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  'NOTICE',
];

/** Builds the package in an empty folder and answers that. The viewer and the kernels must have been built. */
export async function buildPackage(folder: string): Promise<string> {
  rmSync(folder, { recursive: true, force: true });
  await bundleServer(folder);
  await build({
    ...FOR_NODE,
    absWorkingDir: root,
    entryPoints: Object.values(PUBLIC).map((name) => `${name}.ts`),
    outbase: root,
    outdir: folder,
  });
  for (const name of [...globSync('bin/*.js', { cwd: root }), ...COPIED]) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  writeTypes(folder);
  writeText(join(folder, 'package.json'), `${JSON.stringify(toManifest(), null, 2)}\n`);
  return folder;
}

/** A file of ours by its relative name, in an import. */
const SOURCE_NAME = /["'](\.{1,2}\/[^"'\n]+\.ts)["']/g;

const toScriptNames = (code: string): string =>
  code.replace(SOURCE_NAME, (quoted) => quoted.replace(/\.ts(["'])$/, '.js$1'));

/** The declarations of what is public, and of what they name. */
function writeTypes(folder: string): void {
  const types = join(folder, 'types');
  const sources = Object.values(PUBLIC).map((name) => join(root, `${name}.ts`));
  const options = ['--declaration', '--emitDeclarationOnly', '--rootDir', root, '--outDir', types];
  const like = [
    '--target',
    'es2024',
    '--module',
    'nodenext',
    '--allowImportingTsExtensions',
    '--skipLibCheck',
  ];
  const strict = [
    '--strict',
    '--exactOptionalPropertyTypes',
    '--noUncheckedIndexedAccess',
    '--types',
    'node',
  ];
  const args = ['--ignoreConfig', ...options, ...like, ...strict, ...sources];
  const { status, stdout, stderr } = spawnSync(join(root, 'node_modules/.bin/tsc'), args, {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The declarations cannot be written: ${stdout}${stderr}`);
  for (const name of globSync('**/*.d.ts', { cwd: types })) {
    const file = join(types, name);
    writeText(file, toScriptNames(readFileSync(file, 'utf8')));
  }
}

/** The manifest of the package: that of the checkout without what only a checkout needs. */
function toManifest(): object {
  const { name, version, description, license, type, bin, engines, dependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  const exports = Object.fromEntries(
    Object.entries(PUBLIC).map(([key, path]) => [
      `./${key}`,
      { types: `./types/${path}.d.ts`, default: `./${path}.js` },
    ]),
  );
  return {
    name,
    version,
    description,
    license,
    type,
    bin,
    exports: { ...exports, './package.json': './package.json' },
    engines,
    dependencies,
  };
}

function writeText(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

if (import.meta.main) {
  const folder = await buildPackage(resolve(process.argv[2] ?? join(root, 'build/package')));
  console.log(`${folder}: make the tarball with: npm pack ${folder}`);
}
