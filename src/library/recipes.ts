import { hash, randomBytes } from 'node:crypto';
import { conflict } from './errors.ts';
import type { OwnedStore } from './shelf.ts';
import { isId } from './shelf.ts';

/** The scenes that a recipe shows: one of them, or those that a search finds. */
export type RecipeScenes =
  | { readonly kind: 'scene'; readonly viewId: string }
  | {
      readonly kind: 'search';
      /** Abbreviations. */
      readonly sensors: readonly string[];
      /** A month, a week, a year, a day or a range, as the addresses of mosaics have it. */
      readonly period: string;
    };

/** What a recipe draws. Equal contents draw the same; plain JSON. */
export interface RecipeContent {
  readonly scenes: RecipeScenes;
  /** Bands, aliases or band math, as in the address of a picture. */
  readonly bands: string;
  /** The query of the picture: documented names and texts. */
  readonly query: Readonly<Record<string, string>>;
}

/** Under which terms a recipe can be used without a key. */
export interface ShareTerms {
  /** ISO 8601 in UTC; null for no end. */
  readonly expiresAt: string | null;
  /** Requests of all its readers together. */
  readonly ratePerMinute: number;
}

/** A recipe that can be used without a key. */
export interface Share extends ShareTerms {
  /** 128 random bits as hexadecimal digits. Its address holds them, and a signature. */
  readonly id: string;
}

/** A saved rendering of one owner. */
export interface Recipe {
  /** The id of an API key. */
  readonly owner: string;
  /** A digest of the content: one owner has no two recipes that draw the same. */
  readonly id: string;
  readonly name: string;
  readonly content: RecipeContent;
  /** ISO 8601 in UTC. */
  readonly createdAt: string;
  /** Null for a recipe that only its owner can use. */
  readonly share: Share | null;
}

/** What can be changed about a recipe; a field that is left out stays as it is. */
export interface RecipeChanges {
  readonly name?: string;
  /** Null ends the share. A share that exists keeps its id, and gets new terms. */
  readonly share?: Share | null;
}

/** What one owner has stored. */
export interface RecipeUsage {
  readonly recipes: number;
  /** The size of the contents as JSON. */
  readonly bytes: number;
}

/** The result of a put: the recipe as it is stored, or a refusal because its owner has reached the limit. */
export type RecipePut =
  | { readonly kind: 'stored'; readonly recipe: Recipe; readonly isNew: boolean }
  | { readonly kind: 'full'; readonly used: RecipeUsage };

/** Where a page of a list begins: behind this recipe. */
export type RecipePosition = Pick<Recipe, 'name' | 'id'>;

/** Where recipes are stored, each for one owner. Names compare by code point. */
export interface RecipeStore extends Pick<OwnedStore<Recipe, RecipeUsage>, 'remove' | 'removeAll' | 'usage'> {
  /**
   * Stores a recipe, and resolves when it has reached the disk. If the owner already has one of this id, that one stays
   * as it is. Usage is counted in the same transaction, so that many writers at once cannot exceed the limit together.
   */
  put(recipe: Recipe, maxRecipes: number): Promise<RecipePut>;
  find(id: string, owner: string): Promise<Recipe | null>;
  findShared(shareId: string): Promise<Recipe | null>;
  /** In the order of names, then of ids; from the beginning if `after` is null. */
  list(
    owner: string,
    page: { readonly after: RecipePosition | null; readonly limit: number },
  ): Promise<readonly Recipe[]>;
  /** Changes a recipe, and resolves to it when it has reached the disk; null when the owner has none of this id. */
  change(id: string, owner: string, changes: RecipeChanges): Promise<Recipe | null>;
}

/** A recipe on its way into the store. */
export interface NewRecipe {
  readonly owner: string;
  readonly name: string;
  readonly content: RecipeContent;
  /** Null for a recipe that only its owner can use. */
  readonly terms: ShareTerms | null;
}

/** What is to change about a recipe. */
export interface WantedChanges {
  /** Null keeps it. */
  readonly name?: string | null;
  /** Null ends the share at once; a field that is left out keeps it. */
  readonly terms?: ShareTerms | null | undefined;
}

/** Stores recipes and finds them. Only its owner finds a recipe by its id. */
export interface Recipes {
  /**
   * Stores a recipe; of equal contents of one owner the first stays, with its name. Throws `too-many-recipes` when the owner
   * has reached its limit.
   */
  create(recipe: NewRecipe): Promise<{ readonly recipe: Recipe; readonly isNew: boolean }>;
  /** Null for an invalid id, an unknown one and one of another owner. */
  find(id: string, owner: string): Promise<Recipe | null>;
  /** The recipe of a share, expired or not; null when there is none, or no more. */
  findShared(shareId: string): Promise<Recipe | null>;
  list: RecipeStore['list'];
  /** Renames a recipe, shares it, or changes the terms of its share. Null as for `find`. */
  change(id: string, owner: string, wanted: WantedChanges): Promise<Recipe | null>;
  /** False for an unknown id and for one of another owner. */
  remove(id: string, owner: string): Promise<boolean>;
}

interface RecipesDeps {
  /** Look-ups are cached there, as those of keys are: a share that ends must not go on in a cache of our own. */
  readonly store: RecipeStore;
  /** The max number of recipes of one owner. */
  readonly maxPerOwner: number;
  readonly now: () => Date;
}

/** Builds the service over a store. */
export function makeRecipes({ store, maxPerOwner, now }: RecipesDeps): Recipes {
  return {
    async create({ owner, name, content, terms }) {
      const canonical = toCanonical(content);
      const id = toRecipeId(canonical);
      const share = terms === null ? null : toShare(terms);
      const recipe: Recipe = {
        owner,
        id,
        name,
        content: canonical,
        createdAt: now().toISOString(),
        share,
      };
      const put = await store.put(recipe, maxPerOwner);
      if (put.kind === 'full') {
        throw conflict(
          'too-many-recipes',
          `This key has ${put.used.recipes} stored recipes, and may have ${maxPerOwner}. DELETE recipes that are no longer needed to make room.`,
        );
      }
      const { recipe: stored, isNew } = put;
      if (isNew || share === null) return { recipe: stored, isNew };
      // An equal recipe may be stored already without a token: one that asks to be public gets it now.
      return { recipe: (await store.change(id, owner, { share })) ?? stored, isNew: false };
    },
    find: async (id, owner) => (isId(id) ? store.find(id, owner) : null),
    findShared: async (shareId) => (isId(shareId) ? store.findShared(shareId) : null),
    list: store.list,
    async change(id, owner, { name = null, terms }) {
      if (!isId(id)) return null;
      const share = terms == null ? terms : toShare(terms);
      return store.change(id, owner, {
        ...(name === null ? {} : { name }),
        ...(share === undefined ? {} : { share }),
      });
    },
    remove: async (id, owner) => isId(id) && store.remove(id, owner),
  };
}

const toShare = (terms: ShareTerms): Share => ({ ...terms, id: randomBytes(16).toString('hex') });

/** The content with its keys in one order, so that equal contents are equal texts. */
function toCanonical({ scenes, bands, query }: RecipeContent): RecipeContent {
  const sorted = Object.entries(query).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return {
    scenes:
      scenes.kind === 'scene'
        ? { kind: 'scene', viewId: scenes.viewId }
        : { kind: 'search', sensors: scenes.sensors, period: scenes.period },
    bands,
    query: Object.fromEntries(sorted),
  };
}

/** The id of a content in canonical form. */
const toRecipeId = (content: RecipeContent): string =>
  hash('sha256', JSON.stringify(content), 'hex').slice(0, 32);
