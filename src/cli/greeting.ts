import type { Terminal } from './terminal.ts';

interface Greeting {
  readonly version: string;
  readonly url: string;
  readonly dataDir: string;
  /** A key made at this start; null when there are keys already. */
  readonly newKey: string | null;
}

/** What a person reads when the service has started: where to look, and with which key. */
export function printGreeting({ line, style }: Terminal, { version, url, dataDir, newKey }: Greeting): void {
  line(`${style.bold('Swath')} ${version} is running. Data: ${dataDir}`);
  if (newKey === null) {
    line(
      `  Map   ${style.cyan(`${url}/`)}   ${style.dim('it asks for your key; "npm run swath keys create" makes another')}`,
    );
  } else {
    line('A key was made for you; it is shown only this once:');
    line();
    line(`  Map   ${style.cyan(`${url}/?api_key=${newKey}`)}`);
  }
  line(`  API   ${style.cyan(`${url}/docs`)}`);
  line();
  line(style.dim('Stop with Ctrl-C.'));
}
