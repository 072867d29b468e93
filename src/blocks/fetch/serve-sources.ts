import type { MessagePort } from 'node:worker_threads';
import { internal, toWire } from '../../errors.ts';
import type { ByteSource } from '../../sources/index.ts';
import { HEAD_BYTES } from '../../sources/index.ts';
import type { FromNetwork, ToNetwork } from './relay-protocol.ts';
import type { SharedSources } from './shared-sources.ts';

/** What is done with bytes that a thread reads: stored for later reads, or not because they are read once. */
export type ReadUse = 'stored' | 'once';

interface ServeOptions {
  readonly use: ReadUse;
  /** Told when a request begins and when it is over. */
  readonly onRunning?: (change: 1 | -1) => void;
}

/** Answers one thread on the network thread: opens and reads remote files for it, until its port closes. */
export function serveSources(
  port: MessagePort,
  sources: SharedSources,
  { use, onRunning = () => {} }: ServeOptions,
): void {
  const files = new Map<number, ByteSource>();
  const running = new Map<number, AbortController>();

  port.on('message', (message: ToNetwork) => {
    if (message.type === 'cancel') running.get(message.id)?.abort();
    else if (message.type === 'close') files.delete(message.file);
    else void answer(message);
  });
  port.on('close', () => {
    for (const controller of running.values()) controller.abort();
    files.clear();
  });

  async function answer(message: Extract<ToNetwork, { type: 'open' | 'read' }>): Promise<void> {
    const controller = new AbortController();
    running.set(message.id, controller);
    onRunning(1);
    try {
      const { signal } = controller;
      if (message.type === 'open') await openFile(message, signal);
      else await readFile(message, signal);
    } catch (error) {
      post({ type: 'failed', id: message.id, error: toWire(error) });
    } finally {
      running.delete(message.id);
      onRunning(-1);
    }
  }

  async function openFile(
    { id, href, known }: Extract<ToNetwork, { type: 'open' }>,
    signal: AbortSignal,
  ): Promise<void> {
    const source = await (known === null
      ? sources.open(href, signal)
      : sources.openKnown(href, known.stamp, signal));
    const head = (await source.read(0, Math.min(HEAD_BYTES, source.size), signal)).slice();
    files.set(id, source);
    const { id: name, version, size } = source;
    post({ type: 'opened', id, source: { id: name, version, size }, head }, head.buffer);
  }

  async function readFile(
    { id, file, offset, length }: Extract<ToNetwork, { type: 'read' }>,
    signal: AbortSignal,
  ): Promise<void> {
    const source = files.get(file);
    if (source === undefined) throw internal('no-such-file', 'A thread reads a file that it has not opened.');
    // Copied: the bytes may be in memory for others.
    const read = use === 'once' ? (source.readOnce ?? source.read) : source.read;
    const bytes = (await read(offset, length, signal)).slice();
    post({ type: 'bytes', id, bytes }, bytes.buffer);
  }

  function post(message: FromNetwork, ...transfer: ArrayBuffer[]): void {
    port.postMessage(message, transfer);
  }
}
