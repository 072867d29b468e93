/** How the server makes a picture, read from its own explanation (`explain=1`). */
import { asNumber, asRecord, asText } from '../../scenes/read-json.ts';

/** A file that is read. */
export interface ExplainedFile {
  readonly viewId: string;
  readonly band: string;
  readonly name: string;
  /** 0 for the whole image, 1 for its first overview, and so on; `null` where nothing is read of it. */
  readonly level: number | null;
  readonly bytes: number | null;
}

/** What is done, in the server's words. */
export interface ExplainedStep {
  readonly name: string;
  readonly detail: string;
}

/** The explanation of one tile. */
export interface Explanation {
  /** Scenes that touch the tile. */
  readonly found: number;
  readonly files: readonly ExplainedFile[];
  readonly steps: readonly ExplainedStep[];
  /** Whether the finished tile is stored, so that nothing is read. */
  readonly isCached: boolean;
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const parseFile = (value: unknown): ExplainedFile[] => {
  const { view_id, band, file, read, blocks } = asRecord(value);
  const name = asText(asRecord(file).name);
  if (name === null) return [];
  return [
    {
      viewId: asText(view_id) ?? '',
      band: asText(band) ?? '',
      name,
      level: asNumber(asRecord(read).level),
      bytes: asNumber(asRecord(blocks).bytes_stored),
    },
  ];
};

const parseStep = (value: unknown): ExplainedStep[] => {
  const { step, detail } = asRecord(value);
  const name = asText(step);
  return name === null ? [] : [{ name, detail: asText(detail) ?? '' }];
};

/** Reads it; a mosaic has the files and steps of its scenes in parts. */
export const parseExplanation = (body: unknown): Explanation => {
  const { scenes, found, parts, inputs, steps, cached } = asRecord(body);
  const partList = asList(parts).map(asRecord);
  const [first] = partList;
  return {
    found: asNumber(found) ?? asList(scenes).length,
    files: [...asList(inputs), ...partList.flatMap((part) => asList(part.inputs))].flatMap(parseFile),
    steps: [...asList(first?.steps), ...asList(steps)].flatMap(parseStep),
    isCached: cached === true,
  };
};
