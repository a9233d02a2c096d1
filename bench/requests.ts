import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { outcomes } from '../test/support/outcomes.ts';
import { projectRoot } from '../tools/project.ts';

const toRequest = (name: string) => {
  const outcome = outcomes[name];
  if (!outcome) throw new Error(`there is no outcome of ${name}`);
  const event = readFileSync(join(projectRoot, 'events', `${name}.json`), 'utf8');
  return { name, event, status: outcome.status, body: outcome.body };
};

/**
 * Good and bad requests to which every variant must give the response that openapi.yaml and the tests of the function
 * expect. The first one leaves a field as it is in the demo data.
 */
export const checkedRequests = `
  updated-empty-string cleared-both updated set-and-cleared updated-basic-shape
  api-key-missing api-key-unknown api-key-revoked api-key-expired
  permission-other-tenant permission-other-scope permission-viewer permission-private-space
  summary-wrong-type summary-too-long field-unknown field-not-editable patch-empty body-not-json
  space-not-found space-of-another-tenant file-not-found`
  .trim()
  .split(/\s+/)
  .map(toRequest);

/** The request that is measured: an update of both fields. Its body is not checked: that would take measured time. */
export const update = { ...toRequest('updated'), body: undefined };
