import { badInput } from '../../errors.ts';

/** Parameters of a query string, each at most once. Names are case-sensitive. */
export type Query = ReadonlyMap<string, string>;

/** Parses a raw query string; a repeated or badly encoded parameter is an error, never a silent choice. */
export function parseQuery(raw: string): Query {
  const query = new Map<string, string>();
  for (const part of raw.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = decode(equals < 0 ? part : part.slice(0, equals));
    const value = equals < 0 ? '' : decode(part.slice(equals + 1));
    if (query.has(name)) {
      throw badInput(
        'repeated-parameter',
        `The query parameter ${name.slice(0, 40)} is given more than once.`,
      );
    }
    query.set(name, value);
  }
  return query;
}

/** `name[]=…` is how some clients send lists; here it would be another parameter, ignored without a word. */
export function refuseLists(query: Query, isKnown: (name: string) => boolean): void {
  for (const written of query.keys()) {
    const bracket = written.indexOf('[');
    if (bracket < 1 || !isKnown(written.slice(0, bracket))) continue;
    const name = written.slice(0, bracket);
    throw badInput(
      'list-parameter',
      `The query parameter ${name} is given once, without brackets: ${name}=….`,
    );
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (error) {
    throw badInput('bad-encoding', 'The query string is not valid percent-encoded UTF-8.', { cause: error });
  }
}
