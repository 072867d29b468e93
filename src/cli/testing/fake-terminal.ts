import type { Terminal } from '../terminal.ts';
import { makeTerminal } from '../terminal.ts';

/** A terminal that remembers what was printed, without colours. */
export function makeFakeTerminal(): {
  readonly terminal: Terminal;
  readonly out: () => string;
  readonly err: () => string;
} {
  const [out, err]: [string[], string[]] = [[], []];
  const terminal = makeTerminal({
    out: { write: (text: string | Uint8Array) => out.push(String(text)) > 0 },
    err: { write: (text: string | Uint8Array) => err.push(String(text)) > 0 },
    noColor: true,
  });
  return { terminal, out: () => out.join(''), err: () => err.join('') };
}
