import assert from 'node:assert/strict';
import { limits } from '../../kit/limits.ts';
import type { ConnectionLimits, CutReason } from '../connections.ts';
import { makeConnections } from '../connections.ts';
import type { FrontDoor } from '../front-door.ts';
import type { RouteTable } from '../routing.ts';
import type { App, HttpServer, Timeouts } from '../server.ts';
import { listen } from '../server.ts';

interface TestServerOptions {
  readonly app: App;
  /** No routes unless given. */
  readonly routes?: Pick<RouteTable, 'find'>;
  readonly door?: FrontDoor;
  readonly limits?: Partial<ConnectionLimits>;
  readonly timeouts?: Partial<Timeouts>;
  readonly nowMs?: () => number;
}

/** The real server around any application, with limits of a test's own. */
export async function makeTestServer(
  options: TestServerOptions,
): Promise<HttpServer & { readonly cuts: readonly CutReason[]; readonly count: () => number }> {
  const cuts: CutReason[] = [];
  const connections = makeConnections({
    limits: { ...limits, connections: 1_000, perAddress: 1_000, ...options.limits },
    nowMs: options.nowMs ?? (() => performance.now()),
    onCut: (reason) => cuts.push(reason),
  });
  const server = await listen({
    app: options.app,
    routes: options.routes ?? { find: () => null },
    host: '127.0.0.1',
    port: 0,
    door: options.door ?? { enter: () => ({ leave: () => {}, lend: () => () => {} }) },
    connections,
    timeouts: { ...limits, ...options.timeouts },
    onError: assert.fail,
    onEarlyAnswer: () => {},
  });
  return { ...server, cuts, count: connections.count };
}
