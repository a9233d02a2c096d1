import { basename } from 'node:path';
import * as z from 'zod';

const FunctionSchema = z.object({
  Code: z.object({ S3Key: z.string() }),
  Handler: z.string(),
  Runtime: z.string(),
  Architectures: z.array(z.string()),
  MemorySize: z.number(),
  Timeout: z.number(),
  Environment: z.object({ Variables: z.record(z.string(), z.string()) }),
});

/** What `serverless package` wrote, as far as sam is told of it. */
export const PackagedSchema = z.object({
  Resources: z.object({
    UpdateFileLambdaFunction: z.object({ Properties: FunctionSchema }),
    HttpApiIntegrationUpdateFile: z.object({ Properties: z.object({ PayloadFormatVersion: z.string() }) }),
    HttpApiRoutePatchV1SpacesSpaceidVarFilesFileidVar: z.object({
      Properties: z.object({ RouteKey: z.string() }),
    }),
  }),
});

/**
 * The same function and route as a SAM template, for `sam local`; it lies beside the zip. Tables and role stay out:
 * sam makes none on this machine.
 *
 * @param endpoint of DynamoDB, for a function that is not to call AWS
 */
export const toSamTemplate = ({ Resources }: z.infer<typeof PackagedSchema>, endpoint?: string) => {
  const { Code, Environment, ...same } = Resources.UpdateFileLambdaFunction.Properties;
  const { RouteKey } = Resources.HttpApiRoutePatchV1SpacesSpaceidVarFilesFileidVar.Properties;
  const { PayloadFormatVersion } = Resources.HttpApiIntegrationUpdateFile.Properties;
  const [Method, Path] = RouteKey.split(' ');
  const Variables = {
    ...Environment.Variables,
    ...(endpoint !== undefined && { AWS_ENDPOINT_URL_DYNAMODB: endpoint }),
  };
  return {
    AWSTemplateFormatVersion: '2010-09-09',
    Transform: 'AWS::Serverless-2016-10-31',
    Description: 'For sam local, made by npm run sam-template. What is deployed is serverless.yml.',
    Resources: {
      UpdateFileLambdaFunction: {
        Type: 'AWS::Serverless::Function',
        Properties: {
          CodeUri: basename(Code.S3Key),
          ...same,
          Environment: { Variables },
          Events: { Http: { Type: 'HttpApi', Properties: { Method, Path, PayloadFormatVersion } } },
        },
      },
    },
  };
};
