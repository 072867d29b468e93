/** Where the demo world is: the frame of Sentinel-2 tile 10UEU, between the Salish Sea and the North Cascades. */

/** UTM zone 10 north. */
export const epsg = 32610;

/**
 * The tile's frame, 109,800 m square. Locations of the world are in local metres: x east and y south of its upper left
 * corner, so easting = west + x and northing = north - y.
 */
export const frame = { west: 499980, north: 5400000, sizeM: 109800 } as const;
