/** That the run of a cluster would notice a node that does not finish what it has begun. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { waitFor } from '../../src/testing/wait-for.ts';
import type { Target } from './balancer.ts';
import { startBalancer } from './balancer.ts';
import { makeLedger, ON_A_KILLED_NODE } from './ledger.ts';

/** A node that is ready and leaves all other requests to the test. */
async function startNode() {
  const server = createServer((request, response) => {
    if (request.url === '/readyz') response.end('{}');
    else server.emit('asked', response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const target: Target = { name: 'api-1', port: (server.address() as AddressInfo).port, ending: null };
  return { server, target };
}

/** How the one request of a client ends: answered, or the causes that the ledger has. */
async function judge(end: (node: Awaited<ReturnType<typeof startNode>>, response: ServerResponse) => void) {
  await using balancer = await startBalancer();
  const node = await startNode();
  balancer.add(node.target);
  await waitFor(() => balancer.isUp('api-1'));
  const ledger = makeLedger(balancer);
  const asked = once(node.server, 'asked');
  const client = ledger
    .send('picture')(`${balancer.url}/tile`)
    .catch(() => null);
  const [response] = (await asked) as [ServerResponse];
  end(node, response);
  await client;
  node.server.closeAllConnections();
  node.server.close();
  const { answered = 0, failed = new Map<string, number>() } = ledger.counts.get('picture') ?? {};
  return { answered, causes: [...failed.keys()], unexpected: ledger.unexpected() };
}

test('a stopped node that closes its connections at once is reported', async () => {
  for (const isBegun of [false, true]) {
    const { answered, unexpected } = await judge(({ server, target }, response) => {
      target.ending = 'stopped';
      if (isBegun) response.write('half a picture', () => server.closeAllConnections());
      else server.closeAllConnections();
    });
    assert.equal(answered, 0);
    assert.match(unexpected.join(), /^1 × picture failed: on a stopped node: /, String(isBegun));
  }
});

test('a node that ends without a reason, or refuses what it has, is reported too', async () => {
  const lost = await judge(({ server }) => server.closeAllConnections());
  assert.match(lost.unexpected.join(), /on a running node: /);
  const refused = await judge((_, response) => response.writeHead(503).end('{"code":"store-unavailable"}'));
  assert.deepEqual(refused.unexpected, ['1 × picture failed: 503 store-unavailable']);
});

test('a node that finishes before it ends fails nothing; a killed one fails only requests in flight', async () => {
  const drained = await judge(({ target }, response) => {
    target.ending = 'stopped';
    response.end('a picture');
  });
  assert.deepEqual(drained, { answered: 1, causes: [], unexpected: [] });
  const killed = await judge(({ server, target }) => {
    target.ending = 'killed';
    server.closeAllConnections();
  });
  assert.deepEqual(killed, { answered: 0, causes: [ON_A_KILLED_NODE], unexpected: [] });
});
