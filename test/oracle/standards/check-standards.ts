/**
 * Asks every judge of standards that is installed, and prints one table: conformance class, judges, tests, passed. Classes that
 * only our own tests judge, classes that are not claimed, and judges that are not installed are listed below it. All must pass.
 *   npm run oracle standards
 *   npm run node test/oracle/standards/check-standards.ts stac-api schemas      asks only some
 */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { KNOWN_CLASSES, PLAIN_STANDARDS } from './known-classes.ts';
import type { Verdict } from './verdicts.ts';
import { readReport } from './verdicts.ts';

/** Its suites, such as ets-wms13, are not in Maven Central. */
const NEVER_ASKED = 'TEAM Engine of OGC: its suites are not published as packages';

const words = process.argv.slice(2);
const scripts = globSync('ask-*.ts', { cwd: fileURLToPath(new URL('.', import.meta.url)) })
  .filter((name) => words.length === 0 || words.some((word) => name.includes(word)))
  .sort();
const verdicts: Verdict[] = [];
const [claimed, missing] = [new Set<string>(PLAIN_STANDARDS), new Set<string>()];
const failed: string[] = [];
for (const script of scripts) {
  console.log(`asking ${basename(script, '.ts').slice('ask-'.length)} …`);
  const run = spawnSync(process.execPath, [fileURLToPath(new URL(script, import.meta.url))], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  const report = readReport(run.stdout);
  verdicts.push(...report.verdicts);
  for (const one of report.claims) claimed.add(one);
  for (const one of report.missing) missing.add(one);
  const rest = report.rest.filter((line) => line.trim() !== '');
  if (rest.length > 0) console.log(rest.join('\n'));
  if (run.status !== 0) {
    failed.push(script);
    console.log(run.stderr.slice(-4_000));
  }
}

/** Versions differ between the addresses of extensions: they are named by what follows the version. */
const isOf = (address: string, name: string): boolean => address === name || address.endsWith(`/${name}`);
const claims = [...claimed];
const judged = claims.map((claim) => ({
  claim,
  own: verdicts.filter(({ classes }) => classes.some((name) => isOf(claim, name))),
}));
const sum = (own: readonly Verdict[], part: 'tests' | 'passed'): number =>
  own.reduce((total, one) => total + one[part], 0);

console.log('\n| Conformance class | Judges | Tests | Passed |\n|---|---|---|---|');
for (const { claim, own } of judged.filter((one) => one.own.length > 0)) {
  const judges = [...new Set(own.map(({ judge }) => judge))].join(', ');
  console.log(`| ${shorten(claim)} | ${judges} | ${sum(own, 'tests')} | ${sum(own, 'passed')} |`);
}
for (const one of verdicts.filter(
  ({ classes }) => !classes.some((name) => claims.some((c) => isOf(c, name))),
))
  console.log(`| – | ${one.judge}: ${one.what} | ${one.tests} | ${one.passed} |`);

const list = (title: string, names: readonly string[]): void =>
  console.log(`\n${title}: ${names.length === 0 ? 'none' : names.join(', ')}.`);
list(
  'Claimed, and judged by our own tests only',
  judged.filter(({ own }) => own.length === 0).map(({ claim }) => shorten(claim)),
);
list('Not claimed', KNOWN_CLASSES.filter((name) => !claimed.has(name)).map(shorten));
list('Not asked', [...missing, NEVER_ASKED]);
for (const { judge, what, tests, passed } of verdicts.filter((one) => one.passed < one.tests))
  console.log(`FAILED ${judge}, ${what}: ${passed} of ${tests}`);
if (failed.length > 0) console.log(`FAILED: ${failed.join(', ')}`);
const isGreen =
  verdicts.length > 0 && failed.length === 0 && verdicts.every((one) => one.passed === one.tests);
process.exit(isGreen ? 0 : 1);

function shorten(address: string): string {
  return address
    .replace(/^https:\/\/api\.stacspec\.org\//, 'STAC API ')
    .replace(/^http:\/\/www\.opengis\.net\/spec\//, '')
    .replace('/conf/', ' ');
}
