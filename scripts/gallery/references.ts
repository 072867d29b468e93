/** What the pictures refer to and a service has to be told first; references of areas differ from service to service. */
export interface GalleryReferences {
  /** A colormap of three classes. */
  readonly classes: string;
  /** Fields within a bend of the river. */
  readonly area: string;
  /** Two areas in one, the first with a hole. */
  readonly parts: string;
}

/** Water, bare ground and what grows. */
export const colormapBody = {
  colors: [
    [-1, '#1f4e9e'],
    [0.05, '#d9c38f'],
    [0.55, '#3f9b3f'],
  ],
  type: 'discrete',
  thresholds_type: 'absolute',
  labels: ['water', 'bare', 'green'],
};

/** Five corners around fields. */
export const areaBody = {
  type: 'Feature',
  properties: {},
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [-122.423, 48.225],
        [-122.413, 48.2075],
        [-122.3885, 48.211],
        [-122.384, 48.226],
        [-122.402, 48.2335],
        [-122.423, 48.225],
      ],
    ],
  },
};

/** A square with a hole and a triangle. */
export const partsBody = {
  type: 'Feature',
  properties: {},
  geometry: {
    type: 'MultiPolygon',
    coordinates: [
      [
        [
          [-122.43, 48.208],
          [-122.404, 48.208],
          [-122.404, 48.238],
          [-122.43, 48.238],
          [-122.43, 48.208],
        ],
        [
          [-122.423, 48.216],
          [-122.423, 48.23],
          [-122.411, 48.23],
          [-122.411, 48.216],
          [-122.423, 48.216],
        ],
      ],
      [
        [
          [-122.398, 48.205],
          [-122.374, 48.212],
          [-122.39, 48.238],
          [-122.398, 48.205],
        ],
      ],
    ],
  },
};

type Post = (path: string, body: unknown) => Promise<Readonly<Record<string, string>>>;

/** Tells a service of the colormap and the areas. */
export async function makeReferences(post: Post): Promise<GalleryReferences> {
  const take = async (path: string, body: unknown, field: string): Promise<string> => {
    const { [field]: reference } = await post(path, body);
    if (reference === undefined) throw new Error(`${path} answers no ${field}.`);
    return reference;
  };
  return {
    classes: await take('/api/render/colormap/', colormapBody, 'id'),
    area: await take('/api/render/cropper/', areaBody, 'cropper_ref'),
    parts: await take('/api/render/cropper/', partsBody, 'cropper_ref'),
  };
}
