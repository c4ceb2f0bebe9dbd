/** The end of the object or list that opens at `start` (one past its last character). */
const endOf = (text: string, start: number): number => {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') {
      while (text[++at] !== '"') if (text[at] === '\\') at += 1;
    } else if (character === '{' || character === '[') {
      depth += 1;
    } else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  throw new Error(`This JSON has no end: ${text.slice(start, start + 100)}`);
};

/** The objects under `data` of a node's answer, each as the text that the node wrote, so that no digit is lost. */
export const dataTexts = (body: string): string[] => {
  const start = body.indexOf('"data":') + '"data":'.length;
  if (body[start] !== '[') return [body.slice(start, endOf(body, start))];
  const texts: string[] = [];
  for (let at = start + 1; body[at] === '{' || body[at] === ',';) {
    if (body[at] === ',') at += 1;
    const end = endOf(body, at);
    texts.push(body.slice(at, end));
    at = end;
  }
  return texts;
};
