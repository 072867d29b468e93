/**
 * Builds the server: `src/` → `bin/dist/*.js`, some scripts in place of seven hundred modules. Node then neither looks for
 * them nor removes their types, at every start and again in every thread: a start takes two thirds of the time and 45 MB
 * less. `bin/swath.js` runs them as long as no source is newer. Run by npm's `prepare`; takes a second.
 */
import { globSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';
import { build } from 'esbuild';
import { hashSources, SERVER, toBuiltFrom } from './built-from.ts';

const root = join(import.meta.dirname, '..');

/** How all scripts for Node are made: packages stay files of their own, as npm installs them. */
export const FOR_NODE = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  packages: 'external',
  legalComments: 'none',
  // Lines and names stay, for people who read the trace of a crash.
  minifySyntax: true,
  // V8 takes one byte for a letter of a script without other letters, and two in all others.
  charset: 'ascii',
  logLevel: 'warning',
} as const satisfies BuildOptions;

/** A file by its address beside the source that names it, such as the script of a thread. */
const BESIDE = /new URL\(\s*'(\.{1,2}\/[^']*)',\s*import\.meta\.url,?\s*\)/g;

/** Names the sources for bin/is-built.js, which compares their times with that of the build. A package has none. */
const INPUTS = 'inputs.txt';

/** The scripts of the program and of all threads, by their sources. */
function listEntries(): readonly string[] {
  const sources = globSync('src/**/*.ts', { cwd: root, exclude: ['**/testing/**'] });
  const threads = sources
    .filter((source) => !source.endsWith('.test.ts'))
    .flatMap((source) => {
      const named = readFileSync(join(root, source), 'utf8').matchAll(BESIDE);
      return [...named].map(([, name = '']) => join(dirname(source), name));
    })
    .filter((path) => path.endsWith('.ts'));
  const entries = [...new Set([join('src/main.ts'), ...threads])].sort();
  const names = new Set(entries.map((entry) => basename(entry)));
  if (names.size < entries.length) throw new Error(`Two threads have a script of the same name: ${entries}`);
  return entries;
}

/** All scripts lie in one folder, so what a source names by its own place is named by that of the folder. */
const moveAddresses = (folder: string): Plugin => ({
  name: 'move-addresses',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      if (!source.includes('import.meta')) return undefined;
      const contents = source.replace(BESIDE, (_, name: string) => {
        const beside = relative(folder, join(dirname(path), name)).replaceAll('\\', '/');
        const moved = name.endsWith('.ts')
          ? `./${basename(name, '.ts')}.js`
          : `${beside}${name.endsWith('/') ? '/' : ''}`;
        return `new URL('${moved}', import.meta.url)`;
      });
      if (/import\.meta\.(dirname|filename)|new URL\([^')]*,\s*import\.meta/.test(contents))
        throw new Error(`${path} names a file in a way that the build of the server does not know.`);
      return { contents, loader: 'ts' };
    });
  },
});

/** Bundles the server into a folder `bin/dist` below `home`, as for a package; answers the sources that are in it. */
export async function bundleServer(home: string): Promise<readonly string[]> {
  const folder = join(home, SERVER.folder);
  rmSync(folder, { recursive: true, force: true });
  const { metafile } = await build({
    ...FOR_NODE,
    absWorkingDir: root,
    entryPoints: listEntries().map((path) => ({ in: path, out: basename(path, '.ts') })),
    splitting: true,
    outdir: folder,
    chunkNames: 'part-[hash]',
    // So that a trace names the lines of sources; what stands there is not repeated.
    sourcemap: 'linked',
    sourcesContent: false,
    plugins: [moveAddresses(join(root, SERVER.folder))],
    metafile: true,
  });
  writeFileSync(join(folder, INPUTS), '');
  return Object.keys(metafile.inputs).sort();
}

/** Builds the server of this checkout. */
export async function buildServer(): Promise<void> {
  const start = new Date();
  const builtFrom = hashSources(root, SERVER);
  const inputs = await bundleServer(root);
  writeFileSync(join(root, SERVER.folder, INPUTS), inputs.join('\n'));
  writeFileSync(toBuiltFrom(root, SERVER), builtFrom);
  utimesSync(toBuiltFrom(root, SERVER), start, start);
  console.log(`${SERVER.folder}: ${inputs.length} sources in ${Date.now() - start.getTime()} ms`);
}

if (import.meta.main) await buildServer();
