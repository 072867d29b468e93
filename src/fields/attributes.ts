/** What a field may be called, and what else may be said of it: read from untrusted values, of a body or of a file. */

import { isObject } from '../json.ts';
import { badInput } from './errors.ts';
import type { FieldProperties } from './field.ts';
import type { FieldChanges } from './field-store.ts';

/** Limits of what is said of a field. */
export const fieldLimits = {
  /** Of a name, a group, a crop and an id: as many characters as both databases index. */
  textChars: 120,
  /** Of the properties as JSON. */
  propertiesBytes: 16_384,
} as const;

/** Values as they came. One that is undefined stays as it is. */
export interface GivenAttributes {
  readonly externalId?: unknown;
  readonly name?: unknown;
  readonly group?: unknown;
  readonly crop?: unknown;
  readonly sownOn?: unknown;
  readonly properties?: unknown;
}

/** Reads what is said of a field; throws an error that names what is wrong. */
export function parseAttributes(given: GivenAttributes): Omit<FieldChanges, 'outline'> {
  const name = given.name === undefined ? undefined : parseText(given.name, 'name', 'bad-name');
  if (name === null) throw badInput('bad-name', 'The name of a field must not be empty.');
  const attributes = {
    externalId:
      given.externalId === undefined
        ? undefined
        : parseText(given.externalId, 'external id', 'bad-external-id'),
    name,
    group: given.group === undefined ? undefined : parseText(given.group, 'group', 'bad-group'),
    crop: given.crop === undefined ? undefined : parseText(given.crop, 'crop', 'bad-crop'),
    sownOn: given.sownOn === undefined ? undefined : parseSowing(given.sownOn),
    properties: given.properties === undefined ? undefined : parseProperties(given.properties),
  };
  const known = Object.entries(attributes).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known) as Omit<FieldChanges, 'outline'>;
}

/** Letters of any language; nothing that breaks a line or cannot be stored. */
const PLAIN = /^[^\p{Cc}\p{Cs}]+$/u;

type TextCode = 'bad-name' | 'bad-external-id' | 'bad-group' | 'bad-crop';

/** A text, or a number as one; null for nothing. */
function parseText(value: unknown, what: string, code: TextCode): string | null {
  if (value === null) return null;
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text === 'string') {
    const trimmed = text.trim();
    if (trimmed === '') return null;
    if (trimmed.length <= fieldLimits.textChars && PLAIN.test(trimmed)) return trimmed;
  }
  throw badInput(
    code,
    `The ${what} of a field must be a text of 1 to ${fieldLimits.textChars} characters, without line breaks.`,
  );
}

/** A day, also with a time behind it or with slashes, as tables write it; null for nothing. */
function parseSowing(value: unknown): string | null {
  if (value === null || value === '') return null;
  const match =
    typeof value === 'string' ? /^(\d{4})[-/](\d{2})[-/](\d{2})(?:[T ].*)?$/.exec(value.trim()) : null;
  const day = match === null ? '' : `${match[1]}-${match[2]}-${match[3]}`;
  const time = Date.parse(`${day}T00:00:00Z`);
  // February has no 30th day.
  if (!Number.isNaN(time) && new Date(time).toISOString().startsWith(day)) return day;
  throw badInput('bad-sown-on', 'The sowing date of a field must be a day such as 2026-04-20.');
}

/** Free values, in the order of their names, so that equal ones are equal texts. */
function parseProperties(value: unknown): FieldProperties {
  if (value === null) return {};
  const isFlat =
    isObject(value) &&
    Object.values(value).every(
      (one) => one === null || typeof one === 'string' || typeof one === 'boolean' || Number.isFinite(one),
    );
  if (!isFlat) {
    throw badInput(
      'bad-properties',
      'The properties of a field must be an object of texts, numbers, true, false and null.',
    );
  }
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  const properties = Object.fromEntries(entries) as FieldProperties;
  if (Buffer.byteLength(JSON.stringify(properties)) > fieldLimits.propertiesBytes) {
    throw badInput(
      'bad-properties',
      `The properties of a field may take at most ${fieldLimits.propertiesBytes} bytes of JSON.`,
    );
  }
  return properties;
}
