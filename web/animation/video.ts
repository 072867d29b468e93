/** Films as MP4 or WebM, by the encoders of the browser. */
import type { VideoCodec } from 'mediabunny';
import {
  BufferTarget,
  CanvasSource,
  getFirstEncodableVideoCodec,
  Mp4OutputFormat,
  Output,
  QUALITY_HIGH,
  WebMOutputFormat,
} from 'mediabunny';
import type { PictureSize } from '../scenes/rectangle.ts';
import type { FilmEncoder, FilmOptions } from './film-format.ts';

/** Codecs that players expect in each kind of file, the best first. */
const CODECS: Readonly<Record<'mp4' | 'webm', VideoCodec[]>> = { mp4: ['avc'], webm: ['vp9', 'vp8'] };

/** The codec that this browser has for a kind of file; `null` if it has none. */
export const findCodec = (
  format: 'mp4' | 'webm',
  { widthPx, heightPx }: PictureSize,
): Promise<VideoCodec | null> =>
  // A browser without WebCodecs has no encoder at all.
  typeof VideoEncoder === 'undefined'
    ? Promise.resolve(null)
    : getFirstEncodableVideoCodec(CODECS[format], { width: widthPx, height: heightPx });

/** Builds the encoder. */
export const makeVideo = async (
  format: 'mp4' | 'webm',
  options: FilmOptions,
  canvas: OffscreenCanvas,
): Promise<FilmEncoder> => {
  const codec = await findCodec(format, options);
  if (codec === null) throw new Error('This browser has no encoder for this film.');
  const target = new BufferTarget();
  const output = new Output({
    format: format === 'mp4' ? new Mp4OutputFormat() : new WebMOutputFormat(),
    target,
  });
  const source = new CanvasSource(canvas, { codec, bitrate: QUALITY_HIGH });
  output.addVideoTrack(source, { frameRate: options.framesPerSecond });
  await output.start();
  const durationS = 1 / options.framesPerSecond;
  let count = 0;
  return {
    add: () => source.add(count++ * durationS, durationS),
    async finish() {
      await output.finalize();
      if (target.buffer === null) throw new Error('The film is empty.');
      return new Uint8Array(target.buffer);
    },
  };
};
