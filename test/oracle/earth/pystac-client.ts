import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { endWithUs } from './start-stac-fastapi.ts';

/** What pystac-client found. */
export interface PystacFound {
  /** In the order of the API. */
  readonly items: readonly (readonly [collection: string, id: string])[];
  /** What the API says; null if it does not count. */
  readonly matched: number | null;
}

/** pystac-client in a process of its own, which answers one search after another. */
export interface PystacClient extends AsyncDisposable {
  /** Arguments are those of pystac-client's `Client.search`. */
  search(words: Readonly<Record<string, unknown>>): Promise<PystacFound>;
}

/** Starts it for one STAC API. */
export function startPystacClient(bin: string, url: string): PystacClient {
  const script = fileURLToPath(new URL('ask_pystac_client.py', import.meta.url));
  const child = spawn(join(bin, 'python'), [script, url], { stdio: ['pipe', 'pipe', 'inherit'] });
  const stop = endWithUs(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async search(words) {
      child.stdin.write(`${JSON.stringify(words)}\n`);
      const { value, done } = await lines.next();
      if (done === true) throw new Error('pystac-client has ended.');
      const answer = JSON.parse(value) as PystacFound & { readonly error?: string };
      if (answer.error !== undefined) throw new Error(`${answer.error} for ${JSON.stringify(words)}`);
      return answer;
    },
    [Symbol.asyncDispose]: stop,
  };
}
