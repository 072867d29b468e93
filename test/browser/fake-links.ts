/** Recipes and their public maps, as the viewer uses them: made, listed, ended, and seen without a key. */

/** A recipe of the fake server. */
interface FakeRecipe {
  readonly id: string;
  name: string;
  readonly content: object;
  public: { token: string; expires: string | null; rate_per_minute: number } | null;
}

/** An answer as JSON, or a tile. */
type LinkAnswer =
  | { readonly kind: 'json'; readonly status: number; readonly body: object }
  | { readonly kind: 'tile' };

/** The token of the n-th link. */
const toToken = (n: number): string => `${String(n).padStart(32, '0')}${'T'.repeat(43)}`;

const failure = (status: number, code: string, error: string): LinkAnswer => ({
  kind: 'json',
  status,
  body: { error, code },
});

/** Builds the part of the server; `answer` gives null for addresses of others. */
export const makeFakeLinks = () => {
  const recipes = new Map<string, FakeRecipe>();
  let made = 0;
  const toTerms = (terms: FakeRecipe['public']): FakeRecipe['public'] =>
    terms && { ...terms, token: toToken(++made) };
  return {
    clear: () => recipes.clear(),
    answerPublic(path: string): LinkAnswer | null {
      const [, token, end] = /^\/api\/public\/([^/]+)\/(.+)$/.exec(path) ?? [];
      if (token === undefined) return null;
      const recipe = [...recipes.values()].find((one) => one.public?.token === token);
      if (recipe === undefined) return failure(410, 'link-revoked', 'This map is not public any more.');
      if (end === 'tilejson.json')
        return {
          kind: 'json',
          status: 200,
          body: {
            tilejson: '3.0.0',
            name: recipe.name,
            attribution: 'Copernicus Sentinel data',
            tiles: [`https://imagery.example/api/public/${token}/{z}/{x}/{y}`],
            minzoom: 0,
            maxzoom: 14,
            bounds: [1.78, 42.35, 3, 43.3],
            expires: recipe.public?.expires ?? null,
          },
        };
      if (end === 'legend')
        return { kind: 'json', status: 200, body: { colors: ['#101010', '#f0f0f0'], thresholds: [500] } };
      return /^\d+\/\d+\/\d+$/.test(end ?? '') ? { kind: 'tile' } : failure(404, 'unknown-route', 'Nothing.');
    },
    answerOwner(method: string, path: string, body: string): LinkAnswer | null {
      if (path === '/api/recipes' && method === 'POST') {
        const { name, public: terms, ...content } = JSON.parse(body);
        const recipe: FakeRecipe = { id: `r${recipes.size}`, name, content, public: toTerms(terms) };
        recipes.set(recipe.id, recipe);
        return { kind: 'json', status: 201, body: recipe };
      }
      if (path === '/api/recipes')
        return { kind: 'json', status: 200, body: { recipes: [...recipes.values()], next: null } };
      const recipe = recipes.get(/^\/api\/recipes\/(\w+)$/.exec(path)?.[1] ?? '');
      if (recipe === undefined || method !== 'PATCH') return null;
      recipe.public = toTerms(JSON.parse(body).public);
      return { kind: 'json', status: 200, body: recipe };
    },
  };
};
