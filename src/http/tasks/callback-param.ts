import { badInput, isSwathError } from '../../errors.ts';
import type { AddressPolicy } from '../../storage/index.ts';
import { mayLeadTo, parseAllowedUrl } from '../../storage/index.ts';
import type { Params } from '../request/params.ts';

/** As long as browsers and proxies take an address. */
const MAX_CHARACTERS = 2_048;

const refuse = (rule: string): Error => badInput('bad-callback-url', `callback_url ${rule}`);

/**
 * The address that is told when a task is over, in normal form; null when none is given. It may stand next to `type` or
 * among the `params`. Where its name leads is checked when it is called: that may change until then.
 */
export function readCallbackUrl(body: Params, params: Params, policy: AddressPolicy | null): string | null {
  const given = [body.callback_url, params.callback_url].find((value) => (value ?? '') !== '') ?? null;
  if (given === null) return null;
  if (typeof given !== 'string' || given.length > MAX_CHARACTERS)
    throw refuse(`must be a text of up to ${MAX_CHARACTERS} characters.`);
  if (policy === null) throw refuse('cannot be used: this service sends no callbacks.');
  const url = parseAllowed(given, policy);
  if (url === null || url.href.length > MAX_CHARACTERS || !mayLeadTo(url, policy)) {
    throw refuse(
      'must be a public http or https address without a user name or password, at a port and host that this service may call.',
    );
  }
  return url.href;
}

function parseAllowed(text: string, policy: AddressPolicy): URL | null {
  try {
    return parseAllowedUrl(text, policy);
  } catch (error) {
    if (isSwathError(error)) return null;
    throw error;
  }
}
