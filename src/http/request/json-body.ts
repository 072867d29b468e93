import { badInput, tooLarge } from '../../errors.ts';
import { limits } from './limits.ts';

/** Reads a JSON body whatever the content type says (clients send text/plain too), within size and depth. */
export async function readJson(request: Request, maxBytes: number = limits.bodyBytes): Promise<unknown> {
  const bytes = await readBytes(request, maxBytes);
  if (bytes.length === 0) throw badInput('no-body', 'The request needs a JSON body.');
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw badInput('bad-json', 'The body is not UTF-8 text.', { cause: error });
  }
  refuseDepth(text);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badInput('bad-json', 'The body is not valid JSON.', { cause: error });
  }
}

async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  const tooMuch = () => tooLarge('body-too-large', `The body is larger than ${maxBytes} bytes.`);
  // The announced length is only a hint: a chunked body has none, so the bytes are counted as well.
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooMuch();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw tooMuch();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/** Counts open brackets outside of strings, before any parser recurses over them. */
function refuseDepth(text: string): void {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i += 1) {
    const char = text.charCodeAt(i);
    if (inString) {
      if (char === 0x5c)
        i += 1; // a backslash hides the next character
      else if (char === 0x22) inString = false;
    } else if (char === 0x22) inString = true;
    else if (char === 0x7b || char === 0x5b) {
      depth += 1;
      if (depth > limits.jsonDepth) {
        throw badInput('json-too-deep', `The body nests deeper than ${limits.jsonDepth} levels.`);
      }
    } else if (char === 0x7d || char === 0x5d) depth -= 1;
  }
}
