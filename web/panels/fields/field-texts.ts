/** The words of the panel of fields. */
import type { englishFields } from '../../texts/en-fields.ts';
import type { TextsOf } from '../../texts/messages.ts';

/** As `loadLaterTexts` makes them. */
export type FieldTexts = TextsOf<typeof englishFields>;
