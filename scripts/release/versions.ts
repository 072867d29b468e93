/** Where the version of a release is written, and how it gets there. */

/** A file that names the version in so many lines. */
interface VersionedFile {
  readonly path: string;
  readonly lines: number;
}

/** Every file that names the version of the package, but the changelog. A test compares it with the checkout. */
export const VERSIONED: readonly VersionedFile[] = [
  { path: 'package.json', lines: 1 },
  { path: 'package-lock.json', lines: 2 },
  { path: 'clients/python/src/swath_client/version.py', lines: 1 },
  { path: 'clients/qgis/swath_plugin/metadata.txt', lines: 1 },
  { path: 'deploy/cluster/compose.yaml', lines: 1 },
  { path: 'deploy/compose.yaml', lines: 1 },
  { path: 'deploy/helm/swath/Chart.yaml', lines: 2 },
  { path: 'deploy/systemd/swath.service', lines: 1 },
  { path: 'docs/operate/start.md', lines: 1 },
  { path: 'docs/use/start.md', lines: 2 },
];

/** A line that names our version and not that of another package. */
const isOurs = (line: string, path: string, index: number, version: string): boolean => {
  if (!line.includes(version)) return false;
  // Our own entries are the first lines of the lock file; all others are packages of others.
  return path !== 'package-lock.json' || index < 12;
};

/** How many lines of a text name our version. */
export const countVersions = (text: string, path: string, version: string): number =>
  text.split('\n').filter((line, index) => isOurs(line, path, index, version)).length;

/** The text with the new version; throws when other lines name it than are known, because one would be forgotten. */
export function writeVersion(
  text: string,
  { path, lines, before, version }: VersionedFile & { readonly before: string; readonly version: string },
): string {
  const found = countVersions(text, path, before);
  if (found !== lines) throw new Error(`${path} names ${before} in ${found} lines; ${lines} are known.`);
  return text
    .split('\n')
    .map((line, index) => (isOurs(line, path, index, before) ? line.replaceAll(before, version) : line))
    .join('\n');
}

const UNRELEASED = '## Unreleased\n';

/** The changelog with its section "Unreleased" under the new version, and an empty one above it. */
export function closeChangelog(text: string, version: string, day: string): string {
  const start = text.indexOf(UNRELEASED);
  if (start < 0) throw new Error('CHANGELOG.md has no section "Unreleased".');
  const next = text.indexOf('\n## ', start + UNRELEASED.length);
  const section = text.slice(start + UNRELEASED.length, next < 0 ? undefined : next);
  if (!section.includes('\n- ')) throw new Error('The section "Unreleased" of CHANGELOG.md lists nothing.');
  return text.replace(UNRELEASED, `${UNRELEASED}\n## ${version} – ${day}\n`);
}

/** Whether a version comes after another; both are three numbers. */
export function isNewer(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) =>
    /^\d+\.\d+\.\d+$/.test(text) ? text.split('.').map(Number) : null,
  );
  if (a == null || b == null) return false;
  const at = a.findIndex((number, index) => number !== b[index]);
  return at >= 0 && (a[at] as number) > (b[at] as number);
}
