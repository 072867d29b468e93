/**
 * Runs a command with a private PostgreSQL: `npm run with-postgres -- npm run test:only -- ports`. The command finds it in
 * TEST_DATABASE_URL; where that is set already, it is used as it is. Without PostgreSQL this fails, unless
 * `--if-installed` is given: then the command runs without it.
 */
import { spawn } from 'node:child_process';
import { startPostgres } from '../test/ports/postgres-cluster.ts';

const words = process.argv.slice(2);
const mayLack = words[0] === '--if-installed';
const [program, ...args] = mayLack ? words.slice(1) : words;
if (program === undefined) {
  console.error('Usage: npm run with-postgres -- [--if-installed] <command> [arguments]');
  process.exit(2);
}
const hasOne = process.env.TEST_DATABASE_URL !== undefined;
const cluster = hasOne ? null : await startPostgres();
if (cluster === null && !hasOne) {
  console.error('PostgreSQL with PostGIS is not installed here.');
  if (!mayLack) process.exit(1);
}
const env = cluster === null ? process.env : { ...process.env, TEST_DATABASE_URL: cluster.url };
const child = spawn(program, args, { stdio: 'inherit', env });
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
child.on('error', (error) => console.error(error.message));
child.on('close', (status) => {
  cluster?.stop();
  process.exitCode = status ?? 1;
});
