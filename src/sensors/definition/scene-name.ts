/** The fields of a scene name as text, by field name: `{ path: '011', row: '031', … }`. */
export type SceneParts = Readonly<Record<string, string>>;

/** One field of a scene name. */
export interface NameField {
  readonly name: string;
  /** The valid values in words, for error messages. */
  readonly expects: string;
  readonly isValid: (text: string) => boolean;
  /** Number of characters, if it is fixed. */
  readonly width?: number;
  /** Whether it may be missing; only the last field can. */
  readonly optional?: true;
}

/** One form of a scene name. */
export interface NameForm {
  readonly form: string;
  /** The separator of the fields: a slash if each is a path segment, empty if widths are fixed. */
  readonly separator: '/' | '_' | '';
  readonly fields: readonly NameField[];
  /** Day of acquisition, `YYYY-MM-DD`; null if there is no such day. */
  readonly toDate: (parts: SceneParts) => string | null;
  /** A point inside the scene; absent if names do not state the place, null if these fields do not. */
  readonly toPoint?: (parts: SceneParts) => ParsedName['point'];
  /** Checks the fields together; returns a message if they contradict each other. */
  readonly findConflict?: (parts: SceneParts) => string | null;
}

/** How the scenes of a sensor are named. */
export interface SceneGrammar {
  /** How many path segments a name has. */
  readonly segments: number;
  /** An example, for error messages. */
  readonly example: string;
  /** A segment that clients may send before the name; it is ignored. */
  readonly prefix?: NameField;
  readonly forms: readonly NameForm[];
  /** Max difference in days between the name and the acquisition; 0 by default. */
  readonly maxDaysApart?: number;
}

/** A parsed scene name. */
export interface ParsedName {
  readonly form: string;
  readonly parts: SceneParts;
  readonly date: string;
  /** A point inside the scene, longitude and latitude; null if the name does not state its place. */
  readonly point: readonly [lon: number, lat: number] | null;
  /** The canonical name: the scene id in the paths of previews, points and intensity ranges. */
  readonly text: string;
}

/** Longer segments are refused; the longest real name, of Sentinel-1, has 67 characters. */
const MAX_SEGMENT_CHARS = 100;

/** Parses a scene name; returns a message if it does not follow the grammar. */
export function readSceneName(grammar: SceneGrammar, segments: readonly string[]): ParsedName | string {
  if (segments.length !== grammar.segments) {
    return `it must have ${grammar.segments} path segments, as in ${grammar.example}`;
  }
  if (segments.some((segment) => segment.length > MAX_SEGMENT_CHARS)) {
    return `a segment is longer than ${MAX_SEGMENT_CHARS} characters`;
  }
  for (const form of grammar.forms) {
    const pieces = toPieces(form, segments);
    if (pieces !== null) return readForm(form, pieces);
  }
  return `it must look like ${grammar.example}`;
}

/** Writes the fields as a scene name; numbers are padded with zeros to the width of their field. */
export function toSceneText(form: NameForm, parts: Readonly<Record<string, string | number>>): string {
  const pieces = form.fields
    .filter(({ name, optional }) => optional === undefined || parts[name] !== undefined)
    .map(({ name, width }) => {
      const value = parts[name] ?? '';
      return typeof value === 'number' ? String(value).padStart(width ?? 0, '0') : value;
    });
  return pieces.join(form.separator);
}

function readForm(form: NameForm, pieces: readonly string[]): ParsedName | string {
  const parts: Record<string, string> = {};
  for (const [index, field] of form.fields.entries()) {
    const piece = pieces[index];
    if (piece === undefined) break;
    if (!field.isValid(piece)) {
      return `${field.name} must be ${field.expects}, not ${JSON.stringify(piece.slice(0, 20))}`;
    }
    parts[field.name] = piece;
  }
  const date = form.toDate(parts);
  if (date === null) return 'the calendar has no such day';
  const conflict = form.findConflict?.(parts) ?? null;
  const point = form.toPoint?.(parts) ?? null;
  return conflict ?? { form: form.form, parts, date, point, text: pieces.join(form.separator) };
}

/** Splits the name into its fields; null if the number of pieces does not fit the form. */
function toPieces({ separator, fields }: NameForm, segments: readonly string[]): readonly string[] | null {
  if (separator === '') return cutByWidths(fields, segments[0] ?? '');
  // Segments are not joined and split again: an encoded slash inside one must not become a separator.
  const pieces = separator === '/' ? segments : (segments[0] ?? '').split(separator);
  const min = fields.filter(({ optional }) => optional === undefined).length;
  return pieces.length >= min && pieces.length <= fields.length ? pieces : null;
}

function cutByWidths(fields: readonly NameField[], text: string): readonly string[] | null {
  let end = 0;
  const pieces = fields.map(({ width = 0 }) => {
    end += width;
    return text.slice(end - width, end);
  });
  return text.length === end ? pieces : null;
}

/** A field with one of a few values. */
export const oneOf = (name: string, ...words: readonly string[]): NameField => ({
  name,
  expects: words.length === 1 ? `${words[0]}` : `one of ${words.join(', ')}`,
  isValid: (text) => words.includes(text),
  ...(new Set(words.map((word) => word.length)).size === 1 ? { width: words[0]?.length ?? 0 } : {}),
});

/** A field of a fixed number of digits, within bounds. */
export const digits = (name: string, width: number, [min, max]: readonly [number, number]): NameField => ({
  name,
  width,
  expects: `${width} digits, ${String(min).padStart(width, '0')} to ${String(max).padStart(width, '0')}`,
  // [0-9] instead of a number parser, which would accept " 7" and "1e1".
  isValid: (text) =>
    text.length === width && /^[0-9]+$/.test(text) && Number(text) >= min && Number(text) <= max,
});

/** A field that is an integer without leading zeros, within bounds. */
export const wholeNumber = (name: string, [min, max]: readonly [number, number]): NameField => ({
  name,
  expects: `a number from ${min} to ${max} without leading zeros`,
  isValid: (text) => /^(?:0|[1-9][0-9]{0,5})$/.test(text) && Number(text) >= min && Number(text) <= max,
});

/** A field that matches a pattern, which must be anchored. */
export const matching = (
  name: string,
  pattern: RegExp,
  options: { readonly expects: string; readonly width?: number },
): NameField => ({ name, ...options, isValid: (text) => pattern.test(text) });

/** The day as `YYYY-MM-DD`, from text of digits; null if the calendar has no such day. */
export function toDay(year: string, month: string, day: string): string | null {
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  // A Date turns 30 February into 2 March, and no longer matches the input.
  const same = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  return same ? date.toISOString().slice(0, 10) : null;
}

/** The day written as `YYYYMMDD`. */
export const toDayFromDigits = (digits: string): string | null =>
  /^\d{8}$/.test(digits) ? toDay(digits.slice(0, 4), digits.slice(4, 6), digits.slice(6)) : null;

/** The day written as `YYYYDDD`, counted from 001 for the first of January. */
export function toDayFromOrdinal(digits: string): string | null {
  const year = Number(digits.slice(0, 4));
  const ordinal = Number(digits.slice(4));
  if (!/^\d{7}$/.test(digits) || ordinal < 1) return null;
  const date = new Date(Date.UTC(year, 0, ordinal));
  return date.getUTCFullYear() === year ? date.toISOString().slice(0, 10) : null;
}

/** Whether the text is a time of day written as `HHMMSS`. */
export const isClock = (digits: string): boolean => /^(?:[01]\d|2[0-3])[0-5]\d[0-5]\d$/.test(digits);
