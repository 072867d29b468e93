/**
 * Pictures in natural colour of scenes that have no fixed range for a band: the server refuses them, and they are requested
 * again with automatic contrast.
 */
import { toFailure } from './failure.ts';

/** Sends a request to an address, or to the same one without natural colour. */
export type NaturalFallback = (path: string, send: (path: string) => Promise<Response>) => Promise<Response>;

/** The address of the same picture with automatic contrast. */
const toAutomatic = (path: string): string =>
  path.replace(/([?&])STRETCH=natural(&|$)/, (_, before: string, after: string) =>
    after === '' ? '' : before,
  );

/** What all tiles of a picture have in common; of other requests the whole address. */
const toPictureKey = (path: string): string => path.replace(/\/\d+\/\d+\/\d+(?=\?)/, '');

const isRefused = async (response: Response): Promise<boolean> =>
  response.status === 422 && toFailure(422, await response.clone().text()).code === 'no-natural-range';

/** Builds it; a picture that was refused once is requested with automatic contrast at once. */
export const makeNaturalFallback = (): NaturalFallback => {
  const refused = new Set<string>();
  return async (path, send) => {
    const automatic = toAutomatic(path);
    if (automatic === path) return send(path);
    const key = toPictureKey(path);
    if (refused.has(key)) return send(automatic);
    const response = await send(path);
    if (!(await isRefused(response))) return response;
    refused.add(key);
    return send(automatic);
  };
};
