const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g;

/**
 * The field names of a JSON object as its text has them: in order, repeats included. JSON.parse keeps neither:
 * it drops all but the last of a repeated name and moves numeric names to the front.
 *
 * @param json text that JSON.parse has accepted, holding an object
 */
export const topLevelNames = (json: string): readonly string[] => {
  const names: string[] = [];
  let depth = 0;
  let text = '';
  for (const [token] of json.matchAll(TOKEN)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (token !== ':') text = token;
    else if (depth === 1) names.push(JSON.parse(text));
  }
  return names;
};
