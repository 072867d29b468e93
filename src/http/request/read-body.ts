import { cancelled, tooLarge } from '../../errors.ts';
import type { BodyBudget } from './body-budget.ts';

/** How much of a body may come, and who sends it. */
interface BodyLimits {
  readonly maxBytes: number;
  readonly owner: string;
  readonly budget: BodyBudget;
}

/** Reads the whole body of a request, within its own limit and that of all bodies on their way. */
export async function readBody(
  request: Request,
  { maxBytes, owner, budget }: BodyLimits,
): Promise<Uint8Array> {
  const tooMuch = () => tooLarge('body-too-large', `The body is larger than ${maxBytes} bytes.`);
  // The announced length is only a hint: a chunked body has none, so the bytes are counted as well.
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooMuch();
  if (request.body === null) return new Uint8Array();
  const parts = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await parts.read().catch(refuseTorn);
      if (done) return Buffer.concat(chunks, size);
      if (size + value.length > maxBytes) throw tooMuch();
      budget.take(owner, value.length);
      size += value.length;
      chunks.push(value);
    }
  } finally {
    budget.give(owner, size);
  }
}

/** The connection ended, by the client or by one of our limits, before the body did. */
function refuseTorn(error: unknown): never {
  throw cancelled('body-torn', 'The body ended before it was whole.', { cause: error });
}
