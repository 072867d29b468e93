import { badInput } from '../../errors.ts';
import { limits } from './limits.ts';

/** The text of a JSON body, whatever the content type says (clients send text/plain too), within its depth. */
export function toJsonText(bytes: Uint8Array): string {
  if (bytes.length === 0) throw badInput('no-body', 'The request needs a JSON body.');
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw badInput('bad-json', 'The body is not UTF-8 text.', { cause: error });
  }
  refuseDepth(text);
  return text;
}

/** Parses a JSON body. */
export function parseJsonBody(bytes: Uint8Array): unknown {
  const text = toJsonText(bytes);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badInput('bad-json', 'The body is not valid JSON.', { cause: error });
  }
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
