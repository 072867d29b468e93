/** Open connections: how many there are, whose they are, what each waits for, and the order of its requests. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isIPv6 } from 'node:net';
import { takeTurn } from '../../async/index.ts';

/** A request and what answers it. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Begins to answer. */
  start(): void;
}

/** Why a connection was closed before its client closed it. */
export type CutReason = 'too-many' | 'too-many-of-address' | 'slow-reader' | 'unsent-bytes';

/** What open connections may take. */
export interface ConnectionLimits {
  readonly connections: number;
  /** Connections per client address; Infinity behind a proxy, whose address all clients share. */
  readonly perAddress: number;
  /** Requests that may wait on a connection behind the one being answered. */
  readonly pipelined: number;
  /** An answer must leave within this, and a second more for every `slowestBytesPerS` of it. */
  readonly answerMs: number;
  readonly slowestBytesPerS: number;
  /** Answers of all connections that wait for their clients to read. */
  readonly unsentBytes: number;
}

interface ConnectionsDeps {
  readonly limits: ConnectionLimits;
  readonly nowMs: () => number;
  readonly onCut: (reason: CutReason) => void;
}

/** All open connections: how many there are, whose they are, and what each waits for. */
export interface Connections {
  /** Takes a new connection. Over a limit, the connection whose client has made us wait longest is closed. */
  open(socket: Socket): void;
  /** Begins the exchange when all requests before it on its connection are answered. */
  add(exchange: Exchange): void;
  /** The exchange under way on a connection. */
  currentOf(socket: Socket): Exchange | null;
  /** Closes the connections of clients that do not read their answers. */
  cutSlowReaders(): void;
  /**
   * The connections of clients that send the body of a request too slowly: those that have sent nothing for so long, and
   * those that take longer than a request may, and a second more for every `slowestBytesPerS` that have come.
   */
  listSlowSenders(times: SenderTimes): readonly Socket[];
  /** Closes the connections without a request under way: those that wait for one, and those that have sent a part of its head. */
  closeIdle(): void;
  count(): number;
}

/** How long clients may take to send a request. */
export interface SenderTimes {
  readonly requestTimeoutMs: number;
  readonly socketIdleMs: number;
}

/** A body that has not come whole, as the last checks found it. */
interface ComingBody {
  readonly exchange: Exchange;
  readonly sinceMs: number;
  readonly fromByte: number;
  /** When the last bytes came, and how many had come by then. */
  readonly lastMs: number;
  readonly lastByte: number;
}

interface Connection {
  readonly socket: Socket;
  readonly network: string;
  readonly queue: RequestQueue;
  /** Since when it is in its state: waiting for a request, taking one, answering it. */
  sinceMs: number;
  /** How many bytes had come when it last waited for a request: a body may begin in the packet of its head. */
  sinceByte: number;
  /** The answer that the client has not read whole, as the last check found it: since when, and after how many bytes. */
  unread: { readonly exchange: Exchange; readonly sinceMs: number; readonly fromByte: number } | null;
  coming: ComingBody | null;
}

/** Builds the table of connections. */
export function makeConnections({ limits, nowMs, onCut }: ConnectionsDeps): Connections {
  const connections = new Map<Socket, Connection>();
  const perNetwork = new Map<string, number>();

  function cut(connection: Connection, reason: CutReason): void {
    forget(connection);
    connection.socket.destroy();
    onCut(reason);
  }

  function forget({ socket, network }: Connection): void {
    if (!connections.delete(socket)) return;
    const left = (perNetwork.get(network) ?? 1) - 1;
    if (left > 0) perNetwork.set(network, left);
    else perNetwork.delete(network);
  }

  /** Makes room by closing the connection that has waited longest for its client; false when none does. */
  function makeRoom(reason: CutReason, isCandidate: (connection: Connection) => boolean): boolean {
    let longest: Connection | null = null;
    for (const connection of connections.values()) {
      if (!isCandidate(connection) || !waitsForClient(connection)) continue;
      if (longest === null || connection.sinceMs < longest.sinceMs) longest = connection;
    }
    if (longest === null) return false;
    cut(longest, reason);
    return true;
  }

  return {
    open(socket) {
      const network = toClientNetwork(socket.remoteAddress ?? '');
      const isOver = (perNetwork.get(network) ?? 0) >= limits.perAddress;
      const hasRoom =
        (!isOver || makeRoom('too-many-of-address', (other) => other.network === network)) &&
        (connections.size < limits.connections || makeRoom('too-many', () => true));
      if (!hasRoom) {
        socket.destroy();
        onCut(isOver ? 'too-many-of-address' : 'too-many');
        return;
      }
      const connection: Connection = {
        socket,
        network,
        sinceMs: nowMs(),
        sinceByte: 0,
        unread: null,
        coming: null,
        queue: makeRequestQueue({
          maxWaiting: limits.pipelined,
          onChange: () => {
            connection.sinceMs = nowMs();
            if (connection.queue.current === null) connection.sinceByte = socket.bytesRead;
          },
        }),
      };
      connections.set(socket, connection);
      perNetwork.set(network, (perNetwork.get(network) ?? 0) + 1);
      socket.once('close', () => forget(connection));
    },

    add(exchange) {
      const connection = connections.get(exchange.request.socket);
      // Requests that were read together with the one that its connection was closed for.
      if (connection === undefined) exchange.response.destroy();
      else connection.queue.add(exchange);
    },

    currentOf: (socket) => connections.get(socket)?.queue.current ?? null,

    cutSlowReaders() {
      let unsentBytes = 0;
      for (const connection of connections.values()) {
        if (isTooSlow(connection)) cut(connection, 'slow-reader');
        else unsentBytes += connection.socket.writableLength;
      }
      if (unsentBytes <= limits.unsentBytes) return;
      const largestFirst = [...connections.values()].sort(
        (a, b) => b.socket.writableLength - a.socket.writableLength,
      );
      for (const connection of largestFirst) {
        if (unsentBytes <= limits.unsentBytes) break;
        unsentBytes -= connection.socket.writableLength;
        cut(connection, 'unsent-bytes');
      }
    },

    listSlowSenders: (times) =>
      [...connections.values()]
        .filter((connection) => isSlowSender(connection, times))
        .map(({ socket }) => socket),

    closeIdle() {
      for (const { socket, queue } of connections.values()) if (queue.current === null) socket.destroy();
    },

    count: () => connections.size,
  };

  function isSlowSender(connection: Connection, { requestTimeoutMs, socketIdleMs }: SenderTimes): boolean {
    const { current: exchange } = connection.queue;
    const { bytesRead } = connection.socket;
    const now = nowMs();
    if (exchange === null || exchange.request.complete) {
      connection.coming = null;
      return false;
    }
    if (connection.coming?.exchange !== exchange) {
      connection.coming = {
        exchange,
        sinceMs: connection.sinceMs,
        fromByte: connection.sinceByte,
        lastMs: now,
        lastByte: bytesRead,
      };
    }
    const { coming } = connection;
    // What we have not taken yet keeps the client from sending more.
    const isOurs = exchange.request.readableLength > 0;
    if (bytesRead > coming.lastByte || isOurs)
      connection.coming = { ...coming, lastMs: now, lastByte: bytesRead };
    else if (now - coming.lastMs > socketIdleMs) return true;
    const bytes = bytesRead - coming.fromByte;
    return now - coming.sinceMs > requestTimeoutMs + (1000 * bytes) / limits.slowestBytesPerS;
  }

  /**
   * A byte now and then is not progress: time is counted for the answer as a whole, as far as it has been made. A long one
   * is made as its client reads, so that the time for it grows with what was read.
   */
  function isTooSlow(connection: Connection): boolean {
    const { current: exchange } = connection.queue;
    const { writableLength, bytesWritten } = connection.socket;
    if (exchange === null || writableLength === 0) {
      connection.unread = null;
      return false;
    }
    if (connection.unread?.exchange !== exchange) {
      connection.unread = { exchange, fromByte: bytesWritten - writableLength, sinceMs: nowMs() };
      return false;
    }
    const { sinceMs, fromByte } = connection.unread;
    const bytes = bytesWritten - fromByte;
    return nowMs() - sinceMs > limits.answerMs + (1000 * bytes) / limits.slowestBytesPerS;
  }
}

/** True while the next step is the client's: to send a request, the rest of one, or to read an answer. */
function waitsForClient({ socket, queue: { current } }: Connection): boolean {
  return current === null || !current.request.complete || socket.writableLength > 0;
}

/**
 * What counts as one client among connections: an IPv4 address, or the /64 network of an IPv6 address, since a host has
 * all of that network's addresses to itself (RFC 7421).
 */
export function toClientNetwork(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('%')[0]!.split('::');
  const groups = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length);
  const whole = [...groups, ...Array<string>(missing).fill('0'), ...(tail ? tail.split(':') : [])];
  return `${whole
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/** The requests of one connection, answered one after the other. */
interface RequestQueue {
  add(exchange: Exchange): void;
  /** The exchange under way; null while the client's next request is awaited. */
  readonly current: Exchange | null;
}

interface RequestQueueOptions {
  /** Requests that may wait behind the one being answered; the connection closes after the last of them. */
  readonly maxWaiting: number;
  /** Called when an exchange begins and when it has ended. */
  readonly onChange: () => void;
}

/**
 * Node hands over all requests that it finds in what a client sent at once, 1,500 of them in 64 KiB, and keeps
 * their answers until the client reads. Here the next one begins when the answer before it has left the process, so that
 * a client that does not read holds one answer in memory. RFC 9112 9.3.2 lets a server close after any answer.
 */
function makeRequestQueue({ maxWaiting, onChange }: RequestQueueOptions): RequestQueue {
  const waiting: Exchange[] = [];
  let current: Exchange | null = null;
  let isFull = false;

  function take(exchange: Exchange): void {
    current = exchange;
    // Emitted after the last byte has been handed to the system, and when the connection breaks before that.
    exchange.response.once('close', next);
    onChange();
  }

  function next(): void {
    const isOpen = current?.request.socket.destroyed === false;
    current = null;
    onChange();
    const following = waiting.shift();
    if (following === undefined || !isOpen) return;
    take(following);
    // Its turn comes after those of other connections. While the buffers of the system have room, a large answer has left
    // as soon as it is written: nine of 416 kB on each of 200 connections took the event loop for 0.9 s.
    void takeTurn().then(() => {
      if (!following.request.socket.destroyed) following.start();
    });
  }

  return {
    get current() {
      return current;
    },
    add(exchange) {
      if (isFull) return;
      if (current === null) {
        take(exchange);
        exchange.start();
        return;
      }
      waiting.push(exchange);
      if (waiting.length < maxWaiting) return;
      isFull = true;
      exchange.response.shouldKeepAlive = false;
      ignoreFurtherRequests(exchange.request.socket as Socket & ParsedSocket);
    },
  };
}

/** What Node keeps on a socket that it reads requests from. It is not documented, so it may be missing. */
interface ParsedSocket {
  readonly parser?: { onIncoming?: () => number } | null;
}

/** llhttp ends the reading of what it was given at a request that is answered with this, as for an upgrade. */
const NO_MORE_REQUESTS = 2;

/**
 * Nothing that follows on the connection will be answered. Node would still make a request and a response of each of
 * the 1,500 that may be in what it has read: 200 connections of them took the event loop for 4.5 s. Without this hook
 * that is all that is lost.
 */
function ignoreFurtherRequests(socket: ParsedSocket): void {
  const { parser } = socket;
  if (parser?.onIncoming !== undefined) parser.onIncoming = () => NO_MORE_REQUESTS;
}

/** How much of a body that no one wants is read, and for how long, so that its connection can be used again. */
const UNWANTED_BYTES = 64 * 2 ** 20;
const UNWANTED_MS = 500;

/** Reads the rest of a request to throw it away; a client that sends too much, or too slowly, is cut off. */
export function discardRest(request: IncomingMessage): void {
  if (request.readableEnded || request.destroyed) return;
  let bytes = 0;
  const cut = (): void => {
    stop();
    (request.socket as Socket).destroySoon();
  };
  const count = (chunk: Uint8Array): void => {
    bytes += chunk.length;
    if (bytes > UNWANTED_BYTES) cut();
  };
  const timer = setTimeout(cut, UNWANTED_MS).unref();
  const stop = (): void => {
    clearTimeout(timer);
    request.off('data', count).off('end', stop).off('error', stop);
  };
  request.on('data', count).on('end', stop).on('error', stop).resume();
}
