/** The file that a task has made: signed links to it, and the endpoint that serves it. */

import { isSwathError } from '../../errors.ts';
import { makeLinkSigner } from '../../keys/index.ts';
import type { BlobStore } from '../../objects/index.ts';
import { notFound, unavailable } from '../errors.ts';
import { Answer } from '../kit/answers.ts';
import type { ApiRequest, Endpoint } from '../kit/endpoint.ts';
import { beginFileAnswer, breakOffOnFailure, toContentDisposition } from '../kit/file-answer.ts';
import { json } from '../kit/json-schema.ts';
import { defineParameters, parseWhole, text } from '../kit/parameters.ts';

/** What a link leads to. */
interface LinkedResult {
  readonly id: string;
  /** What a browser calls the file that it stores; it cannot be changed in the link. */
  readonly fileName: string;
}

/** What the query of a link holds. */
interface LinkQuery {
  readonly expires: string;
  readonly signature: string;
}

/** Whether a link is ours and still valid. */
type LinkState =
  | { readonly state: 'valid'; readonly leftS: number }
  | { readonly state: 'expired' }
  | { readonly state: 'wrong' };

/** Makes links to results that work without a key until they expire, and checks them. */
export interface ResultLinks {
  /** Path and query of a link, to be put behind the address of the service. */
  sign(result: LinkedResult, expiresAtMs: number): string;
  check(result: LinkedResult, query: LinkQuery): LinkState;
}

/** Builds it; times are those of the wall clock, because links outlive processes. */
export function makeResultLinks({
  secret,
  wallClockMs = Date.now,
}: {
  readonly secret: string;
  readonly wallClockMs?: () => number;
}): ResultLinks {
  const signer = makeLinkSigner(secret);
  const toParts = ({ id, fileName }: LinkedResult, expires: string) => ['result', id, fileName, expires];
  return {
    sign(result, expiresAtMs) {
      const expires = String(Math.ceil(expiresAtMs / 1000));
      const signature = signer.sign(toParts(result, expires));
      const path = [result.id, result.fileName].map(encodeURIComponent).join('/');
      return `/api/results/${path}?expires=${expires}&signature=${signature}`;
    },
    check(result, { expires, signature }) {
      if (!signer.isValid(toParts(result, expires), signature)) return { state: 'wrong' };
      const leftS = (parseWhole(expires) ?? 0) - wallClockMs() / 1000;
      return leftS > 0 ? { state: 'valid', leftS } : { state: 'expired' };
    },
  };
}

/** The file that a task has made. */
export interface StoredResult {
  /** The id of the key that ordered it. */
  readonly owner: string;
  readonly blobKey: string;
  /** Which blob store has it; unknown of old results. */
  readonly storeId?: string;
  readonly fileName: string;
  readonly contentType: string;
  readonly bytes: number;
  /** Without quotes, as the blob store gave it. */
  readonly etag: string;
}

/** What results are served with. */
export interface ResultDeps {
  /** The result of that id; null if there is none, or no longer. */
  readonly findResult: (id: string) => Promise<StoredResult | null>;
  /** Whether a key still works: links to what it ordered end with it. */
  readonly isActiveKey: (id: string) => Promise<boolean>;
  readonly blobs: Pick<BlobStore, 'identify' | 'read' | 'stat' | 'toLink'>;
  /** The secret of links is read, or made, when it is first needed: a store that can only be read serves all else. */
  readonly readLinks: () => Promise<ResultLinks>;
  /** Sends clients to the bucket, where there is one, instead of passing its bytes on. */
  readonly redirects: boolean;
}

/** How long clients may show a result without asking again; it never changes, but it may be removed. */
const MAX_AGE_S = 3_600;
/** How long an address of the bucket works: enough to begin a download. */
const BUCKET_LINK_S = 600;

/** What a link is signed with. One that lacks a part is not ours, and answered as such. */
const linkParameters = defineParameters({
  expires: {
    ...text({ description: 'Until when the link works, in seconds since 1970.', fallback: '' }),
    required: true,
  },
  signature: { ...text({ description: 'As the link has it.', fallback: '' }), required: true },
});

/** `GET /api/results/{id}/{file_name}`: the file that a task has made, under a signed link. */
export const taskResult = (deps: ResultDeps): Endpoint => ({
  summary: 'The file that a task has made',
  description:
    'The address is the link that the task returns: it works without a key, and expires. Single ranges and conditional requests are supported, so downloads can be resumed and GDAL can read a file in place (`/vsicurl/`).',
  tag: 'Tasks',
  params: {
    id: { description: 'Of the result.', schema: json.string() },
    file_name: { description: 'As the link has it.', schema: json.string() },
  },
  query: linkParameters,
  answers: {
    200: { description: 'The whole file, as an attachment.', content: { 'application/octet-stream': null } },
    206: { description: 'The requested range.', content: { 'application/octet-stream': null } },
    302: { description: 'The file is in a bucket: see Location. Only with that setting.' },
    304: { description: 'The client has it already.' },
    404: { description: 'The link is not valid, or the result is no longer stored.' },
    410: {
      description:
        'The link has expired (link-expired): ask the task for a new one. Or the key that ordered the file has ended (link-revoked).',
    },
    412: { description: 'If-Match names another state of the file.' },
    416: { description: 'The range begins beyond the end of the file.' },
    503: {
      description:
        'The storage of results does not answer, or only another node can read it (`result-on-another-node`); retry after Retry-After seconds.',
    },
  },
  handle: (request) => answerResult(request, deps),
});

async function answerResult(request: ApiRequest, deps: ResultDeps): Promise<Answer> {
  const leftS = checkLink(request, await deps.readLinks());
  // Only who has a link of ours makes us look.
  const result = await deps.findResult(request.params.id ?? '');
  if (result === null) throw unknownResult();
  if (!(await deps.isActiveKey(result.owner))) throw revokedLink();
  const { blobKey, contentType, bytes } = result;
  const { blobs } = deps;
  const head = beginFileAnswer(request, {
    bytes,
    contentType,
    fileName: result.fileName,
    etag: `"${result.etag}"`,
    maxAgeS: Math.min(MAX_AGE_S, leftS),
  });
  if (head instanceof Answer) return head;
  const { status, headers, range } = head;
  const isHead = request.method === 'HEAD';
  const isForeign = async (): Promise<boolean> =>
    result.storeId !== undefined && result.storeId !== (await blobs.identify());
  if (deps.redirects && !isHead && !(await isForeign())) {
    const expiresS = Math.min(BUCKET_LINK_S, leftS);
    const contentDisposition = toContentDisposition(result.fileName);
    const location = blobs.toLink(blobKey, { expiresS, contentType, contentDisposition });
    if (location !== null)
      return new Answer(null, { status: 302, headers: { location, 'cache-control': 'no-store' } });
  }
  if (isHead) {
    if ((await blobs.stat(blobKey, request.ticket.signal)) !== null) return new Answer(null, { headers });
    throw (await isForeign()) ? onAnotherNode() : unknownResult();
  }
  const stream = await blobs.read(blobKey, range, request.ticket.signal).catch(async (error: unknown) => {
    // Files may have been copied from there: only what is missing here is looked for elsewhere.
    const isMissing = isSwathError(error) && error.tag === 'not-found';
    throw isMissing && (await isForeign()) ? onAnotherNode(error) : error;
  });
  return new Answer(breakOffOnFailure(stream, request), { status, headers });
}

/** Seconds that the link has left. */
function checkLink({ params, query }: ApiRequest, links: ResultLinks): number {
  const linked = { id: params.id ?? '', fileName: params.file_name ?? '' };
  const [expires, signature] = [linkParameters.expires.read(query), linkParameters.signature.read(query)];
  const link = links.check(linked, { expires, signature });
  if (link.state === 'wrong') throw unknownResult();
  if (link.state === 'expired') {
    throw notFound('link-expired', 'This link has expired; ask the task for a new one.');
  }
  return link.leftS;
}

const revokedLink = () =>
  notFound(
    'link-revoked',
    'The key that ordered this file was revoked or has expired, and its links with it.',
  );

/** Behind a load balancer, the next request may reach the node that has it. */
const RETRY_AFTER_S = 2;

const onAnotherNode = (cause?: unknown) =>
  unavailable(
    'result-on-another-node',
    'Another node of this service has this result, and this node cannot read it. The operator has to let all nodes share their results.',
    { cause, details: { retryAfterS: RETRY_AFTER_S } },
  );

const unknownResult = () => notFound('unknown-result', 'There is no such result, or it is no longer stored.');
