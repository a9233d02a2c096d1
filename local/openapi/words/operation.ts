import { grouped, limits } from '../limits.ts';

/** What the operation does, as Markdown for whoever calls it. */
export const operationDescription = `
Changes the two editable fields of one file, and answers with the file as this very write left it.

| in the body | the field is |
|---|---|
| absent | kept as it is |
| \`null\` | cleared: answered as \`null\` |
| a string, \`""\` too | set, exactly as it was sent |

At least one field must be sent, and no other field may be. Other headers and all query parameters are ignored.

**Order of checks.** 1 the caller's ids, 2 the API key, 3 its permission, 4 the body, 5 the space, 6 the file and
\`If-Match\`. The first check that fails answers, and nothing is written unless all hold.

**Other tenants.** A space of another tenant is answered exactly like one that never was.

**Two writers.** Without \`If-Match\` the last writer wins, field by field. With the \`etag\` of an earlier answer as
\`If-Match\` the file is written only if nobody has changed it since; else the answer is 412 with the current etag.
A conflict is always a 412: 409 is never answered.

**Sending it again.** Any request may be repeated safely: no acknowledged write is ever replaced by a late attempt of
an earlier one. Repeat after a lost connection, 429, 500 and 503, each time after a longer and randomly chosen pause,
and never before \`retry-after\`. After 500, 503 or a lost connection the write may or may not have been applied. A
repetition is a write of its own: without \`If-Match\` it wins over what others wrote to the same fields in between; with
it, it is answered 412 when the first attempt was applied after all. Any other 4xx has changed nothing, and the same
request gets the same answer for as long as key, space and file stay as they are.

**Time.** An answer comes within 5 seconds.

**Before the function.** API Gateway answers by itself when there are too many requests (429), no route for the path
or method (404 \`Not Found\`), more than 10 MB of body (413 \`Request Entity Too Large\`), and when it cannot run the
function (500, 503): the body has the same form, and none of the headers below comes along.
`.trim();

/** What a body may be, beyond its schema. */
export const bodyDescription = `
A JSON object with \`summary\`, \`documentKind\` or both: at most ${grouped(limits.body)} bytes of plain UTF-8 without a byte order
mark, neither compressed nor otherwise encoded, and no field twice. \`Content-Type\` may have parameters, of which
\`charset\` may only be \`utf-8\`, and at most ${limits.contentType} characters.
`.trim();
