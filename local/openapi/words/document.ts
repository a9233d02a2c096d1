/** What the whole interface is and promises, as Markdown for whoever calls it. */
export const documentDescription = `
A document service keeps files in spaces. This is its one write: it sets and clears the \`summary\` and the
\`documentKind\` of a file.

**Who may.** A request names its tenant, its user and an API key. The key must be bound to the tenant, have the scope
\`PRODUCT\` and a role that may update files. In a public space every user of the tenant may update files, in a private
space its owner only. What changes there counts from the very next request.

**Errors.** Every error body is \`{"message": string}\`. Decide by the status; the message is for people. It names fields,
never values. Report an error with the \`x-request-id\` of its response.

**Versions.** The \`v1\` in the path is the version. Within it a 200 may gain a field, so ignore what you do not know;
fields, statuses and messages that are there stay as they are, and a new error comes only for what was refused or
undefined before. What would break a caller becomes \`/v2\`, which runs beside \`/v1\` for at least six months. While
\`/v1\` is ending, each of its responses carries \`Deprecation\` (RFC 9745), \`Sunset\` (RFC 8594) and a \`Link\` to the
page that tells what to do. Today none of the three is sent.
`.trim();
