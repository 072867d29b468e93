import { makeRandom } from '../search/synthetic-scenes.ts';

/** A service as the simulation sees it: who works on a request, and for how long. */
export interface Model {
  readonly nodes: number;
  /** Requests under way at any time: each client sends the next one when it has its answer. */
  readonly clients: number;
  /** CPU milliseconds of a request: at the sender, at a node (one core each), and in PostgreSQL (one core). */
  readonly senderMs: number;
  readonly nodeMs: number;
  readonly databaseMs: number;
  /** Cores that all of them share. */
  readonly cores: number;
}

interface Request {
  node: number;
  /** The stage it is in, and the work that is left of it. */
  stage: number;
  leftMs: number;
}

const REQUESTS = 20_000;

/**
 * Simulates requests that pass sender, node and PostgreSQL, and gives how many a second are answered. Requests in one place share
 * its core evenly, and all places share the cores of the machine. Work is drawn from an exponential distribution.
 */
export function simulate(model: Model): number {
  const { nodes, clients, cores } = model;
  const random = makeRandom(7);
  const draw = (meanMs: number): number => -Math.log(1 - random()) * meanMs;
  const stages = [model.senderMs, model.nodeMs, model.databaseMs];
  const start = (client: number): Request => ({
    node: client % nodes,
    stage: 0,
    leftMs: draw(stages[0] as number),
  });
  const requests = Array.from({ length: clients }, (_, client) => start(client));
  const placeOf = ({ stage, node }: Request): number => (stage === 1 ? 2 + node : stage === 0 ? 0 : 1);
  let [nowMs, answered] = [0, 0];
  while (answered < REQUESTS) {
    const busy = new Map<number, number>();
    for (const request of requests) busy.set(placeOf(request), (busy.get(placeOf(request)) ?? 0) + 1);
    const share = Math.min(1, cores / busy.size);
    const speedOf = (request: Request): number => share / (busy.get(placeOf(request)) as number);
    const stepMs = Math.min(...requests.map((request) => request.leftMs / speedOf(request)));
    nowMs += stepMs;
    for (const [i, request] of requests.entries()) {
      request.leftMs -= stepMs * speedOf(request);
      if (request.leftMs > 1e-9) continue;
      request.stage += 1;
      request.leftMs = draw(stages[request.stage] ?? 0);
      if (request.stage < stages.length) continue;
      answered += 1;
      requests[i] = start(i);
    }
  }
  return (answered / nowMs) * 1_000;
}
