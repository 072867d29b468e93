import { badInput, tooLarge } from '../../errors.ts';
import { bytesPerSample } from '../../raster/index.ts';
import { writableCodecs } from '../tiff/codecs/codecs.ts';
import { checkControlPoints } from '../tiff/georeference/control-points.ts';
import { checkGeoKeys } from '../tiff/georeference/geo-key-tags.ts';
import { isStorableCode, isUsableTransform } from '../tiff/georeference/georeference.ts';
import { checkSinusoidal } from '../tiff/georeference/sinusoidal-keys.ts';
import {
  MAX_BLOCK_BYTES,
  MAX_SAMPLES,
  MAX_SIDE_PX,
  MAX_TILE_SIDE_PX,
  MAX_WRITER_BLOCKS,
  MAX_WRITER_BYTES,
} from '../tiff/limits.ts';
import type { CogPlan, FullOptions } from './cog-options.ts';

const isCount = (value: number, max: number): boolean =>
  Number.isInteger(value) && value >= 1 && value <= max;

function checkSize({ width, height, bandCount, blockSize }: FullOptions): void {
  if (!isCount(width, MAX_SIDE_PX) || !isCount(height, MAX_SIDE_PX)) {
    throw badInput(
      'bad-image-size',
      `An image needs whole sides from 1 to ${MAX_SIDE_PX}, not ${width} × ${height}.`,
    );
  }
  if (!isCount(bandCount, MAX_SAMPLES)) {
    throw badInput('bad-band-count', `An image has 1 to ${MAX_SAMPLES} bands, not ${bandCount}.`);
  }
  if (!isCount(blockSize, MAX_TILE_SIDE_PX) || blockSize % 16 !== 0) {
    throw badInput(
      'bad-block-size',
      `A block side is a multiple of 16 up to ${MAX_TILE_SIDE_PX}, not ${blockSize}.`,
    );
  }
}

function checkCodec({ type, compression, level, predictor }: FullOptions): void {
  const { levels } = writableCodecs[compression];
  if (!Number.isInteger(level) || level < levels.min || level > levels.max) {
    throw badInput(
      'bad-level',
      `The level of ${compression} is a whole number from ${levels.min} to ${levels.max}, not ${level}.`,
    );
  }
  if (predictor === 1) return;
  const wanted = type === 'float32' ? 3 : 2;
  if (predictor !== wanted) {
    throw badInput(
      'bad-predictor',
      `Predictor ${predictor} does not fit ${type} pixels; use ${wanted} or 1.`,
    );
  }
  if (compression === 'none') {
    // libtiff ignores the Predictor tag of uncompressed files, so it would show the differences as pixels
    throw badInput('bad-predictor', `Predictor ${predictor} needs a compression; without one use 1.`);
  }
}

function checkColours({ bandCount, type, photometric, alpha, interleave }: FullOptions): void {
  const needed = (photometric === 'rgb' ? 3 : 1) + (alpha ? 1 : 0);
  if (bandCount < needed) {
    throw badInput('bad-colours', `This colour model needs at least ${needed} bands, not ${bandCount}.`);
  }
  if (photometric === 'rgb' && type !== 'uint8' && type !== 'uint16') {
    throw badInput('bad-colours', `Colours are stored as uint8 or uint16, not as ${type}.`);
  }
  if (alpha === 'cut-out' && (type !== 'uint8' || interleave !== 'pixel')) {
    throw badInput('bad-colours', 'Images are cut out of bytes whose bands are stored together.');
  }
}

function checkGeoreference(options: FullOptions): void {
  const { epsg, transform, controlPoints, sinusoidalRadiusM, geoKeys } = options;
  checkGeoKeys(geoKeys, epsg === null && sinusoidalRadiusM === null);
  checkSinusoidal(sinusoidalRadiusM, epsg);
  checkControlPoints(controlPoints, transform);
  if (epsg !== null && !isStorableCode(epsg))
    throw badInput('bad-epsg', `EPSG code ${epsg} cannot be stored: codes go from 1024 to 32766.`);
  if (transform !== null && !isUsableTransform(transform)) {
    throw badInput('bad-transform', 'The transform has to be finite and to give each pixel an area.');
  }
}

/** Refuses options that make no image, or one that other programs would misread. */
export function checkOptions(options: FullOptions): void {
  checkSize(options);
  checkCodec(options);
  checkColours(options);
  checkGeoreference(options);
}

/** Refuses an image whose blocks or index are over a limit. */
export function checkCost(plan: CogPlan): void {
  const sampleBytes = bytesPerSample[plan.type];
  const blockBytes = plan.blockSize ** 2 * plan.samplesPerBlock * sampleBytes;
  if (blockBytes > MAX_BLOCK_BYTES) {
    throw tooLarge(
      'cog-block-too-large',
      `A block of ${blockBytes} bytes is over the limit of ${MAX_BLOCK_BYTES}.`,
    );
  }
  const blocks = plan.levels.reduce(
    (sum, level) => sum + level.blocksAcross * level.blocksDown * plan.planes,
    0,
  );
  if (blocks > MAX_WRITER_BLOCKS) {
    throw tooLarge(
      'cog-too-many-blocks',
      `The image needs ${blocks} blocks, over the limit of ${MAX_WRITER_BLOCKS}; use larger blocks.`,
    );
  }
}

/** Refuses an image whose rows of blocks do not fit into memory: what writing it row by row holds. */
export function checkWidth(plan: CogPlan): void {
  const sampleBytes = bytesPerSample[plan.type];
  const held = plan.levels.reduce(
    (sum, level) => sum + level.width * Math.min(plan.blockSize, level.height) * plan.bandCount * sampleBytes,
    0,
  );
  if (held > MAX_WRITER_BYTES) {
    throw tooLarge(
      'cog-too-wide',
      `A row of blocks takes ${held} bytes, over the limit of ${MAX_WRITER_BYTES}; use smaller blocks.`,
    );
  }
}
