/**
 * Builds the package that people install: `npm run package -- [FOLDER]`, by default `build/package`.
 * Node refuses TypeScript below node_modules, so the package holds the same files as JavaScript, in the same folders,
 * with the viewer and the kernels built. `npm pack` in the folder makes the tarball.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { transform } from 'esbuild';

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

export interface BuiltPackage {
  readonly folder: string;
  readonly scripts: number;
}

/** Builds the package in an empty folder. The viewer and the kernels must have been built. */
export async function buildPackage(folder: string): Promise<BuiltPackage> {
  rmSync(folder, { recursive: true, force: true });
  const sources = listSources();
  const known = new Set(sources);
  for (const source of sources) await writeScript(folder, source, known);
  for (const name of globSync('bin/*.js', { cwd: root })) {
    writeText(join(folder, name), toScriptNames(readFileSync(join(root, name), 'utf8')), 0o755);
  }
  for (const name of COPIED) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  writeTypes(folder);
  writeText(join(folder, 'package.json'), `${JSON.stringify(toManifest(), null, 2)}\n`);
  return { folder, scripts: sources.length };
}

/** The sources of the service, of the demo world and of the client, without tests and what only tests use. */
function listSources(): readonly string[] {
  return globSync('{src,world,clients/typescript/src}/**/*.ts', { cwd: root, exclude: ['**/testing/**'] })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.endsWith('.test.ts') && !path.endsWith('.d.ts'))
    .sort();
}

async function writeScript(folder: string, source: string, known: ReadonlySet<string>): Promise<void> {
  const text = readFileSync(join(root, source), 'utf8');
  const { code } = await transform(text, {
    loader: 'ts',
    format: 'esm',
    target: 'node24',
    sourcefile: source,
    legalComments: 'none',
    // An import of values stays although only its effect or its types are used, as Node itself reads the sources.
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  });
  for (const [, name = ''] of code.matchAll(SOURCE_NAME)) {
    const path = join(dirname(source), name).replaceAll('\\', '/');
    if (!known.has(path)) throw new Error(`${source} needs ${path}, which is not in the package`);
  }
  writeText(join(folder, source.replace(/\.ts$/, '.js')), toScriptNames(code));
}

/** A file of ours by its relative name: in an import, and where a thread or a file is started by its address. */
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

function writeText(file: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode });
}

if (import.meta.main) {
  const { folder, scripts } = await buildPackage(resolve(process.argv[2] ?? join(root, 'build/package')));
  console.log(`${folder}: ${scripts} scripts. Make the tarball with: npm pack ${folder}`);
}
