/** Runs one benchmark of `bench/` with the options that follow its name: `npm run bench -- tiles --rounds 5`. */
import { spawnSync } from 'node:child_process';
import { benchmarks } from '../bench/benchmarks.ts';

const [name, ...options] = process.argv.slice(2);

const usage = [
  'npm run bench -- NAME [OPTIONS]',
  '',
  ...Object.entries(benchmarks).map(([known, summary]) => `  ${known.padEnd(12)}${summary}`),
  '',
  'The options of a benchmark are explained at the top of bench/NAME/run.ts.',
].join('\n');

if (name === '--help' || name === '-h') {
  console.log(usage);
} else if (name === undefined || !Object.hasOwn(benchmarks, name)) {
  console.error(name === undefined ? usage : `There is no benchmark "${name}".\n\n${usage}`);
  process.exitCode = 2;
} else {
  const { status } = spawnSync(process.execPath, [`bench/${name}/run.ts`, ...options], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
