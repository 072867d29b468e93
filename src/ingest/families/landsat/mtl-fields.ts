import { sourceBroken } from '../../../errors.ts';
import { isObject } from '../../../json.ts';
import type { XmlElement } from '../../../xml/index.ts';
import { localName, MAX_METADATA_BYTES, parseXml } from '../../../xml/index.ts';
import { parseJsonObject, toText } from '../../metadata/values.ts';

/** Fields of a metadata file by group; all values are text without quotes. */
export type LandsatFields = ReadonlyMap<string, ReadonlyMap<string, string>>;

type Groups = Map<string, Map<string, string>>;

/** Names of the outermost group: until Collection 1, and since Collection 2. */
const ROOTS = ['L1_METADATA_FILE', 'LANDSAT_METADATA_FILE'];

/** Parses a Landsat MTL file in any of its three formats, recognised by content: ODL (.txt), JSON and XML. */
export function parseLandsatFields(text: string, what: string): LandsatFields {
  if (text.length > MAX_METADATA_BYTES) throw bad(what, `is longer than ${MAX_METADATA_BYTES} characters`);
  const start = text.trimStart();
  if (start.startsWith('<')) return fromXml(parseXml(text, what), what);
  if (start.startsWith('{')) return fromJson(parseJsonObject(text, what), what);
  return fromOdl(text, what);
}

const bad = (what: string, why: string) => sourceBroken('metadata-bad-mtl', `The file ${what} ${why}.`);

/** The value includes the white space before it: a pattern for both would backtrack. */
const LINE = /^([A-Z][A-Z0-9_]*)\s*=(.*)$/;

/** Files of some years are padded with NUL characters after `END`; the rest is ignored. */
function fromOdl(text: string, what: string): LandsatFields {
  const groups: Groups = new Map();
  const open: string[] = [];
  for (const raw of text.split('\n')) {
    const line = raw.trim();
    if (line === 'END') break;
    if (line === '') continue;
    const [, key, behind] = LINE.exec(line) ?? [];
    if (key === undefined || behind === undefined)
      throw bad(what, 'has a line that is neither a field nor a group');
    const value = behind.trimStart();
    if (key === 'GROUP') open.push(unquote(value));
    else if (key === 'END_GROUP') {
      if (open.pop() !== unquote(value)) throw bad(what, 'closes a group that is not open');
    } else put(groups, { group: open.at(-1) ?? '', key, value: unquote(value) });
    if (open.length === 1 && !ROOTS.includes(open[0] ?? ''))
      throw bad(what, 'is not a Landsat metadata file');
  }
  if (open.length > 0 || groups.size === 0) throw bad(what, 'is truncated or empty');
  return groups;
}

const unquote = (text: string): string => /^"(.*)"$/.exec(text)?.[1] ?? text;

function put(groups: Groups, { group, key, value }: { group: string; key: string; value: string }): void {
  const fields = groups.get(group) ?? new Map<string, string>();
  groups.set(group, fields);
  fields.set(key, value);
}

function fromJson(document: Readonly<Record<string, unknown>>, what: string): LandsatFields {
  const root = ROOTS.map((name) => document[name]).find(isObject);
  if (root === undefined) throw bad(what, 'is not a Landsat metadata file');
  const groups: Groups = new Map();
  for (const [group, fields] of Object.entries(root)) {
    if (!isObject(fields)) continue;
    for (const [key, given] of Object.entries(fields)) {
      const value = toText(given);
      if (value !== null) put(groups, { group, key, value });
    }
  }
  return groups;
}

function fromXml(root: XmlElement, what: string): LandsatFields {
  if (!ROOTS.includes(localName(root))) throw bad(what, 'is not a Landsat metadata file');
  const groups: Groups = new Map();
  for (const group of elementsOf(root)) {
    for (const field of elementsOf(group)) {
      put(groups, { group: localName(group), key: localName(field), value: field.text.trim() });
    }
  }
  return groups;
}

const elementsOf = (element: XmlElement): XmlElement[] =>
  element.children.filter((child): child is XmlElement => child.type === 'element');
