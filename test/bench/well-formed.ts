const tag = /<(\/?)([a-z][\w-]*)(?:\s[\w:-]+="[^"<]*")*\s*(\/?)>/gi;

/** The first thing that is wrong with an XML text, as far as a chart needs it; undefined where nothing is. */
export const xmlProblem = (text: string): string | undefined => {
  const body = text.replace(/<!--[\s\S]*?-->/g, '');
  const open: string[] = [];
  for (const [whole, closing, name = '', selfClosing] of body.matchAll(tag)) {
    if (closing && open.pop() !== name) return `${whole} closes nothing`;
    if (!closing && !selfClosing) open.push(name);
  }
  if (/[<>]|&(?!amp;|lt;|gt;|quot;)/.test(body.replace(tag, ''))) return 'a character that is not escaped';
  return open.length === 0 ? undefined : `${open.join(', ')} not closed`;
};
