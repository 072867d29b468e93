/** A field of a metadata file; words stand in quotes, numbers and days do not. */
export interface MtlField {
  readonly key: string;
  readonly value: string;
  readonly isWord: boolean;
}

/** A group of fields. */
export interface MtlGroup {
  readonly name: string;
  readonly fields: readonly MtlField[];
}

/** A field whose value is a word. */
export const word = (key: string, value: string): MtlField => ({ key, value, isWord: true });

/** A field whose value is a number or a day. */
export const bare = (key: string, value: string | number): MtlField => ({
  key,
  value: String(value),
  isWord: false,
});

/** The file `_MTL.txt`, in the object description language. */
export function toOdl(root: string, groups: readonly MtlGroup[]): string {
  const lines = groups.flatMap(({ name, fields }) => [
    `  GROUP = ${name}`,
    ...fields.map(({ key, value, isWord }) => `    ${key} = ${isWord ? `"${value}"` : value}`),
    `  END_GROUP = ${name}`,
  ]);
  return [`GROUP = ${root}`, ...lines, `END_GROUP = ${root}`, 'END', ''].join('\n');
}

/** The file `_MTL.json`, in which all values are text. */
export function toJson(root: string, groups: readonly MtlGroup[]): string {
  const entries = groups.map(({ name, fields }) => [
    name,
    Object.fromEntries(fields.map(({ key, value }) => [key, value])),
  ]);
  return `${JSON.stringify({ [root]: Object.fromEntries(entries) }, null, 2)}\n`;
}

/** The file `_MTL.xml`; no value of ours has a character that XML would escape. */
export function toXml(root: string, groups: readonly MtlGroup[]): string {
  const lines = groups.flatMap(({ name, fields }) => [
    `  <${name}>`,
    ...fields.map(({ key, value }) => `    <${key}>${value}</${key}>`),
    `  </${name}>`,
  ]);
  return ['<?xml version="1.0" encoding="UTF-8"?>', `<${root}>`, ...lines, `</${root}>`, ''].join('\n');
}
