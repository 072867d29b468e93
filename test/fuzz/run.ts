/**
 * Feeds Swath's parsers damaged input: `npm run fuzz`, one minute in all.
 *
 * `--minutes 10` gives each target that time, `--targets tiff,jp2` chooses, `--seed 7` repeats. Whatever is neither a
 * result nor a tagged error, takes longer than a second, leaves more than 256 MiB behind or never ends is a finding: its
 * input is written to reports/fuzz, and the exit status is 1. A fixed finding moves to test/fuzz/corpus/<target>.
 */
import { createHash, randomInt } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Finding, FuzzReport } from './runner.ts';
import { fuzzTarget } from './runner.ts';
import { targetByName, targets } from './targets/index.ts';

const OUT = new URL('../../reports/fuzz/', import.meta.url);
const TOP_CODES = 5;

const { values } = parseArgs({
  options: { minutes: { type: 'string' }, targets: { type: 'string' }, seed: { type: 'string' } },
});
const chosen = values.targets === undefined ? targets : values.targets.split(',').map(targetByName);
const minutes = values.minutes === undefined ? 1 / chosen.length : Number(values.minutes);
const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
if (!(minutes > 0) || !Number.isInteger(seed)) {
  console.error('--minutes must be a number above 0, and --seed a whole number.');
  process.exit(2);
}

/** Writes the input, and next to it what happened and how to reproduce it. */
function save({ target, run, input, kind, details }: Finding): string {
  const name = `${target}-${createHash('sha256').update(input).digest('hex').slice(0, 12)}`;
  mkdirSync(OUT, { recursive: true });
  writeFileSync(new URL(`${name}.bin`, OUT), input);
  writeFileSync(new URL(`${name}.txt`, OUT), `seed ${seed}, run ${run}\n${kind}\n${details}\n`);
  return name;
}

function describe(name: string, { runs, tookMs, outcomes, slowestMs, findings }: FuzzReport): string {
  const codes = [...outcomes].sort(([, a], [, b]) => b - a).slice(0, TOP_CODES);
  const perSecond = Math.round(runs / (tookMs / 1_000));
  return [
    `${name.padEnd(12)} ${runs} runs, ${perSecond}/s`,
    codes.map(([code, count]) => `${code} ${count}`).join(', '),
    `slowest ${slowestMs.toFixed(0)} ms`,
    `${findings.length} findings`,
  ].join('; ');
}

console.log(`seed ${seed}, ${chosen.length} targets, ${(minutes * 60).toFixed(1)} s each`);
let found = 0;
for (const target of chosen) {
  const report = await fuzzTarget(target, { seed, durationMs: minutes * 60_000 });
  console.log(describe(target.name, report));
  for (const finding of report.findings) {
    console.log(`  ${finding.kind} (run ${finding.run}): reports/fuzz/${save(finding)}.bin`);
  }
  found += report.findings.length;
}
process.exit(found === 0 ? 0 : 1);
