/**
 * Pictures that the viewer requests with more than a scene has: natural colour of a band without a fixed range, or clouds
 * painted over where no mask says where they are. The server refuses them, and they are requested again without it.
 */
import { toFailure } from './failure.ts';

/** Sends a request to an address, or to the same one without what the scene lacks. */
export type PictureFallback = (path: string, send: (path: string) => Promise<Response>) => Promise<Response>;

/** Refusals, and the parameters that cause them. */
const CAUSES: Readonly<Record<string, RegExp>> = {
  'no-natural-range': /^STRETCH=natural$/,
  'no-cloud-mask': /^MASK(?:ING|_COLOR)=/,
};

/** The address without the parameters of a refusal. */
const without = (path: string, cause: RegExp): string => {
  const [before = '', query] = path.split('?');
  const kept = (query ?? '').split('&').filter((part) => part !== '' && !cause.test(part));
  return kept.length === 0 ? before : `${before}?${kept.join('&')}`;
};

/** What all tiles of a picture have in common; of other requests the whole address. */
const toPictureKey = (path: string): string => path.replace(/\/\d+\/\d+\/\d+(?=\?)/, '');

const readCause = async (response: Response): Promise<RegExp | null> =>
  response.status === 422 ? (CAUSES[toFailure(422, await response.clone().text()).code ?? ''] ?? null) : null;

/** Builds it; for a picture that was refused once, the parameters are left out at once. */
export const makePictureFallback = (): PictureFallback => {
  const refused = new Map<string, readonly RegExp[]>();
  return async (path, send) => {
    const key = toPictureKey(path);
    for (;;) {
      const causes = refused.get(key) ?? [];
      const response = await send(causes.reduce(without, path));
      const cause = await readCause(response);
      if (cause === null || without(path, cause) === path) return response;
      // Several tiles of a picture may be refused at the same time; a cause that was known before the request is final.
      if (causes.includes(cause)) return response;
      refused.set(key, [...new Set([...(refused.get(key) ?? []), cause])]);
    }
  };
};
