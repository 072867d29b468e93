import type { ApiRequest } from '../request/api-request.ts';
import { isFresh } from './cached-answer.ts';
import { toServerTiming } from './server-timing.ts';

/** What a pixel thread has made. */
export interface Drawn {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly mediaType: string;
  /** Without quotes; another one than planned when a file was replaced in between. */
  readonly etag: string;
  /** Where the time went, stage by stage. */
  readonly stagesMs: Readonly<Record<string, number>>;
  /** Set if no one else holds the bytes: their memory is freed when they are sent. */
  readonly isSole?: boolean;
}

interface DrawnAnswer {
  /** Of the plan, without quotes. */
  readonly etag: string;
  readonly cacheHeaders: Readonly<Record<string, string>>;
  /** When the request was taken up. */
  readonly startedAt: number;
  /** Called only if the client does not have it yet. */
  readonly draw: () => Promise<Drawn>;
  readonly observe: (stage: string, seconds: number) => void;
}

/** Answers with what is drawn as planned, unless the client has it already. */
export async function answerDrawn(
  request: Pick<ApiRequest, 'headers' | 'onSent'>,
  { etag, cacheHeaders, startedAt, draw, observe }: DrawnAnswer,
): Promise<Response> {
  const planMs = performance.now() - startedAt;
  const headers = new Headers({ etag: `"${etag}"`, ...cacheHeaders });
  if (isFresh(request.headers.get('if-none-match'), `"${etag}"`)) {
    headers.set('server-timing', toServerTiming({ plan: planMs }));
    return new Response(null, { status: 304, headers });
  }
  const drawn = await draw();
  headers.set('etag', `"${drawn.etag}"`);
  const stages = { plan: planMs, ...drawn.stagesMs };
  for (const [stage, ms] of Object.entries(stages)) observe(stage, ms / 1000);
  headers.set('server-timing', toServerTiming({ ...stages, total: performance.now() - startedAt }));
  headers.set('content-type', drawn.mediaType);
  if (drawn.isSole) request.onSent(() => free(drawn.bytes));
  return new Response(drawn.bytes, { headers });
}

/**
 * Frees memory without waiting for the garbage collector. V8 collects the whole heap for every 64 MB that came from other
 * threads, which at 500 tiles a second is twice a second, with 40 ms each time in which no other tile gets on.
 */
const free = ({ buffer }: Uint8Array<ArrayBuffer>): void => void buffer.transfer(0);
