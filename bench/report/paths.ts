/** The page and its charts, from the project's folder. */
export const PAGE = 'docs/performance.md';
export const CHARTS = 'docs/performance';

/** The same folder as a link of the page. */
export const CHARTS_BESIDE_PAGE = 'performance';
