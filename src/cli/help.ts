import type { Terminal } from './terminal.ts';

const main = `Swath: self-hosted satellite imagery.

Usage: swath <command> [options]

Commands:
  serve      start the service (search, map tiles, viewer)
  keys       create, list and revoke API keys
  doctor     show versions, settings and limits, and check the data directory

Options:
  -h, --help     this text, or "swath <command> --help"
  -V, --version  the version

Settings are environment variables such as SWATH_PORT and SWATH_DATA; "swath doctor" shows those in force.
Exit status: 0 done, 1 failed, 2 wrong usage or settings, 70 crashed.`;

const topics: ReadonlyMap<string, string> = new Map([
  [
    'serve',
    `Usage: swath serve

Starts the service and runs until it is told to stop (Ctrl-C or SIGTERM), finishing what is under way.
The first start makes an API key and prints the map's address with it, and fills an empty catalog with a
demo scene (SWATH_DEMO=off leaves it empty).

The most used settings:
  SWATH_PORT   port to listen on (8080)
  SWATH_HOST   address to listen on (127.0.0.1; 0.0.0.0 for all)
  SWATH_DATA   data directory (./data)`,
  ],
  [
    'keys',
    `Usage: swath keys create [--label TEXT] [--expires DATE] [--rate N] [--read-only]
       swath keys list [--json]
       swath keys revoke <id>

create prints the key once; only a hash of it is stored. It works at once, also on a running server.
  -l, --label TEXT   what the key is for
      --expires DATE last day of validity (UTC), such as 2030-12-31
      --rate N       requests per minute
      --read-only    may search and render, but not create anything
list   shows ids, labels and state, never the keys themselves.
revoke ends a key at once.`,
  ],
  [
    'doctor',
    `Usage: swath doctor

Prints versions, the settings in force and the limits, and checks the data directory: room on the disk and
every page of the database. Changes nothing. Exit status 1 when something is wrong.`,
  ],
]);

/** Prints the help of a command, or of the program. */
export function printHelp(terminal: Terminal, topic: string | null): void {
  terminal.line((topic === null ? undefined : topics.get(topic)) ?? main);
}
