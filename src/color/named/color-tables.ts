/**
 * The tables of the named colormaps. Lists named like `RdYlGn` and the qualitative ones up to Set3 are the schemes of
 * ColorBrewer 2.0 by Cynthia Brewer, Mark Harrower and The Pennsylvania State University (Apache-2.0).
 */
import type { PackedColors, Rgb } from '../rgb.ts';

/**
 * Continuous maps whose channels have their own anchors: red, green and blue as `position:height`, straight lines
 * between. `position:before/after` is a jump. Positions and heights run from 0 to 1.
 */
export const channelAnchors: Readonly<Record<string, readonly [red: string, green: string, blue: string]>> = {
  CMRmap: [
    '0:0 .125:.15 .25:.3 .375:.6 .5:1 .625:.9 .75:.9 .875:.9 1:1',
    '0:0 .125:.15 .25:.15 .375:.2 .5:.25 .625:.5 .75:.75 .875:.9 1:1',
    '0:0 .125:.5 .25:.75 .375:.5 .5:.15 .625:0 .75:.1 .875:.5 1:1',
  ],
  bone: ['0:0 .746032:.652778 1:1', '0:0 .365079:.319444 .746032:.777778 1:1', '0:0 .365079:.444444 1:1'],
  // Moreland 2009, "Diverging color maps for scientific visualization"
  coolwarm: [
    '0:.22981 .03125:.26623 .0625:.30387 .09375:.3428 .125:.38301 .15625:.42437 .1875:.46667 ' +
      '.21875:.50964 .25:.55295 .28125:.59626 .3125:.63918 .34375:.68129 .375:.72219 .40625:.76146 ' +
      '.4375:.79869 .46875:.83347 .5:.8654 .53125:.89779 .5625:.92413 .59375:.94447 .625:.95885 ' +
      '.65625:.96733 .6875:.96995 .71875:.96681 .75:.958 .78125:.94366 .8125:.92394 .84375:.89905 ' +
      '.875:.86919 .90625:.83462 .9375:.79563 .96875:.75253 1:.70567',
    '0:.29872 .03125:.35309 .0625:.40654 .09375:.45876 .125:.50942 .15625:.55815 .1875:.60456 ' +
      '.21875:.64828 .25:.68893 .28125:.72615 .3125:.7596 .34375:.78896 .375:.81395 .40625:.8343 ' +
      '.4375:.84979 .46875:.86021 .5:.86541 .53125:.84894 .5625:.82738 .59375:.80093 .625:.76977 ' +
      '.65625:.73413 .6875:.69427 .71875:.65042 .75:.60284 .78125:.55175 .8125:.49731 .84375:.43956 ' +
      '.875:.37831 .90625:.31287 .9375:.24128 .96875:.15725 1:.015556',
    '0:.75368 .03125:.80147 .0625:.84496 .09375:.88373 .125:.91739 .15625:.94562 .1875:.96815 ' +
      '.21875:.98479 .25:.99538 .28125:.99984 .3125:.99815 .34375:.99036 .375:.97657 .40625:.95695 ' +
      '.4375:.93169 .46875:.90107 .5:.8654 .53125:.82088 .5625:.77451 .59375:.72674 .625:.67801 ' +
      '.65625:.62875 .6875:.57938 .71875:.53026 .75:.48178 .78125:.43424 .8125:.38797 .84375:.34323 ' +
      '.875:.30027 .90625:.2593 .9375:.22053 .96875:.18412 1:.15023',
  ],
  copper: ['0:0 .809524:1 1:1', '0:0 1:.7812', '0:0 1:.4975'],
  gist_earth: [
    '0:0 .2824:.1882 .4588:.2714 .549:.4719 .698:.7176 .7882:.7553 1:.9922',
    '0:0 .0275:0 .1098:.1893 .1647:.3035 .2078:.3841 .2824:.502 .5216:.6397 .698:.7171 .7882:.6392 .7922:.6413 ' +
      '.8:.6447 .8078:.6481 .8157:.6549 .8667:.6991 .8745:.7103 .8824:.7216 .8902:.7323 .898:.743 .9412:.8275 ' +
      '.9569:.8635 .9647:.8816 .9961:.9733 1:.9843',
    '0:0 .0039:.1684 .0078:.2212 .0275:.4329 .0314:.4549 .2824:.5004 .4667:.2748 .5451:.3205 .7843:.3961 ' +
      '.8941:.6651 1:.9843',
  ],
  gist_ncar: [
    '0:0 .3098:0 .3725:.3993 .4235:.5003 .5333:1 .7922:1 .8471:.6218 .898:.9235 1:.9961',
    '0:0 .051:.3722 .1059:0 .1569:.7202 .1608:.7537 .1647:.7752 .2157:1 .2588:.9804 .2706:.9804 .3176:1 ' +
      '.3686:.8081 .4275:1 .5216:1 .6314:.7292 .6863:.2796 .7451:0 .7922:0 .8431:.1753 .898:.5 1:.9725',
    '0:.502 .051:.0222 .1098:1 .2039:1 .2627:.6145 .3216:0 .4157:0 .4745:.2342 .5333:0 .5804:0 .6314:.0549 ' +
      '.6902:0 .7373:0 .7922:.9738 .8:1 .8431:1 .898:.9341 1:.9961',
  ],
  gist_rainbow: [
    '0:1 .215:1 .4:0 .77:0 .954:1 1:1',
    '0:0 .03:0 .215:1 .586:1 .77:0 1:0',
    '0:.16 .03:0 .4:0 .586:1 .954:1 1:.75',
  ],
  gist_stern: ['0:0 .0547:1 .25:.027/.25 1:1', '0:0 1:1', '0:0 .5:1 .735:0 1:1'],
  hot: ['0:.0416 .365079:1 1:1', '0:0 .365079:0 .746032:1 1:1', '0:0 .746032:0 1:1'],
  hsv: [
    '0:1 .15873:1 .174603:.96875 .333333:.03125 .349206:0 .666667:0 .68254:.03125 .84127:.96875 .857143:1 1:1',
    '0:0 .15873:.9375 .174603:1 .507937:1 .666667:.0625 .68254:0 1:0',
    '0:0 .333333:0 .349206:.0625 .507937:1 .84127:1 .857143:.9375 1:.09375',
  ],
  jet: ['0:0 .35:0 .66:1 .89:1 1:.5', '0:0 .125:0 .375:1 .64:1 .91:0 1:0', '0:.5 .11:1 .34:1 .65:0 1:0'],
  nipy_spectral: [
    '0:0 .05:.4667 .1:.5333 .15:0 .6:0 .65:.7333 .7:.9333 .75:1 .85:1 .9:.8667 .95:.8 1:.8',
    '0:0 .2:0 .25:.4667 .3:.6 .35:.6667 .4:.6667 .45:.6 .5:.7333 .55:.8667 .6:1 .65:1 .7:.9333 .75:.8 .8:.6 ' +
      '.85:0 .95:0 1:.8',
    '0:0 .05:.5333 .1:.6 .15:.6667 .2:.8667 .3:.8667 .35:.6667 .4:.5333 .45:0 .95:0 1:.8',
  ],
  seismic: ['0:0 .25:0 .5:1 .75:1 1:.5', '0:0 .25:0 .5:1 .75:0 1:0', '0:.3 .25:1 .5:1 .75:0 1:0'],
  summer: ['0:0 1:1', '0:.5 1:1', '0:.4 1:.4'],
  terrain: [
    '0:.2 .15:0 .25:0 .5:1 .75:.5 1:1',
    '0:.2 .15:.6 .25:.8 .5:1 .75:.36 1:1',
    '0:.6 .15:1 .25:.4 .5:.6 .75:.33 1:1',
  ],
  winter: ['0:0 1:0', '0:0 1:1', '0:1 1:.5'],
};

/** Continuous maps that are formulas of the position from 0 to 1; channels are clamped to 0 and 1. */
export const channelFormulas: Readonly<Record<string, (x: number) => Rgb>> = {
  afmhot: (x) => [2 * x, 2 * x - 0.5, 2 * x - 1],
  // Green 2011, "A colour scheme for the display of astronomical intensity images"
  cubehelix: (x) => {
    const angle = 2 * Math.PI * (0.5 / 3 - 1.5 * x);
    const amplitude = (x * (1 - x)) / 2;
    const [cos, sin] = [amplitude * Math.cos(angle), amplitude * Math.sin(angle)];
    return [x - 0.14861 * cos + 1.78277 * sin, x - 0.29227 * cos - 0.90649 * sin, x + 1.97294 * cos];
  },
  flag: (x) => [
    0.75 * Math.sin((x * 31.5 + 0.25) * Math.PI) + 0.5,
    Math.sin(x * 31.5 * Math.PI),
    0.75 * Math.sin((x * 31.5 - 0.25) * Math.PI) + 0.5,
  ],
  gist_gray: (x) => [x, x, x],
  gist_heat: (x) => [1.5 * x, 2 * x - 1, 4 * x - 3],
  gist_yarg: (x) => [1 - x, 1 - x, 1 - x],
  gnuplot: (x) => [Math.sqrt(x), x ** 3, Math.sin(x * 2 * Math.PI)],
  gnuplot2: (x) => [
    x / 0.32 - 0.78125,
    2 * x - 0.84,
    x < 0.25 ? 4 * x : x < 0.92 ? -2 * x + 1.84 : x / 0.08 - 11.5,
  ],
  ocean: (x) => [3 * x - 2, Math.abs((3 * x - 1) / 2), x],
  prism: (x) => [
    0.75 * Math.sin((x * 20.9 + 0.25) * Math.PI) + 0.67,
    0.75 * Math.sin((x * 20.9 - 0.25) * Math.PI) + 0.33,
    -1.1 * Math.sin(x * 20.9 * Math.PI),
  ],
  pink: (x) => {
    // interpolated between 64 entries, as it was first tabulated
    const position = x * (PINK_ENTRIES - 1);
    const low = Math.min(PINK_ENTRIES - 2, Math.floor(position));
    const [a, b] = [pinkAt(low), pinkAt(low + 1)];
    const rest = position - low;
    const mix = (i: 0 | 1 | 2): number => a[i] + (b[i] - a[i]) * rest;
    return [mix(0), mix(1), mix(2)];
  },
  rainbow: (x) => [Math.abs(2 * x - 0.5), Math.sin(x * Math.PI), Math.cos((x * Math.PI) / 2)],
};

const PINK_ENTRIES = 64;

/** Root of two thirds grey and one third "hot", whose channels rise one after the other: in 24, 24 and 16 steps. */
function pinkAt(position: number): Rgb {
  const grey = position / (PINK_ENTRIES - 1);
  const mix = (from: number, steps: number): number =>
    Math.sqrt((2 * grey + Math.min(1, Math.max(0, (position + 1 - from) / steps))) / 3);
  return [mix(0, 24), mix(24, 24), mix(48, 16)];
}

/** Continuous: colours at equal distances, with straight lines between them. */
export const rampColors: Readonly<Record<string, PackedColors>> = {
  Blues: 'f7fbffdeebf7c6dbef9ecae16baed64292c62171b508519c08306b',
  BrBG: '5430058c510abf812ddfc27df6e8c3f5f5f5c7eae580cdc135978f01665e003c30',
  BuGn: 'f7fcfde5f5f9ccece699d8c966c2a441ae76238b45006d2c00441b',
  BuPu: 'f7fcfde0ecf4bfd3e69ebcda8c96c68c6bb188419d810f7c4d004b',
  GnBu: 'f7fcf0e0f3dbccebc5a8ddb57bccc44eb3d32b8cbe0868ac084081',
  Greens: 'f7fcf5e5f5e0c7e9c0a1d99b74c47641ab5d238b45006d2c00441b',
  Greys: 'fffffff0f0f0d9d9d9bdbdbd969696737373525252252525000000',
  OrRd: 'fff7ecfee8c8fdd49efdbb84fc8d59ef6548d7301fb300007f0000',
  Oranges: 'fff5ebfee6cefdd0a2fdae6bfd8d3cf16913d94801a636037f2704',
  PRGn: '40004b762a839970abc2a5cfe7d4e8f7f7f7d9f0d3a6dba05aae611b783700441b',
  PiYG: '8e0152c51b7dde77aef1b6dafde0eff7f7f7e6f5d0b8e1867fbc414d9221276419',
  PuBu: 'fff7fbece7f2d0d1e6a6bddb74a9cf3690c00570b0045a8d023858',
  PuBuGn: 'fff7fbece2f0d0d1e6a6bddb67a9cf3690c002818a016c59014636',
  PuOr: '7f3b08b35806e08214fdb863fee0b6f7f7f7d8daebb2abd28073ac5427882d004b',
  PuRd: 'f7f4f9e7e1efd4b9dac994c7df65b0e7298ace125698004367001f',
  Purples: 'fcfbfdefedf5dadaebbcbddc9e9ac8807dba6a51a354278f3f007d',
  RdBu: '67001fb2182bd6604df4a582fddbc7f7f7f7d1e5f092c5de4393c32166ac053061',
  RdGy: '67001fb2182bd6604df4a582fddbc7ffffffe0e0e0bababa8787874d4d4d1a1a1a',
  RdPu: 'fff7f3fde0ddfcc5c0fa9fb5f768a1dd3497ae017e7a017749006a',
  RdYlBu: 'a50026d73027f46d43fdae61fee090ffffbfe0f3f8abd9e974add14575b4313695',
  RdYlGn: 'a50026d73027f46d43fdae61fee08bffffbfd9ef8ba6d96a66bd631a9850006837',
  Reds: 'fff5f0fee0d2fcbba1fc9272fb6a4aef3b2ccb181da50f1567000d',
  Spectral: '9e0142d53e4ff46d43fdae61fee08bffffbfe6f598abdda466c2a53288bd5e4fa2',
  Wistia: 'e4ff7affe81affbd00ffa000fc7f00',
  YlGn: 'ffffe5f7fcb9d9f0a3addd8e78c67941ab5d238443006837004529',
  YlGnBu: 'ffffd9edf8b1c7e9b47fcdbb41b6c41d91c0225ea8253494081d58',
  YlOrBr: 'ffffe5fff7bcfee391fec44ffe9929ec7014cc4c02993404662506',
  YlOrRd: 'ffffccffeda0fed976feb24cfd8d3cfc4e2ae31a1cbd0026800026',
  autumn: 'ff0000ffff00',
  binary: 'ffffff000000',
  brg: '0000ffff000000ff00',
  bwr: '0000ffffffffff0000',
  cool: '00ffffff00ff',
  gray: '000000ffffff',
  spring: 'ff00ffffff00',
};

/** Discrete: each colour is one class. */
export const classColors: Readonly<Record<string, PackedColors>> = {
  Accent: '7fc97fbeaed4fdc086ffff99386cb0f0027fbf5b17666666',
  Dark2: '1b9e77d95f027570b3e7298a66a61ee6ab02a6761d666666',
  Paired: 'a6cee31f78b4b2df8a33a02cfb9a99e31a1cfdbf6fff7f00cab2d66a3d9affff99b15928',
  Pastel1: 'fbb4aeb3cde3ccebc5decbe4fed9a6ffffcce5d8bdfddaecf2f2f2',
  Pastel2: 'b3e2cdfdcdaccbd5e8f4cae4e6f5c9fff2aef1e2cccccccc',
  Set1: 'e41a1c377eb84daf4a984ea3ff7f00ffff33a65628f781bf999999',
  Set2: '66c2a5fc8d628da0cbe78ac3a6d854ffd92fe5c494b3b3b3',
  Set3: '8dd3c7ffffb3bebadafb807280b1d3fdb462b3de69fccde5d9d9d9bc80bdccebc5ffed6f',
  okabe_ito: '000000e69f0056b4e9009e73f0e4420072b2d55e00cc79a7',
  tab10: '1f77b4ff7f0e2ca02cd627289467bd8c564be377c27f7f7fbcbd2217becf',
  tab20:
    '1f77b4aec7e8ff7f0effbb782ca02c98df8ad62728ff98969467bdc5b0d5' +
    '8c564bc49c94e377c2f7b6d27f7f7fc7c7c7bcbd22dbdb8d17becf9edae5',
  tab20b:
    '393b795254a36b6ecf9c9ede6379398ca252b5cf6bcedb9c8c6d31bd9e39' +
    'e7ba52e7cb94843c39ad494ad6616be7969c7b4173a55194ce6dbdde9ed6',
  tab20c:
    '3182bd6baed69ecae1c6dbefe6550dfd8d3cfdae6bfdd0a231a35474c476' +
    'a1d99bc7e9c0756bb19e9ac8bcbddcdadaeb636363969696bdbdbdd9d9d9',
};
