/** A request as a page of the documentation writes it: a call of curl. */
export interface DocumentedRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'HEAD' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Whether redirects are followed. */
  readonly follows: boolean;
  /** The file that the answer is written to. */
  readonly output?: string;
  /** The JSON that the page shows as the answer. */
  readonly shown?: string;
}

/** All calls of curl in a text, with the variables that it sets before them; `known` are set from the beginning. */
export function readCommands(text: string, known: Readonly<Record<string, string>>): DocumentedRequest[] {
  const variables: Record<string, string> = {};
  const requests: DocumentedRequest[] = [];
  const lines = text.split('\n').map((line) => line.trimStart());
  for (const [i, line] of lines.entries()) {
    const [, name = '', value = ''] = /^([A-Z]+)=(\S+)$/.exec(line) ?? [];
    if (name !== '') variables[name] = value;
    if (!line.startsWith('curl ')) continue;
    const { words, rest } = splitWords(lines.slice(i).join('\n'), { ...variables, ...known });
    const next = rest.trimStart().split('\n')[0] ?? '';
    requests.push({ ...toRequest(words.slice(1)), ...(/^[{[]/.test(next) ? { shown: next } : {}) });
  }
  return requests;
}

/** The words of one shell command, and the text after it: quotes, variables and comments, as far as pages use them. */
function splitWords(text: string, variables: Readonly<Record<string, string>>) {
  const words: string[] = [];
  const piece = /(\\\n|[ \t]+)|(\n|#|$)|'([^']*)'|"([^"]*)"|([^\s'"\\]+)/y;
  let isNew = true;
  for (;;) {
    const match = piece.exec(text);
    if (match === null) throw new Error(`this command cannot be read: ${text.slice(0, 200)}`);
    const [, gap, end, single, double, bare] = match;
    if (end !== undefined) {
      const at = text.indexOf('\n', match.index);
      return { words, rest: at < 0 ? '' : text.slice(at + 1) };
    }
    if (gap !== undefined) {
      isNew = true;
      continue;
    }
    const expand = (quoted: string): string =>
      quoted.replace(/\$([A-Z]+)/g, (_, name: string) => {
        const value = variables[name];
        if (value === undefined) throw new Error(`$${name} is not set`);
        return value;
      });
    const part = single ?? expand(double ?? bare ?? '');
    if (isNew) words.push(part);
    else words.push(`${words.pop()}${part}`);
    isNew = false;
  }
}

/** `name=value` with its value encoded. */
const encodeValue = (pair: string): string => pair.replace(/(?<==).*/s, encodeURIComponent);

function toRequest(words: readonly string[]): Omit<DocumentedRequest, 'shown'> {
  const headers: Record<string, string> = {};
  const [data, query]: [string[], string[]] = [[], []];
  let [url, output, isGet]: [string, string | undefined, boolean] = ['', undefined, false];
  let [method, follows]: [DocumentedRequest['method'] | undefined, boolean] = [undefined, false];
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i] as string;
    const value = (): string => {
      i += 1;
      return words[i] ?? '';
    };
    if (word === '-G') isGet = true;
    else if (word === '-I') method = 'HEAD';
    else if (word === '-X') method = value() as DocumentedRequest['method'];
    else if (word === '-r') headers.range = `bytes=${value()}`;
    else if (word === '-L') follows = true;
    else if (word === '-o') output = value();
    else if (word === '-d' || word === '--data-binary') data.push(value());
    else if (word === '--data-urlencode') data.push(encodeValue(value()));
    else if (word === '--url-query') query.push(encodeValue(value()));
    else if (word === '-H') {
      const [name = '', text = ''] = value().split(/:\s*/);
      headers[name] = text;
    } else if (!word.startsWith('-')) url = word;
    else if (!['-s', '-f', '-i'].includes(word)) throw new Error(`the test does not know curl ${word}`);
  }
  const isPost = data.length > 0 && !isGet;
  if (isGet) query.push(...data);
  return {
    url: query.length > 0 ? `${url}?${query.join('&')}` : url,
    method: method ?? (isPost ? 'POST' : 'GET'),
    headers,
    follows,
    ...(isPost ? { body: data.join('&') } : {}),
    ...(output === undefined ? {} : { output }),
  };
}
