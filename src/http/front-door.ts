import type { IncomingMessage, ServerResponse } from 'node:http';

/** Turns render requests away before anything is spent on them. */
export interface FrontDoor {
  /** True when the request may go on; false when it has been answered with 503. */
  admit(request: IncomingMessage, response: ServerResponse): boolean;
}

interface FrontDoorOptions {
  /** Render requests inside at once, of all callers and of one. */
  readonly maxInside: number;
  readonly maxPerCaller: number;
  /** Told of each one that is turned away. */
  readonly onRefuse: () => void;
}

const RENDER_PATH = '/api/render/';

/**
 * The pool refuses what it cannot take, but only after the request was parsed, identified and planned: at thousands of
 * requests a second that alone fills the event loop, and then renders that are done wait to be answered. Here a look
 * at two counters is all that a refused request costs. Search and health never stand in this line.
 */
export function makeFrontDoor({ maxInside, maxPerCaller, onRefuse }: FrontDoorOptions): FrontDoor {
  let inside = 0;
  const callers = new Map<string, number>();
  return {
    admit(request, response) {
      if (!request.url?.startsWith(RENDER_PATH)) return true;
      const caller = readCaller(request);
      const own = callers.get(caller) ?? 0;
      if (inside >= maxInside || own >= maxPerCaller) {
        refuse(response);
        onRefuse();
        return false;
      }
      inside += 1;
      callers.set(caller, own + 1);
      response.once('close', () => {
        inside -= 1;
        const left = (callers.get(caller) ?? 1) - 1;
        if (left > 0) callers.set(caller, left);
        else callers.delete(caller);
      });
      return true;
    },
  };
}

/** Only to tell callers apart: whether the key is valid is asked inside. */
function readCaller({ headers, url, socket }: IncomingMessage): string {
  const inHeader = headers['x-api-key'];
  if (typeof inHeader === 'string') return inHeader;
  return /[?&]api_key=([^&]*)/.exec(url ?? '')?.[1] ?? socket.remoteAddress ?? '';
}

const BODY = JSON.stringify({
  status: false,
  error: 'Too many renders are under way; ask again in a moment.',
  code: 'too-many-renders',
  request_id: null,
});

const HEADERS = {
  'content-type': 'application/json',
  'content-length': Buffer.byteLength(BODY),
  'cache-control': 'no-store',
  'retry-after': '1',
  'access-control-allow-origin': '*',
  'x-content-type-options': 'nosniff',
};

function refuse(response: ServerResponse): void {
  response.writeHead(503, HEADERS).end(BODY);
}
