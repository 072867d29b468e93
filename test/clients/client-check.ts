import type { Installed } from './install.ts';
import type { Address } from './snippets.ts';

/** What every check works with. */
export interface ClientStage extends Address, Installed {
  /** An empty folder of the check. */
  readonly folder: string;
  /** The data directory of the service. */
  readonly dataDir: string;
}

/** One program of others, used as its users use it. */
export interface ClientCheck {
  readonly name: string;
  /** Why it cannot be tried on this machine, or null. */
  readonly whyNot?: () => string | null;
  /** Throws if the program does not work; says in a few words what it did. */
  readonly run: (stage: ClientStage) => Promise<string>;
}
