import type { Jp2Encoder } from '../../src/formats/jp2/index.ts';
import type { Survey } from '../ground/ground.ts';
import type { World } from '../ground/world.ts';

/** Surveys of grids that more than one product lies on. */
export interface SurveyCache {
  /** The survey of that key, made when it is not cached. */
  getOrMake(key: string, make: () => Survey): Survey;
}

/** What every writer of a product is given. */
export interface ProductDeps {
  readonly world: World;
  /** Absolute folder to write the product folder in. */
  readonly directory: string;
  /** Products on the same grid share a survey when they are given the same cache. */
  readonly surveys?: SurveyCache;
  /** The thread's own, for products in JPEG 2000; loading one takes 0.1 s, which each product does when left out. */
  readonly jp2Encoder?: Jp2Encoder;
  readonly signal?: AbortSignal;
  readonly onProgress?: (fraction: number) => void;
}

/** Caches the surveys used last, at most `maxPixels` together: a pixel takes some 50 bytes. */
export function makeSurveyCache(maxPixels: number): SurveyCache {
  // a Map keeps the order of insertion, so the first key is the one unused for longest
  const cached = new Map<string, Survey>();
  const countPixels = () => [...cached.values()].reduce((sum, survey) => sum + survey.heightM.length, 0);
  return {
    getOrMake(key, make) {
      const survey = cached.get(key) ?? make();
      cached.delete(key);
      cached.set(key, survey);
      for (const oldest of [...cached.keys()]) {
        if (oldest === key || countPixels() <= maxPixels) break;
        cached.delete(oldest);
      }
      return survey;
    },
  };
}
