import type { Rgb } from '../rgb.ts';

/**
 * Maps known as tables, described by smooth curves through them: written by test/oracle/color/fit_curves.py, with about
 * as few pieces as keep every entry within one level. viridis, plasma, inferno, magma: Nathaniel Smith and Stéfan van
 * der Walt (CC0); cividis: Nuñez, Anderton and Renslow (CC0); turbo: Google (Apache-2.0); twilight: Bastian Bechtold
 * (CC0); berlin, managua, vanimo: Fabio Crameri (MIT).
 */
export const smoothCurves: Readonly<Record<string, PackedCurve>> = {
  berlin: {
    entries: 256,
    channels: [
      '98778f8d86507cb972b568a360335ab05717541f51534ea54c1249e6484d484448764c3450ae54ed5a5a5fe065f66ce7' +
        '754a7e4086a18e8f966d9e6ea699aeeeb767bff9c898',
      '9944985c97559617941c90648a7383307ba474306ce965d75efd587352464cf948e4458e4578470747aa490a4ac94dbd' +
        '52a1594a608f67ea6f5e76fa7ec186b18ec997079f64',
      'c423bff1bbb6b732b1c4aa71a11f970a8d1b836e7a0970df680e5f7657774fc74a5c445d40d640384016405640c64339' +
        '48014e0c56415eb767a270b079ff83798d259700a10c',
    ],
  },
  cividis: {
    entries: 256,
    channels: [
      '3fff400040004000400040003fff40013ffd40053ff640113fdf403f3f7c4180455047c44a074bd94d8d4f11508051d5' +
        '531d544f557b569857ae58ba59c05abf5bb85cad5d9b5e875f6f60526132621062eb63c46499656e663f670f67de68a9' +
        '69756a3e6b076bcf6c936d5a6e1d6ee16fa27064712471e472a27361741f74db75987654770e77ca7882793b79f47aab' +
        '7b627c1b7ccf7d8e7e527f1a7fe580b0817d824b831983ea84b9858b865d872f880288d889ab8a828b568c2e8d058ddd' +
        '8eb58f8e90679143921c92f993d494b1958d966c974a9828990899e99ac89bab9c8c9d6f9e529f35a01ba0ffa1e5a2ca' +
        'a3b2a49aa581a66ba754a83ea92aaa16ab01abefacdcadccaebbafacb09db18fb283b376b46cb561b659b751b84ab945' +
        'ba42bb41bc40bd48be47bf7abf54bf8bbf36',
      '50a7514b51f05293533753d5545f54f0557e561056a2573d57e6583a58c9595559ed5a845b1e5bb75c515ceb5d855e1f' +
        '5eb85f515fea6082611b61b3624b62e2637a641164a9654065d7666e6705679c683368ca696169f86a906b276bbe6c56' +
        '6cee6d866e1e6eb66f4e6fe77080711971b2724c72e67380741a74b5755075eb7687772377bf785c78f979967a347ad2' +
        '7b717c0f7cb07d4f7df07e8f7f307fd18073811481b7825a82fd83a1844584ea858f863586db8782882988d1897a8a23' +
        '8acd8b778c228ccd8d798e268ed38f81903090df918f924092f193a49456950a95be9673972997df9897994f9a079ac1' +
        '9b7b9c379cf39daf9e6d9f2c9feba0aba16ca22ea2f1a3b4a479a53ea605a6cca794a85da927a9f2aabdab8aac57ad25' +
        'adf4aec3af93b062b134b1f4b33bb45cb5b2',
      '65b966fa686969ca6b3a6cab6e376fbd715072da747c75f077a678877881788678607840781677ec77c07797776d7747' +
        '771e76ff76db76bf76a176897672765f764e763e7634762a7622761f761e761d76217625762f7637764476547663767a' +
        '768c76a676c076d976fb7717773d775e778877ae77dc780878397868789c78d4790b7946798779c47a0c7a547a9e7af0' +
        '7b427b957be47c1f7c407c5d7c6a7c797c7d7c817c807c797c767c6a7c5d7c4c7c3c7c1d7c0d7be97bd17baa7b887b5c' +
        '7b377b097ada7aa27a727a3579fd79ba797f793578f178a97859780777b77757770176a4763d75dd756d750874947423' +
        '73a5732872aa721f719a7109706f6fd66f3f6e956dee6d376c816bc36afe6a326956687d678c66a5659b649b6381625e' +
        '61235fd85e7e5cfe5b80596b5ae75b995df4',
    ],
  },
  inferno: {
    entries: 256,
    channels: [
      '3f6e4017415145244a51503b575d5e6565136b8671e278397e9384f08b4c919c97d19dd7a398a8faade5b241b600b916' +
        'bb80bd39be42be92be2dbd03bb40b917b8e9be28c583',
      '3fd43fcf414a439b45cb46604519445145a547e04a484ca34ee95122536355c458615b5a5ecd62d067726cb3728878dc' +
        '7f9b86b08e0b959f9d5ea53ead1bb4cabb50bfdac402',
      '40514048493551d55b62654a6de1730c75c37714778a775b769b754d737071046e0c6a9366ac62695de6592c54524f35' +
        '4a03446941bc471f4f7658ee644a7223836693349f15',
    ],
  },
  magma: {
    entries: 256,
    channels: [
      '3f94400c415a44de496d4e3454115aeb61df685d6ea574d57b0c815487b48e2c94b79b4ba1d3a830ae31b38ab7debaf6' +
        'bcfdbe48bf13bf83bfafbfa5bf6ebf16beafbe54be0c',
      '3fc33fd2414f43e946d64890490d47d6475348fb4b724e0e508c52e25513572a59385b575dad606b63da684c6e0174d4' +
        '7c4083d88b6b92eb9a58a1b5a908b056b79fbee5c633',
      '4083405448d350e059be632f6d2575fd7b707e457fd180a58108810c80b27ff17ebd7d0b7ad77823750a71d46f1c6dc1' +
        '6e3d706c73f2787b7dc883b38a21910698539feaa7a1',
    ],
  },
  managua: {
    entries: 256,
    channels: [
      'c4f1c003bafdb613b13bac6ea7a2a2cc9de298d393738d9b875880e07a8974af6fa36b9e68b966e4660165f866b06806' +
        '69ca6bd26e0e7079730775a778527b087dc980898339',
      'b05fa7f89fd7981d90c889ce83287cd376d7712b6bb4665861355c84589155ad542a5443560559445db362fb68cb6ed6' +
        '74ea7af4811987898e4c954f9c8ea413abecb412bc6a',
      '768373ba71066e726c0069aa67716556635f618f5fe35e675d375c845c8e5da1600e641569b5709b783f8013879e8e8e' +
        '94bc9a359f37a404a8b6ad54b1e9b686bb37bff9c4b7',
    ],
  },
  plasma: {
    entries: 256,
    channels: [
      '35d747eb512d58d25fb766506cb672ff79297f3085078aa28ff494f699a59e06a21fa5f9a99aad06b03db33eb602b880' +
        'baafbc83bdefbee8bf5fbf43be85bd0fbae6b802b6fc',
      '45c9439342cb425c41e2413e408d400140184126441248ab4cfa518b56085a915f11639468196ca9714a76037add7fde' +
        '850c8a6d900295ce9bd1a20ca87caf21b5f0bce7c35d',
      '7d7c83f1883a8ba08e7e90e692cb941594a59460933991378e788b2c878b83c780027c5078b6753171bc6e4e6ae26772' +
        '63fc60855d1159b3568953e6522d5226536754983f14',
    ],
  },
  turbo: {
    entries: 256,
    channels: [
      '540c586e5c1b5f08614262b56383636c63025f975a4454664f244bd34b904fdf582b630c6f8b7c39886191f99a0da284' +
        'aa35b144b722bbb1be6fbfabbf99be4dbbecb890b45daf6ea980a2a19aca920088407d8c71e2',
      '3f984939529e5bc564ae6d5c75c77dff85e38dff961a9defa53fabceb153b59eb968bc69be99bfd6c003bf13bcc4b921' +
        'b475aee1a8b6a1fc9b49932389ed803b768a6d5965345e90585352ba4daa4930454541ee3f28',
      '449a5e3374e688a79980a762b268ba5dbfbdc043bce4b6b7aecca6149dd596b18cd58230772a6ce264135db95a9259be' +
        '5a6c5bd45d125d7c5be958eb552b50f14cb848dc45d343f74268415540aa407140a441484256',
    ],
  },
  twilight: {
    entries: 510,
    channels: [
      'b30ab183af26abcfa73fa1bd9bb795948fa78a21851380887c857913763773f37240710f70496fd36f8d6f596f1b6eb6' +
        '6e0e6cfc6b62690f662262a75f645bfa5a3257185a2e5ccf60e1655f6a6d6fa474f77a337f3f83fc885e8c6390139373' +
        '968799519bd09e049feea191a2f4a425a53ca653a789a8f3aaa0ac76ae56afadb0ddb19ab0f0',
      'ab82ad09ad26ac02aa00a76fa483a15c9e089a9196fd934e8f848ba087a083827f487af0767b71e96d3d687863a15ec0' +
        '59e7553e50ff4d944b1e49a848984886482c4a73488448a348ce499a4a8b4bbe4d1e4ed550fe53b056de5a725e50626a' +
        '66b26b236fb6746879347e15830187f18cd991b0966b9b029f66a383a72aaa3eac4ead01ac7c',
      'b1fbb1d6b0a0aed6acacaa4da813a637a4c2a3a0a2b8a1f8a151a0b3a0139f619e8f9d909c559ad298f796b7940090bc' +
        '8ccf881882817c0b75286e45682462965ed15ad05c095cfc5ef16106633a652966b667bd683f6855683067ff67e66800' +
        '6862691f6a4b6bfb6e42713374dd79477e6a84358a89913c98209ef2a56eaaffaeb0b18db354',
    ],
  },
  vanimo: {
    entries: 256,
    channels: [
      'c61dc004b9cfb39bad5da708a07f99c7926d89b67fdc753a6a67602a57bf51d04e394cb24c944dc65068546a59355e66' +
        '63ab68e26de572f0789d7f0a864d8e4d96c09f4fa7d7',
      'b2aba6cc9b31902585c27c3273926c27659b5f6c59d754f350d44d8a4b3a4a0249b64a6a4c294f7954915b07624869c8' +
        '713d78827f7086558df2965b9f95a988b3ffbed6ca0a',
      'c7a8bef5b677ae4ba6699ecb975e903388d18083777d6e0364855b9554344edd4b7e496e4876489749864ac44c8b4e94' +
        '50d1532c55aa58905c9162526a817586833292c0a30f',
    ],
  },
  viridis: {
    entries: 256,
    channels: [
      '60686246638d643c644f63ca62bc613c5f6f5d795b7c599357cd562a54a2532751b350584f554f275073539958775eb9' +
        '66136e51775080f28b1b95a5a060ab0cb567bf3cc876',
      '3e0c3fc446a04c2c515c56675b54601d64ba69286d66717a756c79467d1080d3849388558c178fd8939397409ad79e50' +
        'a1a0a4bca79baa31ac77ae6ab00db171b2b4b3f7b559',
      '63d76a3e702b757f7a1e7df480fa833b84d185e2869387028746876c8776875e8717869185b8847882c080827db27a49' +
        '764071966c4c66635ff05902521a4c354bb6523759f7',
    ],
  },
};

/** A table described by a uniform cubic B-spline for each channel. */
interface PackedCurve {
  /** Entries of the table. */
  readonly entries: number;
  /** Control heights of the curve, at equal distances: four hexadecimal digits each, from -0.5 to 1.5. */
  readonly channels: readonly [red: string, green: string, blue: string];
}

const DIGITS = 4;
const LOW = -0.5;
const SPAN = 2;

/** The entries of the table. */
export function unpackCurve({ entries, channels }: PackedCurve): Rgb[] {
  const [red, green, blue] = channels.map(unpackHeights) as [Float64Array, Float64Array, Float64Array];
  return Array.from({ length: entries }, (_, i) => {
    const x = i / (entries - 1);
    return [heightAt(red, x), heightAt(green, x), heightAt(blue, x)];
  });
}

const unpackHeights = (text: string): Float64Array =>
  Float64Array.from({ length: text.length / DIGITS }, (_, i) => {
    const stored = Number.parseInt(text.slice(i * DIGITS, (i + 1) * DIGITS), 16);
    return LOW + (SPAN * stored) / 0xffff;
  });

/** The spline at a position from 0 to 1. */
function heightAt(heights: Float64Array, x: number): number {
  const pieces = heights.length - 3;
  const i = Math.min(pieces - 1, Math.floor(x * pieces));
  const t = x * pieces - i;
  const [t2, t3] = [t * t, t * t * t];
  return (
    ((1 - t) ** 3 * heights[i]! +
      (3 * t3 - 6 * t2 + 4) * heights[i + 1]! +
      (-3 * t3 + 3 * t2 + 3 * t + 1) * heights[i + 2]! +
      t3 * heights[i + 3]!) /
    6
  );
}
