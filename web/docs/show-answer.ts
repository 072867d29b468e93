/** Longer texts are cut: a page of megabytes would stall the browser. */
const MAX_CHARS = 50_000;

const make = (tag: string, className: string, text: string): HTMLElement => {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = text;
  return element;
};

/** The bytes as an address: the policy of the page allows pictures from data, not from objects in memory. */
const toDataUrl = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });

const toShown = async (response: Response, type: string): Promise<HTMLElement> => {
  if (type.startsWith('image/') && type !== 'image/tiff') {
    const picture = document.createElement('img');
    picture.alt = 'The picture that came back';
    picture.src = await toDataUrl(await response.blob());
    return picture;
  }
  if (!/json|text|xml/.test(type)) {
    const { size } = await response.blob();
    return make('p', '', `${size.toLocaleString('en')} bytes.`);
  }
  const text = await response.text();
  const shown = type.includes('json') ? toPretty(text) : text;
  return make('pre', '', shown.length > MAX_CHARS ? `${shown.slice(0, MAX_CHARS)}\n…` : shown);
};

const toPretty = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

/** Shows status, type and content of an answer: a picture as a picture, JSON indented, other bytes as their number. */
export const showAnswer = async (
  into: HTMLElement,
  response: Response,
  elapsedMs: () => number,
): Promise<void> => {
  const type = response.headers.get('content-type') ?? '';
  const shown = await toShown(response, type);
  const status = `${response.status} ${response.statusText} · ${type || 'no content'} · ${Math.round(elapsedMs())} ms`;
  into.replaceChildren(make('p', 'status', status), shown);
};
