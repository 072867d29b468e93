/**
 * Attacks a real server on the loopback address, as an outsider and as a key holder would: `npm run attacks`.
 *
 * `-- --list` names the attacks, `-- --only word` runs those whose family or name has the word in it, and
 * `-- --soak 10` mixes them with normal traffic for ten minutes. Exit status 1 when one is not ok.
 */
import { parseArgs } from 'node:util';
import { families } from './families/index.ts';
import { soak } from './soak.ts';
import type { Outcome } from './stage.ts';
import { openStage } from './stage.ts';

const HELP = `npm run attacks [-- options]

  --only WORD      run the attacks whose family or name has this word in it; may be given again
  --list           name the attacks and what stops each
  --soak MINUTES   all attacks again and again during normal traffic, which is checked
  --help           show this
`;

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    list: { type: 'boolean' },
    soak: { type: 'string' },
    help: { type: 'boolean' },
  },
});

const words = (values.only ?? []).map((word) => word.toLowerCase());
const chosen = families
  .flatMap(({ name, attacks }) => attacks.map((attack) => ({ family: name, attack })))
  .filter(
    ({ family, attack }) =>
      words.length === 0 || words.some((word) => `${family} ${attack.name}`.toLowerCase().includes(word)),
  );

if (values.help) console.log(HELP);
else if (chosen.length === 0) fail(`No attack has this word in its name: ${words.join(', ')}`);
else if (values.list) list();
else if (values.soak !== undefined) await startSoak(Number(values.soak));
else await runAll();

function list(): void {
  let last = '';
  for (const { family, attack } of chosen) {
    if (family !== last) console.log(`\n${family}`);
    last = family;
    console.log(`  ${attack.name} (${attack.severity})\n    ${attack.does}\n    stopped by: ${attack.limit}`);
  }
}

async function runAll(): Promise<void> {
  const startedAt = performance.now();
  await using stage = await openStage();
  const outcomes: Outcome[] = [];
  for (const { attack } of chosen) {
    const outcome = await stage.run(attack);
    outcomes.push(outcome);
    printOutcome(outcome);
  }
  const count = (verdict: Outcome['verdict']): number =>
    outcomes.filter((outcome) => outcome.verdict === verdict).length;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  console.log(
    `\n${outcomes.length} attacks in ${seconds} s: ${count('ok')} ok, ${count('NOT OK')} NOT OK, ${count('skipped')} skipped`,
  );
  if (count('NOT OK') > 0) process.exitCode = 1;
}

async function startSoak(minutes: number): Promise<void> {
  if (!(minutes > 0 && minutes <= 1440)) return fail('--soak wants minutes, from 0.1 to 1440.');
  await using stage = await openStage({ isSoak: true });
  const isOk = await soak({
    stage,
    attacks: chosen.map(({ attack }) => attack),
    minutes,
    print: (line) => console.log(line),
    onOutcome: printOutcome,
  });
  if (!isOk) process.exitCode = 1;
}

function printOutcome({ attack, verdict, saw, seconds }: Outcome): void {
  const seen = verdict === 'skipped' ? `skipped: ${saw}` : saw;
  console.log(
    `${verdict.padEnd(7)} ${attack.name} [${attack.severity}] | ${attack.does} | ${seen} | ${attack.limit} | ${seconds.toFixed(1)} s`,
  );
}

function fail(sentence: string): void {
  console.error(sentence);
  process.exitCode = 2;
}
