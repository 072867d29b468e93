import type { CommandSpec } from './command.ts';

/** Commands that one text of `--help` and one section of the documentation explain together. */
export interface Topic<Specs extends readonly CommandSpec[] = readonly CommandSpec[]> {
  /** The word that begins most of its commands. */
  readonly name: string;
  /** One line for the list of all commands. */
  readonly summary: string;
  /** Paragraphs before the commands. */
  readonly about: readonly string[];
  readonly commands: Specs;
  /** Commands that begin with the same word and that other topics explain, by the name of the topic. */
  readonly elsewhere?: Readonly<Record<string, string>>;
  /** When the exit status is 1. */
  readonly fails?: string;
}

/** A topic; the type of its commands is kept. */
export const topic = <const Specs extends readonly CommandSpec[]>(spec: Topic<Specs>): Topic<Specs> => spec;
