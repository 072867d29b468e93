import { readFileSync } from 'node:fs';

const GUIDE = new URL('../../docs/use/clients.md', import.meta.url);

/** How the guide writes the address of the service, and a key. */
const WRITTEN = { url: 'http://127.0.0.1:8080', key: 'YOUR_KEY' } as const;

/** The address of a running service and a key of it. */
export interface Address {
  readonly url: string;
  readonly key: string;
}

/** A text of the documentation with the address and the key of a running service in it. */
export const fillIn = (text: string, { url, key }: Address): string =>
  text.replaceAll(WRITTEN.url, url).replaceAll(WRITTEN.key, key);

/** The code blocks of one section of docs/use/clients.md, as they are written there. */
export function readSnippets(heading: string, language: string): readonly string[] {
  const sections = readFileSync(GUIDE, 'utf8').split(/^## /m);
  const section = sections.find((text) => text.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`docs/use/clients.md has no section "${heading}".`);
  const blocks = [...section.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)];
  const found = blocks.filter(([, word]) => word === language).map(([, , code = '']) => code);
  if (found.length === 0) throw new Error(`The section "${heading}" has no ${language}.`);
  return found;
}
