/** Parses imported files on a thread of its own, so that the page stays responsive. */
import type { Shape } from '../shapes/shape.ts';
import { readFile } from './parse-file.ts';
import type { RefusalReason } from './refusal.ts';
import { Refusal } from './refusal.ts';

/** What a file holds, or why it is refused. */
export type ImportAnswer =
  | {
      readonly kind: 'read';
      readonly shapes: readonly Shape[];
      /** Documents that only the page can read: workers have no reader of XML. */
      readonly kml: readonly string[];
    }
  | { readonly kind: 'refused'; readonly reason: RefusalReason; readonly detail: string }
  | { readonly kind: 'failure'; readonly reason: string };

/** The worker's own side of the conversation; the types of the page know only the window. */
interface WorkerSide {
  onmessage: ((event: MessageEvent<Uint8Array>) => void) | null;
  postMessage(answer: ImportAnswer): void;
}

const read = (bytes: Uint8Array): ImportAnswer => {
  try {
    const kml: string[] = [];
    const shapes = readFile(bytes, (text) => {
      kml.push(text);
      return [];
    });
    return { kind: 'read', shapes, kml };
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', reason: error.reason, detail: error.detail };
    return { kind: 'failure', reason: error instanceof Error ? error.message : String(error) };
  }
};

const side = globalThis as unknown as WorkerSide;
side.onmessage = ({ data }) => side.postMessage(read(data));
