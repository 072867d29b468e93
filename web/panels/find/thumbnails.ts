/** Thumbnails of the cards that are in view; requests for cards that left it are cancelled. */
import type { Api } from '../../api/api.ts';
import type { Scene } from '../../scenes/scene.ts';
import { afterTiles } from './after-tiles.ts';

/** Loads pictures into canvases as they come into view. */
export interface Thumbnails {
  watch(canvas: HTMLCanvasElement, scene: Scene): void;
  unwatch(canvas: HTMLCanvasElement): void;
}

/** Draws the picture to fill the canvas, its longer side cut at both ends. */
const draw = (canvas: HTMLCanvasElement, picture: ImageBitmap | HTMLImageElement): void => {
  const context = canvas.getContext('2d');
  if (context === null) return;
  const scale = Math.max(canvas.width / picture.width, canvas.height / picture.height);
  const [width, height] = [picture.width * scale, picture.height * scale];
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, (canvas.width - width) / 2, (canvas.height - height) / 2, width, height);
};

/** Loads a picture of another origin, without anything of the page's own. */
const loadPicture = async (address: string, signal: AbortSignal): Promise<HTMLImageElement> => {
  const picture = new Image();
  signal.addEventListener('abort', () => picture.removeAttribute('src'), { once: true });
  picture.src = address;
  await picture.decode();
  return picture;
};

interface ThumbnailParts extends Pick<Api, 'readThumbnail'> {
  /** Whether the page may show the provider's own picture at an address. */
  readonly mayShow: (address: string) => boolean;
  /** Resolves when the map has drawn what it was told to. */
  readonly whenDrawn: () => Promise<void>;
}

/** Builds the loader. Canvases instead of images: the key travels in a header, which an image cannot send. */
export const makeThumbnails = ({ readThumbnail, mayShow, whenDrawn }: ThumbnailParts): Thumbnails => {
  const scenes = new WeakMap<Element, Scene>();
  const running = new Map<Element, AbortController>();
  /** The provider's own picture where there is one: for another one the server reads the files of the scene. */
  const read = async (
    { viewId, thumbnail }: Scene,
    signal: AbortSignal,
  ): Promise<ImageBitmap | HTMLImageElement> => {
    const own = async (): Promise<ImageBitmap> => {
      // A scene that is chosen moves its card into view: drawn between the tiles, its thumbnail takes as long as several.
      await afterTiles(whenDrawn, signal);
      return createImageBitmap(await readThumbnail(viewId, signal));
    };
    if (thumbnail === null || !mayShow(thumbnail)) return own();
    return loadPicture(thumbnail, signal).catch((error: unknown) => {
      if (signal.aborted) throw error;
      return own();
    });
  };
  const load = async (canvas: HTMLCanvasElement, scene: Scene): Promise<void> => {
    const controller = new AbortController();
    running.set(canvas, controller);
    try {
      const picture = await read(scene, controller.signal);
      draw(canvas, picture);
      if (picture instanceof ImageBitmap) picture.close();
      canvas.classList.add('is-loaded');
      observer.unobserve(canvas);
    } catch {
      // A card without a picture is still a card; it is tried again when it comes back into view.
    } finally {
      running.delete(canvas);
    }
  };
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const scene = scenes.get(target);
        if (!isIntersecting) running.get(target)?.abort();
        else if (scene !== undefined && !running.has(target)) void load(target as HTMLCanvasElement, scene);
      }
    },
    { rootMargin: '100px' },
  );
  return {
    watch(canvas, scene) {
      scenes.set(canvas, scene);
      observer.observe(canvas);
    },
    unwatch(canvas) {
      running.get(canvas)?.abort();
      observer.unobserve(canvas);
    },
  };
};
