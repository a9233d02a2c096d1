import { expect, test } from 'vitest';
import { resolveVariables } from '#local/service/service-variables.ts';

const service = {
  service: 'files',
  params: {
    default: { table: `\${self:service}-\${sls:stage}`, rate: 200, note: '' },
    dev: { rate: 20 },
  },
};
const resolve = (value: unknown, stage = 'dev') => resolveVariables({ ...service, value }, stage);

test('params are the stage’s own or else the default ones, and may hold other variables', () => {
  const value = { name: `\${param:table}`, rates: [`\${param:rate}/s`, `\${param:note}`] };
  expect(resolve(value)).toMatchObject({ value: { name: 'files-dev', rates: ['20/s', ''] } });
  expect(resolve(value, 'prod')).toMatchObject({ value: { name: 'files-prod', rates: ['200/s', ''] } });
});

test('what CloudFormation replaces stays', () => {
  const value = `arn:\${AWS::Partition}:\${HttpApi}`;
  expect(resolve(value)).toMatchObject({ value });
});

test.each([
  [`\${param:other}`, 'serverless.yml has no text at params.other'],
  [`\${self:params.default}`, 'serverless.yml has no text at params.default'],
])('%s leads nowhere', (value, message) => {
  expect(() => resolve(value)).toThrow(message);
});
