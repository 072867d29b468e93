import type { Pace } from './patience.ts';
import type { Keyring, Target } from './target.ts';

/** How much an attacker gains when it succeeds: high stops the service or leaks, low is a blemish. */
export type Severity = 'high' | 'medium' | 'low';

/** What was seen of an attack, and whether that is the wanted behaviour. */
export interface Sight {
  readonly ok: boolean;
  readonly saw: string;
}

/** One attack; the list of them reads like a table of contents. */
export interface Attack {
  readonly name: string;
  readonly severity: Severity;
  /** What the attacker does. */
  readonly does: string;
  /** The limit or rule that stops it, as docs/operate/limits.md and docs/operate/hardening.md have it. */
  readonly limit: string;
  /** Done in about two seconds: `npm test` runs it too. */
  readonly isQuick?: boolean;
  run(context: AttackContext): Promise<Sight>;
}

/** Attacks of one kind, in one file. */
export interface Family {
  readonly name: string;
  readonly attacks: readonly Attack[];
}

/** What an attack is given. */
export interface AttackContext extends Pace {
  /** The server that most attacks share, over the small demo. */
  readonly server: Target;
  readonly keys: Keyring;
  /** A server of the attack's own; it is stopped when the attack ends. */
  start(options?: StartOptions): Promise<Target>;
  /** Loopback addresses that no other attack uses, so that counts per address begin at zero; skips where there is one. */
  addresses(count: number): readonly string[];
  /** Everything that every server of this run has printed so far. */
  printed(): string;
  /** False in `npm test`, where a slow machine misses every limit on time: attacks are short, and judged by work. */
  readonly isTimed: boolean;
  /** Whether normal traffic to another server takes its share of the machine. */
  readonly isSoak: boolean;
  /** Runs when the attack has ended, last first. */
  defer(clean: () => void | Promise<void>): void;
}

/** How a server of an attack's own differs from the shared one. */
export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Called with the data directory before the server starts. */
  readonly prepare?: (dataDir: string) => Promise<void> | void;
  /** A directory of the caller; by default a copy of the small demo that is removed afterwards. */
  readonly dataDir?: string;
}

/** Thrown by an attack that this machine cannot run. */
export class Skipped extends Error {}

/** Gives the attack up, with the reason for the line. */
export function skip(reason: string): never {
  throw new Skipped(reason);
}

/** A result from several conditions; those not met are named after the observation. */
export function judge(saw: string, demands: Readonly<Record<string, boolean>>): Sight {
  const missed = Object.entries(demands).flatMap(([demand, isMet]) => (isMet ? [] : [demand]));
  return { ok: missed.length === 0, saw: missed.length === 0 ? saw : `${saw}; wanted: ${missed.join(', ')}` };
}
