/** Tells a story of the demo world: finds its scenes and brings the page to them. */
import type { SearchRequest } from '../api/search-body.ts';
import type { Story, StoryName, StoryScenes } from '../scenes/stories.ts';
import { STORIES, toStoryHash } from '../scenes/stories.ts';
import type { Address } from '../state/address.ts';
import { parseAddress } from '../state/address.ts';
import { PLAIN_QUERY } from '../state/search-state.ts';
import type { ActionParts } from './action-parts.ts';
import type { Report } from './report.ts';

/** What a user does with stories. */
export interface StoryActions {
  tellStory(name: StoryName): Promise<void>;
  /** The stories whose scenes are there already: the demo world is made scene by scene. Asks again after a failure. */
  readStories(signal: AbortSignal): Promise<readonly StoryName[]>;
}

/** Fewer scenes make no season. */
const LEAST_OF_RANGE = 4;

/** The pause after stories could not be asked for; it doubles with each failure. */
const FIRST_PAUSE_MS = 5000;
const MAX_PAUSE_MS = 60_000;

const toRequest = ({ dataset, point }: Story, from: string, to: string): SearchRequest => ({
  query: { ...PLAIN_QUERY, from, to, datasets: [dataset], where: { kind: 'point', point } },
  bounds: null,
  allDatasets: [],
});

/** Builds them. */
export const makeStoryActions = (
  { store, api, texts, sleep }: ActionParts,
  { report, followAddress }: { readonly report: Report; followAddress(address: Address): Promise<void> },
): StoryActions => {
  const findOn = async (story: Story, from: string, to: string): Promise<readonly string[]> => {
    const sensors = store.read().knowledge?.sensors ?? [];
    const { scenes } = await api.searchScenes(toRequest(story, from, to), { page: 1, sensors });
    return scenes.map(({ id }) => id);
  };
  const findScenes = async (story: Story): Promise<StoryScenes | null> => {
    const { kind, from, to } = story.days;
    const [[before], [after]] =
      kind === 'two'
        ? await Promise.all([findOn(story, from, from), findOn(story, to, to)])
        : await findOn(story, from, to).then((ids) => [ids.slice(-1), ids.slice(0, 1)]);
    return before === undefined || after === undefined ? null : { before, after };
  };
  const isThere = async (story: Story, signal: AbortSignal): Promise<boolean> => {
    const { kind, from, to } = story.days;
    const count = (first: string, last: string) => api.countScenes(toRequest(story, first, last), signal);
    if (kind === 'range') return (await count(from, to)) >= LEAST_OF_RANGE;
    return (await Promise.all([count(from, from), count(to, to)])).every((found) => found > 0);
  };
  return {
    async tellStory(name) {
      const story = STORIES.find((one) => one.name === name);
      if (story === undefined) return;
      try {
        const scenes = await findScenes(story);
        if (scenes === null) return report.showError(texts.welcome.notYet);
        await followAddress(parseAddress(toStoryHash(story, scenes)));
      } catch (error) {
        report.fail(error);
      }
    },
    async readStories(signal) {
      for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(MAX_PAUSE_MS, 2 * pauseMs)) {
        try {
          const there = await Promise.all(STORIES.map((story) => isThere(story, signal)));
          return STORIES.filter((_, i) => there[i]).map(({ name }) => name);
        } catch {
          signal.throwIfAborted();
        }
        // What the page needs most reports its own failures.
        await sleep(pauseMs);
        signal.throwIfAborted();
      }
    },
  };
};
