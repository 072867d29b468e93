/**
 * The tagged errors that all rooms throw. A caller decides by `tag` (the kind of error) and `code` (the exact error).
 * `message` is a full sentence for the user: it names the parameter and the limit, never a path, an address or a key.
 */

/** The kind of error. `http/` maps each tag to a status and `tasks/` to a task code, in one table each. */
export type ErrorTag =
  | 'bad-input'
  | 'unsupported'
  | 'not-found'
  | 'not-allowed'
  | 'conflict'
  | 'too-large'
  | 'too-busy'
  | 'unavailable'
  | 'source-broken'
  | 'timed-out'
  | 'cancelled'
  | 'internal';

/** Fields a caller may need in addition to the sentence: a parameter, a limit, a wait. Values are shown to users. */
export type ErrorDetails = Readonly<Record<string, string | number | boolean | null>>;

/** What an error is about, as its sentence names it. */
export interface Subject {
  /** What is read, such as "a file of this scene". */
  readonly file: string;
  /** Who has it, such as "a store of this scene". */
  readonly server: string;
}

/** The subject of an error whose thrower does not know more. */
const NEUTRAL: Subject = { file: 'a file', server: 'a server' };

interface ErrorOptions {
  readonly cause?: unknown;
  readonly details?: ErrorDetails;
}

interface SubjectOptions extends ErrorOptions {
  readonly subject?: Subject;
}

interface SwathErrorOptions extends ErrorOptions {
  readonly template?: string | null;
}

/** What a parameter is called at the address that was asked. */
type NameOf = (parameter: string) => string;

/**
 * The sentence of an error. One that names parameters of a request takes their names, which are those of tiles unless the
 * address has others.
 */
type Sentence = string | ((nameOf: NameOf) => string);

/** Base of every error that Swath throws on purpose. */
export class SwathError extends Error {
  readonly tag: ErrorTag;
  /** Machine-readable, stable, kebab-case: `bad-zoom`, `unknown-band`. */
  readonly code: string;
  readonly details: ErrorDetails;
  /** The sentence with {file} or {server} where its subject stands, so that a caller can name another; null for most. */
  readonly template: string | null;
  readonly #sentence: Sentence;

  constructor(tag: ErrorTag, code: string, sentence: Sentence, options: SwathErrorOptions = {}) {
    // Refusals are created by the thousand, and their stack says nothing useful, so they have none.
    const { stackTraceLimit } = Error;
    if (tag === 'too-busy' || tag === 'unavailable') Error.stackTraceLimit = 0;
    super(
      toText(sentence, (name) => name),
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'SwathError';
    this.tag = tag;
    this.code = code;
    this.details = options.details ?? {};
    this.template = options.template ?? null;
    this.#sentence = sentence;
  }

  /** The sentence with other names of parameters. */
  tell(nameOf: NameOf): string {
    return toText(this.#sentence, nameOf);
  }
}

const toText = (sentence: Sentence, nameOf: NameOf): string =>
  typeof sentence === 'string' ? sentence : sentence(nameOf);

/** A sentence about a subject. */
function toSentence(template: string, { file, server }: Subject): string {
  const text = template.replace('{file}', file).replace('{server}', server);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Makes errors of one kind with these codes. */
export interface Maker<Code extends string> {
  (code: Code, sentence: Sentence, options?: ErrorOptions): SwathError;
  /** The same for a sentence with {file} or {server} in it, which `withSubject` can say about something else. */
  about(code: Code, template: string, options?: SubjectOptions): SwathError;
}

const maker = (tag: ErrorTag): Maker<string> =>
  Object.assign(
    (code: string, sentence: Sentence, options?: ErrorOptions) =>
      new SwathError(tag, code, sentence, options),
    {
      about: (code: string, template: string, { subject = NEUTRAL, ...options }: SubjectOptions = {}) =>
        new SwathError(tag, code, toSentence(template, subject), { ...options, template }),
    },
  );

/** The request itself is malformed: a parameter's grammar, a missing field. */
export const badInput = maker('bad-input');
/** Well-formed but not possible: an unknown band, a combination without meaning. */
export const unsupported = maker('unsupported');
/** Absent, or hidden from this caller: both look the same from outside. */
export const notFound = maker('not-found');
/** The caller may not do this. */
export const notAllowed = maker('not-allowed');
/** The request disagrees with something already stored. */
const conflict = maker('conflict');
/** Over a size limit; the message says which. */
export const tooLarge = maker('too-large');
/** No capacity right now; `details.retryAfterS` says when to retry. */
export const tooBusy = maker('too-busy');
/** The store cannot work now, through no fault of the request; `details.retryAfterS` says when to retry. */
export const unavailable = maker('unavailable');
/** A file or upstream that we read is damaged, inconsistent or gone. */
export const sourceBroken = maker('source-broken');
/** Work did not finish within its time limit. */
export const timedOut = maker('timed-out');
/** The caller went away or asked to stop. */
export const cancelled = maker('cancelled');
/** A bug in Swath. */
export const internal = maker('internal');

const makers = {
  badInput,
  unsupported,
  notFound,
  notAllowed,
  conflict,
  tooLarge,
  tooBusy,
  unavailable,
  sourceBroken,
  timedOut,
  cancelled,
  internal,
};

type Kind = keyof typeof makers;

/**
 * The makers of a room's errors, by the codes that it has of each kind: its file `errors.ts`. A code that is not in the
 * table does not compile.
 */
export const errorsOf = <const Codes extends { readonly [K in Kind]?: readonly string[] }>(
  _codes: Codes,
): { readonly [K in keyof Codes & Kind]: Maker<NonNullable<Codes[K]>[number]> } => makers;

/** True for errors thrown on purpose, also after `fromWire` restored them from another thread. */
export const isSwathError = (error: unknown): error is SwathError => error instanceof SwathError;

const INTERRUPTIONS: ReadonlySet<ErrorTag> = new Set<ErrorTag>(['cancelled', 'too-busy', 'unavailable']);

/** Whether a failure says nothing about what was worked on: the work was stopped, or there was no room for it. */
export const isInterruption = (error: unknown): boolean =>
  (isSwathError(error) && INTERRUPTIONS.has(error.tag)) ||
  (error instanceof Error && error.name === 'AbortError');

/** True when the store was called and could not work. */
export const isUnavailable = (error: unknown): error is SwathError =>
  isSwathError(error) && error.tag === 'unavailable';

/** The error about another subject: the caller knows what it has asked for. Other errors stay as they are. */
export function withSubject<Thrown>(error: Thrown, subject: Subject): Thrown | SwathError {
  if (!isSwathError(error) || error.template === null) return error;
  const { tag, code, details, cause, template } = error;
  return new SwathError(tag, code, toSentence(template, subject), { details, cause, template });
}

/** What is wrong with a request itself, and not with the service. */
const REFUSING: ReadonlySet<ErrorTag> = new Set(['bad-input', 'unsupported', 'too-large']);

/**
 * A refusal that says in `details.about` which part of an order it is about; other errors as they are. Only the room
 * that reads requests knows what its caller calls that part.
 */
export function aboutPart(part: string, error: unknown): unknown {
  if (!isSwathError(error) || !REFUSING.has(error.tag)) return error;
  const { tag, code, details } = error;
  const options = { details: { ...details, about: part }, cause: error };
  return new SwathError(tag, code, (nameOf) => error.tell(nameOf), options);
}

/** A refusal whose sentence begins with the parameter that it is about; other errors as they are. */
export function nameParameter(name: string, error: unknown): unknown {
  if (!isSwathError(error) || !REFUSING.has(error.tag)) return error;
  const { tag, code, details } = error;
  return new SwathError(tag, code, (nameOf) => `${name}: ${error.tell(nameOf)}`, { details, cause: error });
}

/** An error as plain JSON, so that it can cross a thread boundary. */
export interface WireError {
  readonly tag: ErrorTag;
  readonly code: string;
  readonly message: string;
  readonly details: ErrorDetails;
  readonly template?: string | null;
  /** Only for the log of the receiving thread; never shown to a user. */
  readonly stack?: string;
}

/** Flattens any thrown value; anything not thrown on purpose becomes `internal`. */
export function toWire(error: unknown): WireError {
  const stack =
    error instanceof Error && error.stack !== undefined ? { stack: `${error.stack}${toCauses(error)}` } : {};
  if (isSwathError(error)) {
    const { tag, code, message, details, template } = error;
    return { tag, code, message, details, template, ...stack };
  }
  return {
    tag: 'internal',
    code: 'internal',
    message: 'Something went wrong inside Swath.',
    details: {},
    ...stack,
  };
}

/** Deeper chains add no information. */
const MAX_CAUSES = 5;

/** The causes of an error, one per line. The last one is usually the reason, which only the log gets. */
function toCauses({ cause }: Error): string {
  let lines = '';
  let inner = cause;
  for (let depth = 0; inner instanceof Error && depth < MAX_CAUSES; depth += 1) {
    lines += `\n  because of ${inner.name}: ${inner.message}`;
    // The first of several attempts stands for all.
    inner = inner.cause ?? (inner instanceof AggregateError ? inner.errors[0] : undefined);
  }
  return lines;
}

/** The inverse of `toWire`; the worker's stack becomes the cause. */
export function fromWire(wire: WireError): SwathError {
  const cause = wire.stack === undefined ? {} : { cause: new Error(`in a worker: ${wire.stack}`) };
  const { details, template } = wire;
  return new SwathError(wire.tag, wire.code, wire.message, { details, template: template ?? null, ...cause });
}
