import { realpathSync } from 'node:fs';
import { isIP } from 'node:net';
import { dirname, join, resolve } from 'node:path';

/** How one setting is read from the environment and explained to a person. */
export interface Setting<Value> {
  readonly variable: string;
  /** The name that other programs have for it; read if the variable itself is not set. */
  readonly alias?: string;
  readonly summary: string;
  /** What `doctor` and the documentation show as the default. */
  readonly fallbackText: string;
  readonly fallback: () => Value;
  readonly parse: (text: string) => Value;
  /** Never printed. */
  readonly secret?: boolean;
  /** How a value that is not plain text is shown. */
  readonly show?: (value: Value) => string;
}

/** Settings by the name of their value. */
export type SettingsOf<Values> = { readonly [Name in keyof Values]: Setting<Values[Name]> };

/** Thrown for a wrong value that is in a file named by the variable, not in the variable itself. */
export class SettingError extends Error {
  /** The wrong value; null if the message has it already, or if it may not be shown. */
  readonly got: string | null;

  constructor(message: string, got: string | null) {
    super(message);
    this.got = got;
  }
}

// The parsers below throw an Error whose message continues the variable's name.

/** A whole number in decimal digits within a range. */
export function parseCount(text: string, min: number, max: number): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) throw new Error(`must be a whole number from ${min} to ${max}`);
  return value;
}

/** One of a few words. */
export function parseChoice<const Word extends string>(text: string, words: readonly Word[]): Word {
  const word = words.find((candidate) => candidate === text);
  if (word === undefined) throw new Error(`must be one of ${words.join(', ')}`);
  return word;
}

/** A line of text without control characters. */
export function parseText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused here
  if (/[\u0000-\u001f\u007f]/.test(text)) throw new Error('must not hold control characters');
  if (text.trim() !== text) throw new Error('must not begin or end with a space');
  return text;
}

/** An absolute path without symbolic links, also of a directory that does not exist yet: files are compared by real paths. */
export function parseDirectory(text: string): string {
  const path = resolve(parseText(text));
  for (
    let [existing, rest] = [path, ''];
    ;
    [existing, rest] = [dirname(existing), path.slice(dirname(existing).length)]
  ) {
    try {
      return join(realpathSync(existing), rest);
    } catch {
      // The root always exists; what cannot be made is reported when it is made.
      if (existing === dirname(existing)) return path;
    }
  }
}

/** A key: long enough not to be guessed, and safe in a URL and a header. */
export function parseSecret(text: string): string {
  if (!/^[A-Za-z0-9._~-]{16,256}$/.test(text)) {
    throw new Error('must be 16 to 256 characters of A-Z a-z 0-9 . _ ~ -');
  }
  return text;
}

/** An http(s) address without query, fragment or credentials; returned without a trailing slash. */
export function parseHttpUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain =
    url !== null && url.search === '' && url.hash === '' && url.username === '' && url.password === '';
  if (!isPlain || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new Error('must be an http or https address such as https://host.example.org');
  }
  return url.href.replace(/\/+$/, '');
}

/** The address of a PostgreSQL database; it may hold a password, so no message repeats it. */
export function parsePostgresUrl(text: string): string {
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) {
    throw new Error('must be an address such as postgres://user:password@host:5432/database');
  }
  return text;
}

/** True for a network such as 10.0.0.0/8. */
export function isNetwork(text: string): boolean {
  const [address = '', bits = '', ...rest] = text.split('/');
  const maxBits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= maxBits;
}

/** The limit that a setting means: 0 is none. */
export const noLimitAtZero = (limit: number): number => (limit === 0 ? Number.POSITIVE_INFINITY : limit);
