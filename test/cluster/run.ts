/**
 * `npm run cluster -- [--minutes 5] [--seed N] [--rolling]`: PostgreSQL, an S3 server, three api nodes, two workers and a load
 * balancer on this machine, used by clients while nodes are killed, stopped and restarted at random; then all nodes are
 * restarted one after the other. With `--rolling` nothing is killed: nodes are only restarted, for so many minutes.
 */
import { parseArgs } from 'node:util';
import { startReceiver } from './receiver.ts';
import { runCluster, startNodes, toTable } from './run-cluster.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    rolling: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed);
const minutes = Number(values.minutes);
console.log(`${minutes} minutes, seed ${seed}`);
let endMs = Number.POSITIVE_INFINITY;
const goesOn = (): boolean => {
  if (endMs === Number.POSITIVE_INFINITY) endMs = performance.now() + 60_000 * minutes;
  return performance.now() < endMs;
};
await using receiver = await startReceiver();
await using cluster = await startNodes(receiver);
if (cluster === null) {
  console.error('PostgreSQL with PostGIS is not installed here.');
  process.exit(1);
}
const report = await runCluster(cluster, receiver, {
  seed,
  chaosGoesOn: values.rolling ? () => false : goesOn,
  rollingGoesOn: values.rolling ? goesOn : (rounds) => rounds < 1,
  answersBetween: 200,
  clients: { pictures: 4, searches: 2, tasks: 4 },
  onNote: (text) => console.log(`  ${text}`),
});
console.log(toTable(report));
for (const fault of report.faults) console.log(`FAULT ${fault}`);
console.log(report.faults.length === 0 ? 'ok' : `${report.faults.length} faults`);
if (report.faults.length > 0) process.exitCode = 1;
