/** Named locations in local metres (`setting/frame.ts`): the landscape is laid out around them, whatever the seed. */
export const spots = {
  /** Middle of the widest farmland; no large river within 4 km, a village at its edge. */
  farm: { x: 49000, y: 73500 },
  /** Middle of the largest inland town. */
  town: { x: 47600, y: 62400 },
  /** Conifer forest of the foothills with clear-cuts. */
  forest: { x: 73000, y: 36500 },
  /** Middle of the wildfire. */
  fire: { x: 83000, y: 71500 },
  /** Middle of the lake that the main river runs through. */
  lake: { x: 68000, y: 51200 },
  /** Top of the highest mountain, within 2 km. */
  summit: { x: 96000, y: 27500 },
  /** Open shore: sea to the west, beach, fields to the east. */
  shore: { x: 36900, y: 70500 },
  /** Low ground along the main river that the flood covers. */
  flood: { x: 40500, y: 57500 },
} as const;
