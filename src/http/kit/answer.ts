/** The body of an answer. */
export type AnswerBody = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>> | null;

interface AnswerOptions {
  /** 200 by default. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>> | ReadonlyMap<string, string>;
}

/**
 * What an endpoint answers: bytes as they are, and headers by their lower-case names. A Response of Node copies bytes into
 * a stream, a third of the work of a cached tile, and its Headers check and sort every name.
 */
export class Answer {
  readonly status: number;
  readonly headers: Map<string, string>;
  readonly body: AnswerBody;

  constructor(body: AnswerBody, { status = 200, headers = {} }: AnswerOptions = {}) {
    this.status = status;
    this.headers = new Map(headers instanceof Map ? headers : Object.entries(headers));
    this.body = body;
  }

  /** An answer in JSON. */
  static json(value: unknown, { status = 200, headers = {} }: AnswerOptions = {}): Answer {
    const answer = new Answer(JSON.stringify(value), { status, headers });
    answer.headers.set('content-type', 'application/json');
    return answer;
  }
}
