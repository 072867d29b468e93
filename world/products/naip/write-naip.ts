import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addNoise, expose } from '../../light/index.ts';
import { power } from '../../numbers/steady-math.ts';
import { frame } from '../../setting.ts';
import { toLocalGrid, toLocations } from '../local-window.ts';
import type { ProductDeps } from '../product-deps.ts';
import { toReflectiveBands } from '../reflective-bands.ts';
import { toStripSeed, writeInStrips } from '../write-in-strips.ts';
import type { NaipImage, NaipPlan } from './plan.ts';
import { naipEpsg, toNaipImage } from './plan.ts';

const PIXEL_M = 1;
/** Reflectance that is shown white: bright roofs and roads in colours, dense crops in near infrared. */
const WHITE = { colour: 0.5, infrared: 0.8 } as const;
/** Of a photograph with a signal-to-noise ratio of about 50 over fields. */
const NOISE = { dark: 0.0012, shot: 2e-5 } as const;
/** Flown in clear weather, below most of the haze. */
const SKY = { seed: 0, opaque: 0, cirrus: 0, haze: 0.05 } as const;

/** Writes an image of NAIP and its metadata, in the folders of the bucket: `wa/2023/1m/rgbir/48122/m_….tif`. */
export async function writeNaip(plan: NaipPlan, deps: ProductDeps): Promise<void> {
  const { world, signal, onProgress } = deps;
  const image = toNaipImage(plan);
  const grid = toLocalGrid(image.window, PIXEL_M);
  const all = toReflectiveBands('naip').map(({ spectral }) => spectral);
  const bands = plan.samples === 'rgb' ? all.slice(0, 3) : all;
  const curves = [WHITE.colour, WHITE.colour, WHITE.colour, WHITE.infrared].map(makeToneCurve);
  const folder = join(deps.directory, ...image.folders);
  await mkdir(folder, { recursive: true });
  await writeInStrips({
    images: [
      {
        path: join(folder, `${image.name}.tif`),
        options: {
          width: grid.width,
          height: grid.height,
          bandCount: bands.length,
          type: 'uint8',
          epsg: naipEpsg,
          transform: [frame.west + grid.x, PIXEL_M, 0, frame.north - grid.y, 0, -PIXEL_M],
          nodata: null,
          compression: 'steady-deflate',
          isDurable: false,
          predictor: 2,
          photometric: 'rgb',
        },
      },
    ],
    width: grid.width,
    height: grid.height,
    develop(firstRow, rows) {
      const part = { firstCol: 0, cols: grid.width, firstRow, rows };
      const survey = world.ground.survey(toLocations(grid, part));
      const { planes } = expose(world, { survey, atMs: plan.atMs, bands, sky: SKY, level: 'surface' });
      const developed = planes.map((plane, band) => {
        addNoise(plane, { ...NOISE, seed: toStripSeed(plan.seed, firstRow, band) });
        return develop(plane, curves[band]!);
      });
      return [developed];
    },
    signal,
    onProgress,
  });
  await writeFile(join(folder, `${image.name}.txt`), toMetadataText(image));
}

/** Steps of reflectance that the curve is tabled in: finer than a step of 8 bits anywhere but in the deepest black. */
const STEPS = 1 << 14;
/** Reflectances above are all white. */
const MAX = 1;

/**
 * The tone curve of finished photographs: white at `white`, and bent as screens expect it, so that dark woods keep
 * their texture.
 */
function makeToneCurve(white: number): Uint8Array {
  return new Uint8Array(STEPS + 1).map((_, step) => {
    const part = (step / STEPS) * (MAX / white);
    return step === 0 ? 0 : Math.min(255, Math.round(255 * power(part, 1 / 2.2)));
  });
}

/** Stored values of a plane of reflectance. */
function develop(plane: Float32Array, curve: Uint8Array): Uint8Array {
  const out = new Uint8Array(plane.length);
  for (let i = 0; i < out.length; i++) {
    const step = plane[i]! * (STEPS / MAX) + 0.5;
    out[i] = curve[step < 0 ? 0 : step > STEPS ? STEPS : step | 0]!;
  }
  return out;
}

/** The metadata file of an image, in the plain text form of the FGDC standard that the earlier years came with. */
function toMetadataText({ quarter, name }: NaipImage): string {
  const day = name.slice(-8);
  const quad = name.slice(2, 9);
  return `Metadata:
  Identification_Information:
    Citation:
      Citation_Information:
        Originator: USDA-FSA-APFO Aerial Photography Field Office
        Publication_Date: ${Number(day.slice(0, 4)) + 1}0115
        Title: NAIP Digital Ortho Photo Image
        Geospatial_Data_Presentation_Form: remote-sensing image
    Description:
      Abstract:
        A quarter quadrangle of 3.75' x 3.75' with a buffer of 300 meters, of the made-up
        landscape of Swath's demo. It was not flown, and shows no place on Earth.
    Time_Period_of_Content:
      Time_Period_Information:
        Single_Date/Time:
          Calendar_Date: ${day}
      Currentness_Reference: Ground Condition
    Spatial_Domain:
      Bounding_Coordinates:
        West_Bounding_Coordinate: ${quarter.west.toFixed(4)}
        East_Bounding_Coordinate: ${quarter.east.toFixed(4)}
        North_Bounding_Coordinate: ${quarter.north.toFixed(4)}
        South_Bounding_Coordinate: ${quarter.south.toFixed(4)}
    Keywords:
      Theme:
        Theme_Keyword_Thesaurus: None
        Theme_Keyword: farming
        Theme_Keyword: Digital Ortho rectified Image
        Theme_Keyword: Quarter Quadrangle Centered
        Theme_Keyword: NAIP
      Place:
        Place_Keyword_Thesaurus: Geographic Names Information System
        Place_Keyword: WA
        Place_Keyword: ${quad}
    Access_Constraints: There are no limitations for access.
  Spatial_Reference_Information:
    Horizontal_Coordinate_System_Definition:
      Planar:
        Grid_Coordinate_System:
          Grid_Coordinate_System_Name: Universal Transverse Mercator
          Universal_Transverse_Mercator:
            UTM_Zone_Number: 10
      Geodetic_Model:
        Horizontal_Datum_Name: North American Datum of 1983
`;
}
