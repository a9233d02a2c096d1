const fence = /^(`{3,}|~{3,})[\s\S]*?^\1/gm;
const indented = /^(?: {4}|\t).*$/gm;
const inlineCode = /(`+)(?!`)[\s\S]*?\1/g;

/** The anchor that GitHub gives a heading. */
const toAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

/** The anchors of a page's headings, in order; of equal ones the later are numbered. */
export const anchorsOf = (page: string): string[] => {
  const seen = new Map<string, number>();
  return [...page.replace(fence, '').matchAll(/^#{1,6} +(.+)$/gm)].map(([, heading = '']) => {
    const anchor = toAnchor(heading);
    const before = seen.get(anchor) ?? 0;
    seen.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
};

/** Where a page's links and pictures lead, in order; what stands in code is none. */
export const linksOf = (page: string): string[] =>
  [
    ...page
      .replace(fence, '')
      .replace(indented, '')
      .replace(inlineCode, 'code')
      .matchAll(/\]\(([^)\s]+)\)/g),
  ].map(([, link = '']) => link);
