/**
 * Runs a command beside a private PostgreSQL: `node scripts/with-postgres.ts npm test`. The command finds it in
 * SWATH_TEST_DATABASE_URL. Where PostgreSQL is not installed, the command runs without it.
 */
import { spawn } from 'node:child_process';
import { startPostgres } from '../test/ports/postgres-cluster.ts';

const [program, ...args] = process.argv.slice(2);
if (program === undefined) {
  console.error('Usage: node scripts/with-postgres.ts <command> [arguments]');
  process.exit(2);
}
const cluster = await startPostgres();
if (cluster === null) console.error('PostgreSQL is not installed here: running without it.');
const env = cluster === null ? process.env : { ...process.env, SWATH_TEST_DATABASE_URL: cluster.url };
const child = spawn(program, args, { stdio: 'inherit', env });
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
child.on('error', (error) => console.error(error.message));
child.on('close', (status) => {
  cluster?.stop();
  process.exitCode = status ?? 1;
});
