/** The one route, as API Gateway names it. */
export const routeKey = 'PATCH /v1/spaces/{spaceId}/files/{fileId}';

const [routeMethod, ...routeSegments] = routeKey.split(/[ /]+/);

/**
 * The path parameters of a request to the route, decoded once; undefined for any other method or path. The path is
 * matched as it was sent, so that an encoded slash stays inside its parameter. Throws URIError where the percent
 * encoding is broken.
 */
export const matchRoute = (method: string, encodedPath: string): Record<string, string> | undefined => {
  const [beforeFirstSlash, ...segments] = encodedPath.split('/');
  if (method !== routeMethod || beforeFirstSlash !== '' || segments.length !== routeSegments.length) {
    return undefined;
  }
  const parameters: [string, string][] = [];
  for (const [index, expected] of routeSegments.entries()) {
    const segment = segments[index] ?? '';
    const [, name] = /^\{(.+)\}$/.exec(expected) ?? [];
    if (name === undefined ? segment !== expected : segment === '') return undefined;
    if (name !== undefined) parameters.push([name, segment]);
  }
  return Object.fromEntries(parameters.map(([name, segment]) => [name, decodeURIComponent(segment)]));
};
