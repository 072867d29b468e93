/**
 * A client that has nothing to do with an attack: it asks for /healthz and a tile by turns, each on a new connection.
 * On a thread of its own, because the attacker's event loop is busy and would be measured instead of the server's.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { BystanderData, BystanderSeen } from './bystander.ts';
import { ask, isPicture } from './polite.ts';

const { server, key, localAddress, tile, pauseMs } = workerData as BystanderData;
let isOver = false;
parentPort?.once('message', () => {
  isOver = true;
});
const seen: BystanderSeen = { health: [], tile: [] };
while (!isOver) {
  const health = await ask(server, '/healthz', { localAddress, timeoutMs: 5_000 });
  seen.health.push({ status: health.status, ms: health.ms });
  if (tile !== null) {
    const answer = await ask(server, tile, { key, localAddress, timeoutMs: 10_000 });
    const isWhole = answer.status !== 200 || isPicture(answer.body);
    seen.tile.push({ status: isWhole ? answer.status : -1, ms: answer.ms });
  }
  await sleep(pauseMs);
}
parentPort?.postMessage(seen);
