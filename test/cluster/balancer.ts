import type { IncomingMessage, ServerResponse } from 'node:http';
import { Agent, createServer, request as send } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** One life of a node, from its start to its end; a restarted node is another target on the same port. */
export interface Target {
  readonly name: string;
  readonly port: number;
  /** How we end it: set before the signal is sent, so that a failure of its last requests has a cause. */
  ending: 'killed' | 'stopped' | null;
}

/** Why a request failed between the balancer and a node. */
export interface Failure {
  readonly target: Target | null;
  readonly text: string;
}

/**
 * A load balancer over HTTP. It sends requests to the nodes whose `/readyz` says 200, in turns, over connections that it
 * keeps. A request whose connection is refused has reached no node, and goes to the next one; nothing else is sent twice.
 */
export interface Balancer extends AsyncDisposable {
  readonly url: string;
  /** Replaces the target of the same name. */
  add(target: Target): void;
  isUp(name: string): boolean;
  /** Requests that failed, by their `x-request-id`. */
  readonly failures: ReadonlyMap<string, Failure>;
  /** How often a refused connection sent a request to another node. */
  readonly passedOn: number;
}

/** How often nodes are asked whether they are ready. */
const LOOK_MS = 200;
/** Nodes close a connection that was idle for five seconds: one that waited longer than this is not used again. */
const IDLE_MS = 2_000;

interface Node extends Target {
  readonly agent: KeptConnections;
  isUp: boolean;
}

/** Connections to one node, none of them idle for long, whatever the timers do on a busy machine. */
class KeptConnections extends Agent {
  readonly #idleSince = new WeakMap<object, number>();
  constructor() {
    super({ keepAlive: true });
  }
  override keepSocketAlive(socket: Socket): boolean {
    this.#idleSince.set(socket, performance.now());
    // @ts-expect-error documented, and missing from the types
    return super.keepSocketAlive(socket);
  }
  /** Closes those that have waited too long. */
  prune(): void {
    for (const sockets of Object.values(this.freeSockets))
      for (const socket of [...(sockets ?? [])])
        if (performance.now() - (this.#idleSince.get(socket) ?? 0) > IDLE_MS) socket.destroy();
  }
}

/** Starts a balancer without nodes. */
export async function startBalancer(): Promise<Balancer> {
  const nodes = new Map<string, Node>();
  const failures = new Map<string, Failure>();
  let isClosed = false;
  let turn = 0;
  let passedOn = 0;

  function choose(refused: ReadonlySet<Node>): Node | null {
    const ready = [...nodes.values()].filter((node) => node.isUp && !refused.has(node));
    turn += 1;
    return ready[turn % ready.length] ?? null;
  }

  function fail(request: IncomingMessage, response: ServerResponse, failure: Failure): void {
    failures.set(String(request.headers['x-request-id']), failure);
    if (response.headersSent) response.destroy();
    else response.writeHead(503, { 'content-type': 'application/json' }).end('{"code":"no-node"}');
  }

  function forward(request: IncomingMessage, response: ServerResponse, refused: ReadonlySet<Node>): void {
    const node = choose(refused);
    if (node === null) {
      fail(request, response, { target: null, text: 'no node is ready' });
      return;
    }
    node.agent.prune();
    const { method, url: path, headers } = request;
    const forwarded = { ...headers, connection: 'keep-alive', 'x-forwarded-for': '127.0.0.1' };
    const outgoing = send({
      agent: node.agent,
      host: '127.0.0.1',
      port: node.port,
      method,
      path,
      headers: forwarded,
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' && error.syscall === 'connect') {
        node.isUp = false;
        passedOn += 1;
        forward(request, response, new Set([...refused, node]));
      } else fail(request, response, { target: node, text: error.code ?? error.message });
    });
    outgoing.on('response', (answer) => {
      const { connection: _, ...kept } = answer.headers;
      response.writeHead(answer.statusCode ?? 0, kept);
      answer.on('error', () => {});
      answer.on('close', () => {
        if (!answer.complete) fail(request, response, { target: node, text: 'broken off' });
      });
      answer.pipe(response);
    });
    // Only once there is a connection, so that a refused request still has its body.
    outgoing.on('socket', (socket) => {
      if (socket.connecting) socket.once('connect', () => request.pipe(outgoing));
      else request.pipe(outgoing);
    });
    response.on('close', () => {
      if (!response.writableFinished) outgoing.destroy();
    });
  }

  async function watch(node: Node): Promise<void> {
    const address = `http://127.0.0.1:${node.port}/readyz`;
    while (!isClosed && nodes.get(node.name) === node) {
      const answer = await fetch(address, { signal: AbortSignal.timeout(60_000) }).catch(() => null);
      await answer?.arrayBuffer().catch(() => null);
      node.isUp = answer?.status === 200;
      await sleep(LOOK_MS);
    }
  }

  const server = createServer((request, response) => forward(request, response, new Set()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    failures,
    get passedOn() {
      return passedOn;
    },
    isUp: (name) => nodes.get(name)?.isUp === true,
    add(target) {
      const node: Node = Object.assign(target, { agent: new KeptConnections(), isUp: false });
      nodes.get(target.name)?.agent.destroy();
      nodes.set(target.name, node);
      void watch(node);
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      for (const { agent } of nodes.values()) agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
