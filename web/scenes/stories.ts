/** Stories of the demo world that a first screen offers: what each of them shows, and which scenes it needs. */

/** What a story shows. */
export type StoryName = 'season' | 'fire' | 'flood' | 'field';

/** A story: scenes of a dataset on some days at a place. */
export interface Story {
  readonly name: StoryName;
  readonly dataset: string;
  /** Where its scenes lie. */
  readonly point: { readonly lat: number; readonly lon: number };
  /** Two days are compared; of a range all scenes are used. */
  readonly days: { readonly kind: 'two' | 'range'; readonly from: string; readonly to: string };
}

/** A field of the demo world in the middle of its series of scenes. */
const FIELD =
  '-122.402362,48.219373;-122.395092,48.218649;-122.394762,48.214239;-122.401388,48.214849;-122.402362,48.219373';
const SEASON = { kind: 'range', from: '2026-03-01', to: '2026-09-30' } as const;
const FARM = { lat: 48.2214, lon: -122.4025 };

/** The stories, in their order. */
export const STORIES: readonly Story[] = [
  { name: 'season', dataset: 'sentinel2l2a', point: FARM, days: SEASON },
  {
    name: 'fire',
    dataset: 'sentinel2l2a',
    point: { lat: 48.1044, lon: -121.8853 },
    days: { kind: 'two', from: '2026-08-02', to: '2026-08-17' },
  },
  {
    name: 'flood',
    dataset: 'sentinel1',
    point: { lat: 48.2344, lon: -122.4549 },
    days: { kind: 'two', from: '2025-09-12', to: '2025-12-11' },
  },
  { name: 'field', dataset: 'sentinel2l2a', point: FARM, days: SEASON },
];

/** The scenes of the first and of the last day. */
export interface StoryScenes {
  readonly before: string;
  readonly after: string;
}

const compare = ({ dataset }: Story, { before, after }: StoryScenes, bands: string): string =>
  [
    'compare=swipe',
    ...[`left.scene=${before}`, `left.dataset=${dataset}`, `left.bands=${bands}`],
    ...[`right.scene=${after}`, `right.dataset=${dataset}`, `right.bands=${bands}`],
  ].join('&');

/** The address of the page that tells a story. */
export const toStoryHash = (story: Story, scenes: StoryScenes): string => {
  const { name, dataset, point, days } = story;
  const mapAt = (zoom: number): string => `#map=${zoom}/${point.lat}/${point.lon}`;
  switch (name) {
    case 'season':
      return `${mapAt(12.7)}&scene=${scenes.after}&dataset=${dataset}&from=${days.from}&to=${days.to}&sets=${dataset}&animate=2&panel=none`;
    case 'fire':
      // Short-wave infrared: burnt ground is red, living forest green, and smoke is transparent.
      return `${mapAt(11.8)}&${compare(story, scenes, 'B12,B8A,B04')}&panel=compare`;
    case 'flood':
      return `${mapAt(11.5)}&${compare(story, scenes, 'VV')}&panel=compare`;
    case 'field':
      return `#map=14.5/48.2168/-122.3986&scene=${scenes.after}&dataset=${dataset}&bands=NDVI&panel=area&area=${FIELD}&series=${dataset};NDVI;${days.from};${days.to};30;`;
  }
};
