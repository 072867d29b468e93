/** Thumbnails of the cards that are in view; requests for cards that left it are cancelled. */
import type { Api } from '../../api/api.ts';

/** Loads pictures into canvases as they come into view. */
export interface Thumbnails {
  watch(canvas: HTMLCanvasElement, viewId: string): void;
  unwatch(canvas: HTMLCanvasElement | null): void;
}

/** Draws the picture to fill the canvas, its longer side cut at both ends. */
const draw = (canvas: HTMLCanvasElement, picture: ImageBitmap): void => {
  const context = canvas.getContext('2d');
  if (context === null) return;
  const scale = Math.max(canvas.width / picture.width, canvas.height / picture.height);
  const [width, height] = [picture.width * scale, picture.height * scale];
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, (canvas.width - width) / 2, (canvas.height - height) / 2, width, height);
};

/** Builds the loader. Canvases instead of images: the key travels in a header, which an image cannot send. */
export const makeThumbnails = ({ readThumbnail }: Pick<Api, 'readThumbnail'>): Thumbnails => {
  const viewIds = new WeakMap<Element, string>();
  const running = new Map<Element, AbortController>();
  const load = async (canvas: HTMLCanvasElement, viewId: string): Promise<void> => {
    const controller = new AbortController();
    running.set(canvas, controller);
    try {
      const picture = await createImageBitmap(await readThumbnail(viewId, controller.signal));
      draw(canvas, picture);
      picture.close();
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
        const viewId = viewIds.get(target);
        if (!isIntersecting) running.get(target)?.abort();
        else if (viewId !== undefined && !running.has(target)) void load(target as HTMLCanvasElement, viewId);
      }
    },
    { rootMargin: '100px' },
  );
  return {
    watch(canvas, viewId) {
      viewIds.set(canvas, viewId);
      observer.observe(canvas);
    },
    unwatch(canvas) {
      if (canvas === null) return;
      running.get(canvas)?.abort();
      observer.unobserve(canvas);
    },
  };
};
