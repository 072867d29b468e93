/**
 * The texts of expressions separated by commas, trimmed; commas within parentheses do not separate. They need not be
 * valid.
 */
export function splitExpressions(text: string): readonly string[] {
  const texts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i <= text.length; i++) {
    if (text[i] === '(') depth += 1;
    else if (text[i] === ')') depth -= 1;
    else if (i === text.length || (text[i] === ',' && depth === 0)) {
      texts.push(text.slice(start, i).trim());
      start = i + 1;
    }
  }
  return texts;
}
