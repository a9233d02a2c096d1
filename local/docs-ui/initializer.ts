/** An API key, and the security scheme of the API description under which it is sent. */
export type FilledInKey = { scheme: string; key: string };

/** The script that starts Swagger UI on the page, with an API key filled in or without. */
export const initializer = (
  filledIn: FilledInKey | undefined,
): string => `const filledIn = ${JSON.stringify(filledIn ?? null)};

const ui = SwaggerUIBundle({
  url: '/docs/openapi.json',
  dom_id: '#swagger-ui',
  // The default sends the description's address to a service on the internet.
  validatorUrl: null,
  docExpansion: 'full',
  displayRequestDuration: true,
  onComplete: () => {
    if (filledIn !== null) ui.preauthorizeApiKey(filledIn.scheme, filledIn.key);
  },
});
`;
