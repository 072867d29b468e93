import { openBlobs } from '../../src/objects/index.ts';
import { waitFor } from '../../src/testing/wait-for.ts';
import { checkHistory } from '../faults/tasks/check-history.ts';
import { checkStore } from '../faults/tasks/check-store.ts';
import { makeRandom } from '../faults/tasks/random.ts';
import type { Cluster, ClusterNode } from './cluster.ts';
import { startCluster } from './cluster.ts';
import type { Drive } from './drive.ts';
import { startDrive } from './drive.ts';
import type { KindCount, Ledger, RequestKind } from './ledger.ts';
import { makeLedger, ON_A_KILLED_NODE } from './ledger.ts';
import type { Receiver } from './receiver.ts';

/** How hard, and how long. */
export interface RunOptions {
  readonly seed: number;
  /** Whether chaos goes on; asked before each kill and stop, with how many there were. */
  readonly chaosGoesOn: (events: number) => boolean;
  /** Whether all nodes are restarted once more, one after the other; asked after the chaos. */
  readonly rollingGoesOn: (rounds: number) => boolean;
  /** Answers between two events of one kind of nodes. */
  readonly answersBetween: number;
  readonly clients: { readonly pictures: number; readonly searches: number; readonly tasks: number };
  readonly onNote?: (text: string) => void;
}

/** What a run has shown. */
export interface RunReport {
  readonly counts: ReadonlyMap<RequestKind, KindCount>;
  readonly kills: number;
  readonly stops: number;
  readonly passedOn: number;
  readonly acknowledged: number;
  readonly finished: number;
  readonly deleted: number;
  /** Callbacks by their task: how many were told, and how often one was told again because its sender was killed. */
  readonly told: number;
  readonly toldAgain: number;
  /** Everything that must not happen, one line each. */
  readonly faults: readonly string[];
}

/** Starts three api nodes and two workers that may call the receiver; null where PostgreSQL is not installed. */
export const startNodes = (
  receiver: Receiver,
  env: Readonly<Record<string, string>> = {},
): Promise<Cluster | null> =>
  startCluster({
    api: 3,
    workers: 2,
    env: { SWATH_CALLBACK_HOSTS: receiver.hosts, SWATH_CALLBACK_RETRY_MS: '100', ...env },
  });

/** Chaos, then rolling restarts, under load; all nodes are stopped at the end. */
export async function runCluster(
  cluster: Cluster,
  receiver: Receiver,
  options: RunOptions,
): Promise<RunReport> {
  const { seed, clients, onNote = () => {} } = options;
  onNote(`${cluster.nodes.map(({ name }) => name).join(', ')} are up; clients begin`);
  const ledger = makeLedger(cluster.balancer);
  const drive = await startDrive({ cluster, ledger, receiver, seed, clients });
  const tally = { kills: 0, stops: 0 };
  const faults: string[] = [];
  const stop = async (node: ClusterNode): Promise<void> => {
    const status = await node.stop();
    if (status !== 0) faults.push(`${node.name} ended with ${status} after SIGTERM`);
    tally.stops += 1;
  };
  const torment = async (role: ClusterNode['role'], random: () => number): Promise<void> => {
    const own = cluster.nodes.filter((node) => node.role === role);
    // Kills and stops by turns, so that a short run has both.
    for (let isKill = true; options.chaosGoesOn(tally.kills + tally.stops); isKill = !isKill) {
      await ledger.moreAnswers(Math.ceil(options.answersBetween * (0.5 + random())));
      const node = own[Math.floor(random() * own.length)] as ClusterNode;
      if (isKill) {
        tally.kills += 1;
        await node.kill();
      } else await stop(node);
      await node.start();
      onNote(`${node.name} was ${isKill ? 'killed' : 'stopped'} and is back`);
    }
  };
  await Promise.all([torment('api', makeRandom(seed)), torment('worker', makeRandom(seed + 1))]);
  // What a kill has cost is counted by now; from here on nothing may fail at all.
  await ledger.moreAnswers(options.answersBetween);
  const beforeRolling = countFailed(ledger);
  for (let rounds = 0; options.rollingGoesOn(rounds); rounds += 1) {
    for (const node of cluster.nodes) {
      await stop(node);
      await node.start();
      await ledger.moreAnswers(options.answersBetween);
      onNote(`${node.name} was restarted`);
    }
  }
  await drive.end();
  const failedRolling = countFailed(ledger) - beforeRolling;
  if (failedRolling > 0) faults.push(`${failedRolling} requests failed during rolling restarts`);
  return { ...tally, ...(await judge({ cluster, ledger, drive, receiver, faults })) };
}

const countFailed = ({ counts }: Ledger): number =>
  [...counts.values()].flatMap(({ failed }) => [...failed.values()]).reduce((sum, count) => sum + count, 0);

interface Run {
  readonly cluster: Cluster;
  readonly ledger: Ledger;
  readonly drive: Drive;
  readonly receiver: Receiver;
  readonly faults: readonly string[];
}

/** After the last retry of a callback by far, on any machine. */
const LAST_CALLBACK_MS = 600_000;

/** Reads what clients, the receiver and the store have seen, as a referee who knows only the rules. */
async function judge({ cluster, ledger, drive, receiver, faults }: Run) {
  const history = checkHistory(drive.histories);
  const finished = drive.histories.filter(({ states }) => states.includes('finished'));
  const listUntold = (): string[] =>
    finished.flatMap(({ ids }) => [...ids]).filter((id) => !receiver.told.has(id));
  // What never comes is a fault of its own, below.
  await waitFor(() => listUntold().length === 0, LAST_CALLBACK_MS).catch(() => {});
  const callbacks = listUntold().map((id) => `the callback of ${id} never came`);
  for (const [id, told] of receiver.told) {
    if (new Set(told.map(({ attempt }) => attempt)).size < told.length)
      callbacks.push(`an attempt at the callback of ${id} was made twice`);
    if (new Set(told.map(({ end }) => end)).size > 1)
      callbacks.push(`callbacks of ${id} tell different ends`);
  }
  const died =
    history.died > 0 ? [`${history.died} tasks were given up because their workers were killed`] : [];
  const stopped = await Promise.all(
    cluster.nodes.map(async (node) => [node.name, await node.stop()] as const),
  );
  const statuses = stopped
    .filter(([, status]) => status !== 0)
    .map(([name, status]) => `${name} ended with ${status}`);
  const blobs = openBlobs({
    dataDir: cluster.sceneDir,
    bucketHref: cluster.resultsHref,
    network: cluster.network,
  });
  const stored = await checkStore(cluster.sceneDir, cluster.database.url, blobs);
  return {
    counts: ledger.counts,
    passedOn: cluster.balancer.passedOn,
    acknowledged: history.acknowledged,
    finished: history.finished,
    deleted: history.deleted,
    told: receiver.told.size,
    toldAgain: [...receiver.told.values()].reduce((sum, told) => sum + told.length - 1, 0),
    faults: [
      ...faults,
      ...ledger.unexpected(),
      ...drive.wrong.map((text) => `a wrong answer: ${text}`),
      ...history.faults,
      ...died,
      ...callbacks,
      ...statuses,
      ...stored,
    ],
  };
}

/** The table at the end of a run. */
export function toTable(report: RunReport): string {
  const { counts, kills, stops, passedOn, acknowledged, finished, deleted, told, toldAgain } = report;
  const lines = [...counts].map(([kind, { sent, answered, failed }]) => {
    const onKilled = failed.get(ON_A_KILLED_NODE) ?? 0;
    const other = [...failed.values()].reduce((sum, count) => sum + count, 0) - onKilled;
    return [kind, sent, answered, onKilled, other].map((cell) => String(cell).padStart(15)).join('');
  });
  const head = ['requests', 'sent', 'answered', 'on killed node', 'failed else'];
  return [
    head.map((cell) => cell.padStart(15)).join(''),
    ...lines,
    `nodes: ${kills} killed, ${stops} stopped; ${passedOn} requests found a node gone before a byte was sent, and went to another`,
    `tasks: ${acknowledged} acknowledged, ${finished} finished with the right result, ${deleted} deleted by their clients`,
    `callbacks: ${told} tasks told, ${toldAgain} of them again after their sender was killed`,
  ].join('\n');
}
