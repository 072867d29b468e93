/** A reference system, and where on Earth it is compared with PROJ. */
export interface ProjCase {
  readonly name: string;
  readonly crs: number | string;
  readonly area: readonly [west: number, south: number, east: number, north: number];
  /** What to ask PROJ for instead. */
  readonly judge?: string;
}

const zone = (crs: number, number: number, south: number, north: number): ProjCase => ({
  name: `EPSG:${crs}`,
  crs,
  area: [number * 6 - 187, south, number * 6 - 179, north],
});

const single = (crs: number, ...area: [number, number, number, number]): ProjCase => ({
  name: `EPSG:${crs}`,
  crs,
  area,
});

/** MODIS sinusoidal as the land products describe it. */
const SINUSOIDAL_WKT =
  'PROJCS["Sinusoidal",GEOGCS["Unknown datum based upon the custom spheroid",DATUM["Not_specified_(based_on_custom_spheroid)",SPHEROID["Custom spheroid",6371007.181,0]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Sinusoidal"],PARAMETER["longitude_of_center",0],PARAMETER["false_easting",0],PARAMETER["false_northing",0],UNIT["metre",1]]';
const UTM_WKT1 =
  'PROJCS["WGS 84 / UTM zone 36N",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",0],PARAMETER["central_meridian",33],PARAMETER["scale_factor",0.9996],PARAMETER["false_easting",500000],PARAMETER["false_northing",0],UNIT["metre",1]]';
const ALBERS_WKT2 =
  'PROJCRS["NAD83 / Conus Albers",BASEGEOGCRS["NAD83",DATUM["North American Datum 1983",ELLIPSOID["GRS 1980",6378137,298.257222101,LENGTHUNIT["metre",1]]],PRIMEM["Greenwich",0,ANGLEUNIT["degree",0.0174532925199433]]],CONVERSION["Conus Albers",METHOD["Albers Equal Area",ID["EPSG",9822]],PARAMETER["Latitude of false origin",23,ANGLEUNIT["degree",0.0174532925199433],ID["EPSG",8821]],PARAMETER["Longitude of false origin",-96,ANGLEUNIT["degree",0.0174532925199433],ID["EPSG",8822]],PARAMETER["Latitude of 1st standard parallel",29.5,ANGLEUNIT["degree",0.0174532925199433],ID["EPSG",8823]],PARAMETER["Latitude of 2nd standard parallel",45.5,ANGLEUNIT["degree",0.0174532925199433],ID["EPSG",8824]],PARAMETER["Easting at false origin",0,LENGTHUNIT["metre",1],ID["EPSG",8826]],PARAMETER["Northing at false origin",0,LENGTHUNIT["metre",1],ID["EPSG",8827]]],CS[Cartesian,2],AXIS["easting (X)",east,ORDER[1],LENGTHUNIT["metre",1]],AXIS["northing (Y)",north,ORDER[2],LENGTHUNIT["metre",1]]]';

/** Every family of systems that src/proj knows by code, and texts of each kind. */
export const projCases: readonly ProjCase[] = [
  zone(32636, 36, 0, 84),
  zone(32601, 1, -10, 84),
  zone(32660, 60, -10, 84),
  zone(32736, 36, -80, 10),
  zone(26910, 10, 15, 80),
  zone(25832, 32, 35, 75),
  single(3857, -179, -85, 179, 85),
  // By code PROJ would choose one of many shifts by location (up to a metre); GDAL's images of NAD83 come without.
  { ...single(4269, -170, 15, -50, 80), judge: '+proj=longlat +ellps=GRS80 +type=crs' },
  single(4258, -15, 35, 35, 72),
  single(5070, -126, 24, -66, 50),
  single(3035, -15, 34, 40, 71),
  single(3577, 110, -45, 155, -9),
  single(6933, -179, -85, 179, 85),
  single(3031, -180, -90, 179, -60),
  single(3976, -180, -90, 179, -40),
  single(3413, -180, 40, 179, 90),
  single(3995, -180, 60, 179, 90),
  single(32661, -180, 60, 179, 90),
  single(32761, -180, -90, 179, -60),
  {
    name: 'sinusoidal',
    crs: '+proj=sinu +lon_0=0 +x_0=0 +y_0=0 +R=6371007.181 +units=m +no_defs',
    area: [-175, -89, 175, 89],
  },
  { name: 'sinusoidal, WKT', crs: SINUSOIDAL_WKT, area: [-175, -89, 175, 89] },
  { name: 'UTM, WKT 1', crs: UTM_WKT1, area: [28, 0, 38, 84] },
  { name: 'Albers, WKT 2', crs: ALBERS_WKT2, area: [-126, 24, -66, 50] },
  {
    name: 'lcc',
    crs: '+proj=lcc +lat_0=46.5 +lon_0=3 +lat_1=49 +lat_2=44 +x_0=700000 +y_0=6600000 +ellps=GRS80 +towgs84=0,0,0,0,0,0,0 +units=m',
    area: [-9, 41, 10, 52],
  },
  {
    name: 'tmerc',
    crs: '+proj=tmerc +lat_0=0 +lon_0=21 +k=0.9993 +x_0=500000 +y_0=-5300000 +ellps=GRS80 +units=m +type=crs',
    area: [14, 49, 25, 55],
  },
  {
    name: 'stere, oblique',
    crs: '+proj=stere +lat_0=52 +lon_0=5 +k=0.9999 +datum=WGS84',
    area: [0, 45, 12, 58],
  },
  { name: 'laea, polar', crs: '+proj=laea +lat_0=90 +lon_0=0 +datum=WGS84', area: [-180, 20, 179, 89] },
  { name: 'laea, equator', crs: '+proj=laea +lat_0=0 +lon_0=20 +datum=WGS84', area: [-20, -35, 55, 38] },
  { name: 'eqc', crs: '+proj=eqc +lat_ts=30 +lon_0=0 +R=6371000', area: [-179, -85, 179, 85] },
  { name: 'cea, sphere', crs: '+proj=cea +lon_0=0 +lat_ts=45 +R=6371228', area: [-179, -85, 179, 85] },
  {
    name: 'aeqd',
    crs: '+proj=aeqd +lat_0=53 +lon_0=24 +x_0=5837287.82 +y_0=2121415.696 +datum=WGS84',
    area: [-10, 35, 45, 72],
  },
  {
    name: 'merc, true at 41 S',
    crs: '+proj=merc +lat_ts=-41 +lon_0=100 +datum=WGS84',
    area: [100, -60, 179, 10],
  },
  { name: 'feet', crs: '+proj=utm +zone=10 +datum=NAD83 +units=us-ft', area: [-126, 30, -120, 50] },
  {
    name: 'Bessel with a shift',
    crs: '+proj=tmerc +lat_0=0 +lon_0=9 +k=1 +x_0=3500000 +ellps=bessel +towgs84=598.1,73.7,418.2,0.202,0.045,-2.455,6.7 +units=m',
    area: [6, 47, 12, 55],
  },
  {
    name: 'Paris, another ellipsoid',
    crs: '+proj=lcc +lat_1=46.8 +lat_0=46.8 +lon_0=0 +k_0=0.99987742 +x_0=600000 +y_0=2200000 +ellps=clrk80 +pm=2.33722917 +units=m',
    area: [-4, 42, 8, 51],
  },
  { name: 'degrees of another ellipsoid', crs: '+proj=longlat +ellps=bessel', area: [-20, 30, 40, 60] },
  {
    name: 'polar, by scale',
    crs: '+proj=stere +lat_0=90 +k=0.97 +lon_0=-45 +ellps=WGS84',
    area: [-180, 50, 179, 89],
  },
  { name: 'UTM south', crs: '+proj=utm +zone=25 +south +ellps=GRS80 +units=m', area: [-37, -40, -29, 5] },
  {
    name: 'sterea',
    crs: '+proj=sterea +lat_0=52.1561605555556 +lon_0=5.38763888888889 +k=0.9999079 +x_0=155000 +y_0=463000 +ellps=bessel',
    area: [3, 50, 8, 54],
  },
  {
    name: 'eqdc',
    crs: '+proj=eqdc +lat_0=39 +lon_0=-96 +lat_1=33 +lat_2=45 +ellps=GRS80',
    area: [-126, 24, -66, 50],
  },
];
