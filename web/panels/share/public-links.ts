/** Links that work without a key: each is a public recipe of the key, with a name, an end and a rate. */

import type { Api } from '../../api/api.ts';
import { toFailure } from '../../api/failure.ts';
import { parseJson } from '../../api/requests.ts';
import { asRecord, asText } from '../../scenes/read-json.ts';

/** A link. */
export interface PublicLink {
  /** Of the recipe. */
  readonly id: string;
  readonly name: string;
  readonly token: string;
  /** ISO 8601; `null` for no end. */
  readonly expires: string | null;
}

/** How long links work, in days; `null` for no end. */
export const DURATIONS_DAYS = [1, 7, 30, 365, null] as const;

/** Tiles of all readers of a link together: about ten people who move the map. */
const RATE_PER_MINUTE = 1_200;
const DAY_MS = 86_400_000;

/** Parameters of a mosaic that stand beside the style of a recipe. */
const MOSAIC_FIELDS = ['selection', 'by', 'date', 'percent', 'prefer', 'mask', 'dilate', 'feather'];

/** What a link shows, as a recipe: what the tiles on the map show, a scene or a mosaic with its style, and nothing else. */
export const toRecipeBody = (
  template: string,
  viewId: string,
  { name, days, now }: { readonly name: string; readonly days: number | null; readonly now: Date },
) => {
  const [path = '', text = ''] = template.split('?');
  // A plus sign is an operator of band math here, not a space as in forms.
  const query = [...new URLSearchParams(text.replaceAll('+', '%2B'))];
  const choose = (isChosen: (field: string) => boolean): Record<string, string> =>
    Object.fromEntries(query.filter(([field]) => isChosen(field)));
  const [, bands = ''] = /\/([^/]+)\/\{z\}\/\{x\}\/\{y\}$/.exec(path) ?? [];
  const [, sensors, period] = /\/api\/mosaic\/([^/]+)\/([^/]+)\//.exec(path) ?? [];
  const clouds = choose((field) => field === 'max_cloud');
  return {
    name,
    scenes:
      sensors === undefined || period === undefined
        ? { view_id: viewId }
        : {
            search: {
              sensors: sensors.split(','),
              period,
              ...(clouds.max_cloud === undefined ? {} : { max_cloud: Number(clouds.max_cloud) }),
            },
          },
    bands: decodeURIComponent(bands),
    style: choose((field) => !MOSAIC_FIELDS.includes(field) && field !== 'max_cloud'),
    ...choose((field) => MOSAIC_FIELDS.includes(field)),
    public: {
      expires: days === null ? null : new Date(now.getTime() + days * DAY_MS).toISOString(),
      rate_per_minute: RATE_PER_MINUTE,
    },
  };
};

/** Reads a recipe that is public; `null` for others. */
const parsePublicLink = (body: unknown): PublicLink | null => {
  const { id, name, public: terms } = asRecord(body);
  const { token, expires } = asRecord(terms);
  const [recipeId, text] = [asText(id), asText(token)];
  if (recipeId === null || text === null) return null;
  return { id: recipeId, name: asText(name) ?? '', token: text, expires: asText(expires) };
};

/**
 * Lists the links of the key that have not ended; a key has at most some hundreds of recipes, so a few pages are all. The
 * service lists up to 50 recipes a page.
 */
export const listPublicLinks = async (api: Pick<Api, 'call'>, now: Date): Promise<readonly PublicLink[]> => {
  const links: PublicLink[] = [];
  let after: string | null = null;
  for (let page = 0; page < 20; page++) {
    const path: string = `api/recipes?limit=50${after === null ? '' : `&after=${encodeURIComponent(after)}`}`;
    const { recipes, next } = asRecord(await api.call(path, {}));
    for (const recipe of Array.isArray(recipes) ? recipes : []) {
      const link = parsePublicLink(recipe);
      if (link !== null && (link.expires === null || Date.parse(link.expires) > now.getTime()))
        links.push(link);
    }
    after = asText(next);
    if (after === null) break;
  }
  return links;
};

/** Ends a link: its address shows nothing afterwards. */
export const endPublicLink = async (api: Pick<Api, 'send'>, { id }: PublicLink): Promise<void> => {
  const response = await api.send(`api/recipes/${encodeURIComponent(id)}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ public: null }),
  });
  if (!response.ok) throw toFailure(response.status, await response.text());
};

/** Makes a link. A recipe that is there already keeps its terms when it is stored again, so these are set. */
export const makePublicLink = async (
  api: Pick<Api, 'send'>,
  body: ReturnType<typeof toRecipeBody>,
): Promise<PublicLink | null> => {
  const send = async (path: string, method: string, content: unknown): Promise<unknown> => {
    const response = await api.send(path, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(content),
    });
    const text = await response.text();
    if (!response.ok) throw toFailure(response.status, text);
    return parseJson(text);
  };
  const made = parsePublicLink(await send('api/recipes', 'POST', body));
  if (made === null || made.expires === body.public.expires) return made;
  return parsePublicLink(
    await send(`api/recipes/${encodeURIComponent(made.id)}`, 'PATCH', {
      name: body.name,
      public: body.public,
    }),
  );
};
