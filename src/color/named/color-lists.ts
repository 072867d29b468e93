import type { PackedColors } from '../rgb.ts';

/**
 * Lists of colours, packed. Those named like `RdYlGn` and the qualitative ones up to Set3 are the schemes of
 * ColorBrewer 2.0 by Cynthia Brewer, Mark Harrower and The Pennsylvania State University (Apache-2.0).
 */

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
