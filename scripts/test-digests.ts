/**
 * What a test file depends on, as a digest: while the digest stays the same, the file would pass again.
 *
 * A test file depends on the code that it imports, directly or not, and on the files and folders that this code names with
 * `import.meta`: scripts of threads, golden files, kernels. Code that may reach other files, because it starts a process
 * or names a path of the working directory, depends on the whole checkout. When in doubt, a digest covers too much.
 *
 * A helper for which this is too much says what it reads: `// Reads: web/ package.json`, or `// Reads: nothing more` than
 * what it and its callers name.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseImports } from '../test/support/read-imports.ts';

/** Folders that are not sources: packages are known by their lock files, the server by its sources, the others are output. */
const LEFT_OUT = new Set(['.git', 'node_modules', 'bin/dist', 'data', 'reports']);

/** Every test depends on the packages, as locked and as installed, and on the runner. */
const FOR_ALL = [
  'package-lock.json',
  'node_modules/.package-lock.json',
  'scripts/test.ts',
  'scripts/prepare-process.ts',
];

/** Variables that change how a test runs. */
const VARIABLES = ['NODE_OPTIONS', 'TEST_DATABASE_URL', 'CHROMIUM_PATH', 'TZ', 'LANG', 'LC_ALL'];

/** Code that reaches files that it does not name. */
const OPEN_CODE = [
  /node:(child_process|cluster|vm)\b/,
  /\bprocess\.(cwd|chdir|argv0|argv\[1\])/,
  /\bcreateRequire\b/,
  // A module whose name is computed.
  /\bimport\(\s*[^\s'")]/,
  // What is left of these when the literal names are taken out.
  /\bimport\.meta\b(?!\.main\b)/,
  // The workspace, by the name of its package.
  /['"]swath-world\b/,
];

/** Tests and their helpers may also read the checkout from the working directory; the product never does. */
const OPEN_TEST = [
  // A path of the checkout, or the beginning of one.
  /['"`](\.\/)?(\.ci|bench|bin|docs|examples|kernels|scripts|src|test|web|world)\//,
  /['"`](package(-lock)?\.json|tsconfig\.json|biome\.json|knip\.json|[A-Z]+\.md)['"`]/,
  /\bglob(Sync)?\(/,
  // Any other relative path. Functions of Node's modules are imported by name.
  /(?<![.\w])(readFile|readdir|opendir|open|stat|lstat|access|exists|cp|copyFile|realpath|createReadStream|join|resolve)(Sync)?\(\s*['"`](?!\/)/,
  /\* as \w+ from 'node:(fs|path)|import \w+ from 'node:(fs|path)|\bimport\('node:(fs|path)/,
];

/** Code for Node: bundles for the browser are data. */
const IS_CODE = /^(?!.*\bdist\/).*\.(ts|js|mjs)$/;
const IS_TEST = /^(test|scripts)\/|\/testing\/|\.test\.ts$/;
const COMMENT_LINES = /^[ \t]*(\/\/.*|\/\*\*.*\*\/|\/\*\*[^*]*|\*( .*|\/)?)$/gm;
const READS = /^\/\/ Reads: (.+)$/m;
const NAMED_BY_URL = /\bnew URL\(\s*(?:'([^'\n]*)'|`([^`]*)`),\s*import\.meta\.url,?\s*\)/g;
const NAMED_IN_FOLDER = /\b(?:join|resolve)\(\s*import\.meta\.dirname,((?:\s*'[^'\n]*',?)+)\s*\)/g;
const NAMED_PACKAGE = /\bimport\.meta\.resolve\(\s*'(?!\.|\/|swath-world)[^'\n]*'\s*\)/g;

/** What one file of code names. */
export interface References {
  readonly imports: readonly string[];
  /** Files and folders that it names in another way: it may run them or read them. */
  readonly paths: readonly string[];
  /** Files and folders that it says it reads. */
  readonly reads: readonly string[];
  /** Whether it may reach any other file. */
  readonly isOpen: boolean;
}

const NOTHING: References = { imports: [], paths: [], reads: [], isOpen: false };

/** Finds what a file of code names; paths count from the root of the checkout. */
export function parseReferences(file: string, text: string): References {
  const folder = dirname(file);
  const imports = parseImports(file, text)
    .filter(({ kind }) => kind === 'value')
    .map(({ to }) => to);
  const paths: string[] = [];
  const rest = text
    .replace(COMMENT_LINES, '')
    .replace(NAMED_BY_URL, (_, literal?: string, template = '') => {
      // Only the folder of a computed name is known.
      paths.push(join(folder, literal ?? (/^[^$]*\//.exec(template)?.[0] || '.')));
      return '';
    })
    .replace(NAMED_IN_FOLDER, (_, parts: string) => {
      paths.push(join(folder, ...[...parts.matchAll(/'([^']*)'/g)].map(([, part = '']) => part)));
      return '';
    })
    .replace(NAMED_PACKAGE, '');
  const said = READS.exec(text)?.[1];
  if (said !== undefined) {
    const reads = said === 'nothing more' ? [] : said.split(' ');
    return { imports, paths: paths.filter((path) => !isRoot(path)), reads, isOpen: false };
  }
  const rules = IS_TEST.test(file) ? [...OPEN_CODE, ...OPEN_TEST] : OPEN_CODE;
  const isOpen = paths.some(isRoot) || rules.some((rule) => rule.test(rest));
  return { imports, paths, reads: [], isOpen };
}

const isRoot = (path: string): boolean => path === '.' || path === './';

/** One file as it is now. */
interface Content {
  readonly hash: string;
  /** Null for what is not code. */
  readonly text: string | null;
  /** Changes with every write, also with one that is undone later; not with another link to the file. */
  readonly version: string;
}

/** The files of a checkout by path. */
type Checkout = ReadonlyMap<string, Content>;

function readCheckout(root: string): Checkout {
  const checkout = new Map<string, Content>();
  const add = (path: string): void => {
    const bytes = readFileSync(join(root, path));
    const hash = createHash('sha1').update(bytes).digest('hex');
    const { mtimeMs, ino } = statSync(join(root, path));
    checkout.set(path, {
      hash,
      text: IS_CODE.test(path) ? bytes.toString() : null,
      version: `${hash} ${mtimeMs} ${ino}`,
    });
  };
  const walk = (folder: string): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isFile()) add(path);
      else if (entry.isDirectory() && !LEFT_OUT.has(path)) walk(path);
    }
  };
  walk('');
  for (const path of FOR_ALL) {
    if (!checkout.has(path) && statSync(join(root, path), { throwIfNoEntry: false })?.isFile()) add(path);
  }
  return checkout;
}

/** Digests of test files, for a checkout as it was when it was read. */
export interface Digests {
  /** What the file depends on, by name. */
  list(file: string): readonly string[];
  /** The digest of all this; null if something lies outside of the checkout. */
  of(file: string): string | null;
  /** As the digest, but another one after every write, also after one that is undone later. */
  stampOf(file: string): string | null;
}

/** Reads a checkout, and finds out what its tests depend on. */
export function readDigests(root: string, env: NodeJS.ProcessEnv = process.env): Digests {
  const checkout = readCheckout(root);
  const everything = [...checkout.keys()].sort();
  const referencesOf = remember((file: string): References => {
    const text = checkout.get(file)?.text ?? null;
    return text === null ? NOTHING : parseReferences(file, text);
  });
  /** A file, or all files of a folder. A missing file counts by its name: when it appears, the digest changes. */
  const toFiles = remember((path: string): readonly string[] => {
    if (checkout.has(path)) return [path];
    const folder = path.endsWith('/') ? path : `${path}/`;
    const below = everything.filter((file) => file.startsWith(folder));
    return below.length > 0 ? below : [path];
  });
  const follow = (entry: string): readonly string[] => {
    const found = new Set([entry]);
    const read = new Set<string>();
    for (const file of found) {
      const { imports, paths, reads, isOpen } = referencesOf(file);
      if (isOpen) return everything;
      for (const one of imports) found.add(one);
      for (const path of paths) for (const one of toFiles(path)) found.add(one);
      for (const path of reads) for (const one of toFiles(path)) read.add(one);
    }
    return [...new Set([...found, ...read])].sort();
  };
  // Its shared servers are not followed here: the tests that use one name it themselves.
  const forAll = new Set([...FOR_ALL, ...everything.filter((file) => basename(file) === 'package.json')]);
  for (const file of forAll) for (const one of referencesOf(file).imports) forAll.add(one);
  // One list for all files that may reach any other, so that its digest is made once.
  const whole = [...new Set([...forAll, ...everything])];
  const list = remember((file: string): readonly string[] => {
    const found = follow(file);
    return found === everything ? whole : [...new Set([...forAll, ...found])];
  });

  const surroundings = [
    process.version,
    process.platform,
    process.arch,
    ...VARIABLES.map((name) => env[name]),
  ];
  const digestBy = (toValue: (content: Content) => string) =>
    remember((files: readonly string[]): string | null => {
      if (files.some((one) => one.startsWith('..'))) return null;
      const hash = createHash('sha1').update(JSON.stringify(surroundings));
      for (const one of files) {
        const content = checkout.get(one);
        hash.update(`\0${one}\0${content === undefined ? 'missing' : toValue(content)}`);
      }
      return hash.digest('hex');
    });
  const [toDigest, toStamp] = [digestBy(({ hash }) => hash), digestBy(({ version }) => version)];
  return {
    list,
    of: (file) => toDigest(list(file)),
    stampOf: (file) => toStamp(list(file)),
  };
}

function remember<Key, Value>(find: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    const value = known.has(key) ? (known.get(key) as Value) : find(key);
    known.set(key, value);
    return value;
  };
}
