const hex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text.replaceAll(/\s/g, ''), 'hex'));

/** Steps of brightness at quality 50, in the order of the file: T.81, table K.1. */
const BRIGHTNESS_STEPS = hex(`
  100b0c0e0c0a100e0d0e1211101318281a181616183123251d283a333d3c3933
  383740485c4e404457453738506d51575f626768673e4d71797064785c656763`);

/** Steps of colour at quality 50: T.81, table K.2, whose larger half is all 99. */
const COLOR_STEPS = new Uint8Array(64).fill(99);
COLOR_STEPS.set(hex('1112121815182f1a1a2f6342384263'));

/** How many codes have 1 to 16 bits and then their symbols, here sizes of first coefficients: T.81, K.3 and K.4. */
const BRIGHTNESS_FIRSTS = hex('00010501010101010100000000000000 000102030405060708090a0b');
const COLOR_FIRSTS = hex('00030101010101010101010000000000 000102030405060708090a0b');

/** The same for runs of zeros and the sizes of the coefficients after them: T.81, tables K.5 and K.6. */
const BRIGHTNESS_RUNS = hex(`0002010303020403050504040000017d
  01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718191a25262728
  292a3435363738393a434445464748494a535455565758595a636465666768696a737475767778797a83848586878889
  8a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2
  e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9fa`);
const COLOR_RUNS = hex(`00020102040403040705040400010277
  000102031104052131061241510761711322328108144291a1b1c109233352f0156272d10a162434e125f11718191a26
  2728292a35363738393a434445464748494a535455565758595a636465666768696a737475767778797a828384858687
  88898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9da
  e2e3e4e5e6e7e8e9eaf2f3f4f5f6f7f8f9fa`);

/** A table each for brightness and for colour. */
type Pair = readonly [brightness: Uint8Array, color: Uint8Array];

/** The tables of a picture as they stand in its file. */
export interface JpegTables {
  readonly steps: Pair;
  readonly firsts: Pair;
  readonly runs: Pair;
}

/** Tables of a quality from 1 to 100: only the steps depend on it. */
export const makeTables = (quality: number): JpegTables => ({
  steps: [scaleSteps(BRIGHTNESS_STEPS, quality), scaleSteps(COLOR_STEPS, quality)],
  firsts: [BRIGHTNESS_FIRSTS, COLOR_FIRSTS],
  runs: [BRIGHTNESS_RUNS, COLOR_RUNS],
});

/** As libjpeg scales, on which everyone's idea of a quality rests; baseline files hold steps up to 255. */
function scaleSteps(steps: Uint8Array, quality: number): Uint8Array {
  const percent = quality < 50 ? Math.floor(5000 / quality) : 200 - 2 * quality;
  return steps.map((step) => Math.min(Math.max(Math.floor((step * percent + 50) / 100), 1), 255));
}
