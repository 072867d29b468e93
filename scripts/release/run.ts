/**
 * Makes a release: `npm run release -- 0.3.0`.
 *
 * Writes the version into every file that names it, closes the section "Unreleased" of the changelog, commits and tags, and
 * makes in `build/release`: the npm package, the Helm chart, the licences of everything that they hold, a bill of materials
 * and checksums. `--dry-run` changes and commits nothing, and makes the files of the present version. Publishing is left to
 * the workflow of the tag.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildPackage } from '../build-package.ts';
import { listThirdParties, toBillOfMaterials, toLicencesFile } from './third-parties.ts';
import { closeChangelog, isNewer, VERSIONED, writeVersion } from './versions.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'build/release');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'dry-run': { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
});
if (values.help || (positionals.length !== 1 && !values['dry-run'])) {
  console.log(
    'npm run release -- VERSION\n\nMakes a release of this checkout in build/release, with a commit and a tag.\n  --dry-run   changes and commits nothing; makes the files of the present version',
  );
  process.exit(values.help ? 0 : 2);
}

function run(program: string, args: readonly string[], cwd = root): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status !== 0) fail(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`);
  return stdout;
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

const readVersion = (): string =>
  (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version;

/** Changes the files, commits and tags. */
function tag(version: string): void {
  const before = readVersion();
  if (!isNewer(version, before)) fail(`${version} is not a version after ${before}.`);
  if (run('git', ['status', '--porcelain']).trim() !== '') fail('Commit or stash your changes first.');
  if (run('git', ['tag', '--list', `v${version}`]).trim() !== '') fail(`There is a tag v${version} already.`);
  for (const { path, lines } of VERSIONED) {
    const file = join(root, path);
    writeFileSync(file, writeVersion(readFileSync(file, 'utf8'), { path, lines, before, version }));
  }
  const changelog = join(root, 'CHANGELOG.md');
  const today = new Date().toISOString().slice(0, 10);
  writeFileSync(changelog, closeChangelog(readFileSync(changelog, 'utf8'), version, today));
  run('git', ['commit', '--all', '--message', `chore: release ${version}`]);
  run('git', ['tag', '--annotate', `v${version}`, '--message', `Swath ${version}`]);
}

/** Makes the files that people download. */
async function makeFiles(version: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  run(process.execPath, ['scripts/refresh-builds.ts']);
  const parties = listThirdParties(root);
  const built = join(root, 'build/package');
  await buildPackage(built);
  const licences = toLicencesFile(parties, version);
  writeFileSync(join(built, 'THIRD-PARTIES.txt'), licences);
  run('npm', ['pack', built, '--pack-destination', folder]);
  writeFileSync(join(folder, `swath-${version}-third-parties.txt`), licences);
  const bill = toBillOfMaterials(parties, { version, atMs: Date.now() });
  writeFileSync(join(folder, `swath-${version}-sbom.cdx.json`), `${JSON.stringify(bill, null, 2)}\n`);
  // A chart is an archive of its folder.
  run(
    'tar',
    ['--create', '--gzip', '--file', join(folder, `swath-chart-${version}.tgz`), 'swath'],
    join(root, 'deploy/helm'),
  );
  const names = readdirSync(folder).sort();
  const sums = names.map((name) => {
    const sum = createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
    return `${sum}  ${name}`;
  });
  writeFileSync(join(folder, 'SHA256SUMS'), `${sums.join('\n')}\n`);
  console.log(
    `Swath ${version} with ${parties.length} packages of others, in ${folder}:\n${sums.join('\n')}`,
  );
}

const [version = readVersion()] = positionals;
if (!values['dry-run']) tag(version);
await makeFiles(readVersion());
if (!values['dry-run']) console.log(`\nTo publish it: git push --follow-tags`);
