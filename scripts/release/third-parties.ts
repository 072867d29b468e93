/**
 * What a release holds of others: the dependencies of the package, and what is built into the viewer and the kernels.
 * Everything is read from the lock file and from the licences in node_modules, so the list is right for this checkout.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A package of others that a release holds. */
export interface ThirdParty {
  readonly name: string;
  readonly version: string;
  /** SPDX expression, as the package says. */
  readonly license: string;
  /** As the lock file has it: `sha512-…`. */
  readonly integrity: string;
  /** Installed beside Swath, or part of its files. */
  readonly place: 'installed' | 'built in';
  /** The texts of its licence and notices; empty if the package has none. */
  readonly texts: readonly string[];
}

interface LockEntry {
  readonly version?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}
interface Lock {
  readonly packages: Readonly<Record<string, LockEntry>>;
}

/** Lists what a release of a checkout holds, by name. */
export function listThirdParties(root: string): readonly ThirdParty[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;
  const installed = closeOver(packages, Object.keys(packages['']?.dependencies ?? {}));
  // The kernels hold parts of the standard library of their compiler.
  const builtIn = closeOver(packages, ['assemblyscript', ...findImports(root)], ['assemblyscript']);
  const places = [...new Set([...installed, ...builtIn])].sort();
  return places.map((path) => {
    const entry = packages[path] as LockEntry;
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const { version, integrity } = entry;
    if (version === undefined || integrity === undefined)
      throw new Error(`The lock file lacks version or integrity of ${path}.`);
    const license = entry.license ?? readLicenseName(join(root, path));
    const place = installed.has(path) ? 'installed' : 'built in';
    return { name, version, license, integrity, place, texts: readTexts(join(root, path)) };
  });
}

/** Packages and all that they depend on, as paths of the lock file; of `alone` only the package itself. */
function closeOver(
  packages: Lock['packages'],
  names: readonly string[],
  alone: readonly string[] = [],
): Set<string> {
  const found = new Set<string>();
  const visit = (name: string, from: string): void => {
    const path = resolvePackage(packages, name, from);
    // Optional packages for other platforms may be missing.
    if (path === null || found.has(path)) return;
    found.add(path);
    if (alone.includes(name)) return;
    for (const next of Object.keys(packages[path]?.dependencies ?? {})) visit(next, path);
  };
  for (const name of names) visit(name, '');
  return found;
}

/** As Node resolves it: beside the package that asks, or in a folder above. */
function resolvePackage(packages: Lock['packages'], name: string, from: string): string | null {
  let folder = from;
  while (folder !== '') {
    const path = `${folder}/node_modules/${name}`;
    if (packages[path] !== undefined) return path;
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')));
  }
  const path = `node_modules/${name}`;
  return packages[path] === undefined ? null : path;
}

/** The packages that sources of the viewer import, or whose files its build reads. */
function findImports(root: string): readonly string[] {
  const sources = globSync('web/**/*.{ts,tsx,css}', { cwd: root, exclude: ['web/dist/**', '**/*.test.ts'] });
  const texts = [...sources, 'scripts/build-web.ts'].map((path) => readFileSync(join(root, path), 'utf8'));
  const specifier =
    /(?:\bfrom|\bimport|@import|import\.meta\.resolve\(|import\()\s*['"]((?:@[\w.-]+\/)?[\w][\w.-]*)(?:\/[^'"]*)?['"]/g;
  const names = texts.flatMap((text) => [...text.matchAll(specifier)].map(([, name = '']) => name));
  // The build itself uses esbuild, and Preact is what JSX becomes.
  return [...new Set(['preact', ...names])].filter((name) => name !== 'esbuild' && !name.startsWith('node:'));
}

function readLicenseName(folder: string): string {
  const { license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { license?: unknown };
  if (typeof license === 'string') return license;
  throw new Error(`${folder} does not say its licence.`);
}

const readTexts = (folder: string): readonly string[] =>
  globSync('{LICENSE,LICENCE,COPYING,NOTICE,License,license}*', { cwd: folder })
    .filter((name) => !/\.[cm]?[jt]s$/.test(name))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').trim());

/** The licences as one file for people. */
export function toLicencesFile(parties: readonly ThirdParty[], version: string): string {
  const rule = '-'.repeat(80);
  const head = `What Swath ${version} holds of others, or installs beside it: ${parties.length} packages.\n`;
  const list = parties.map(({ name, version: of, license, place }) => `${name} ${of}: ${license}, ${place}`);
  const texts = parties.map(
    ({ name, version: of, license, texts }) =>
      `${rule}\n${name} ${of} (${license})\n\n${texts.length === 0 ? 'The package has no text of its licence.' : texts.join('\n\n')}\n`,
  );
  return `${head}\n${list.join('\n')}\n\n${texts.join('\n')}`;
}

/** The same as a software bill of materials: CycloneDX 1.5. */
export function toBillOfMaterials(
  parties: readonly ThirdParty[],
  { version, atMs }: { readonly version: string; readonly atMs: number },
): object {
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      timestamp: new Date(atMs).toISOString(),
      component: { type: 'application', name: 'swath', version, 'bom-ref': toPurl('swath', version) },
    },
    components: parties.map(({ name, version: of, license, integrity, place }) => ({
      type: 'library',
      name,
      version: of,
      'bom-ref': toPurl(name, of),
      purl: toPurl(name, of),
      licenses: [toLicenceChoice(license)],
      hashes: [
        { alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') },
      ],
      properties: [{ name: 'swath:place', value: place }],
    })),
  };
}

/** An id, an expression such as `(MIT OR Apache-2.0)`, or the name of a licence that SPDX does not know. */
function toLicenceChoice(license: string): object {
  if (/^[\w.+-]+$/.test(license)) return { license: { id: license } };
  return license.startsWith('SEE ') ? { license: { name: license } } : { expression: license };
}

const toPurl = (name: string, version: string): string => `pkg:npm/${name.replace('@', '%40')}@${version}`;
