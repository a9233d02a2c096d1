import { everywhere, exactly, is, type Rule } from '../support/rule.ts';
import { at, idsOf, textAt } from '../support/template.ts';

const stage = 'Resources.HttpApiStage.Properties';
const settings = `${stage}.DefaultRouteSettings`;
const integration = 'Resources.HttpApiIntegrationUpdateFile.Properties';
const format = `${stage}.AccessLogSettings.Format`;

/** What an access log line may hold: nothing that a header, a query, a path, a body or an authorizer fills. */
const logged = {
  time: '$context.requestTime',
  requestId: '$context.requestId',
  ip: '$context.identity.sourceIp',
  method: '$context.httpMethod',
  route: '$context.routeKey',
  status: '$context.status',
  ms: '$context.responseLatency',
  functionMs: '$context.integrationLatency',
  gatewayError: '$context.error.responseType',
  functionError: '$context.integrationErrorMessage',
};
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
/** Of a stage, or as text from the command line. 10,000 is what an account has in a Region. */
const isRate = (found: unknown) => Number(found) >= 1 && Number(found) <= 10_000;

/** The API. */
export const gatewayRules: readonly Rule[] = [
  {
    name: 'there is one route',
    check: (template) => {
      const keys = idsOf(template, 'AWS::ApiGatewayV2::Route').map((id) =>
        textAt(template, `Resources.${id}.Properties.RouteKey`),
      );
      return keys.join() === 'PATCH /v1/spaces/{spaceId}/files/{fileId}' ? [] : keys;
    },
    broken: [['Resources.More', { Type: 'AWS::ApiGatewayV2::Route', Properties: { RouteKey: '$default' } }]],
  },
  everywhere(
    'events come in the format that the handler reads',
    'AWS::ApiGatewayV2::Integration',
    'Properties.PayloadFormatVersion',
    is('2.0'),
    [[`${integration}.PayloadFormatVersion`, '1.0'], [`${integration}.PayloadFormatVersion`]],
  ),
  {
    name: 'the gateway waits longer than the function may run',
    check: (template) => {
      const wait = Number(at(template, `${integration}.TimeoutInMillis`));
      const run = Number(at(template, 'Resources.UpdateFileLambdaFunction.Properties.Timeout')) * 1000;
      return wait > run && wait <= 30_000
        ? []
        : [`the gateway waits ${wait} ms, the function may run ${run} ms`];
    },
    broken: [[`${integration}.TimeoutInMillis`, 10_000], [`${integration}.TimeoutInMillis`]],
  },
  everywhere(
    'requests are throttled',
    'AWS::ApiGatewayV2::Stage',
    'Properties.DefaultRouteSettings.ThrottlingRateLimit',
    isRate,
    [[`${settings}.ThrottlingRateLimit`], [`${settings}.ThrottlingRateLimit`, 0]],
  ),
  everywhere(
    'and so are bursts',
    'AWS::ApiGatewayV2::Stage',
    'Properties.DefaultRouteSettings.ThrottlingBurstLimit',
    isRate,
    [[`${settings}.ThrottlingBurstLimit`]],
  ),
  everywhere(
    'no route has a limit of its own',
    'AWS::ApiGatewayV2::Stage',
    'Properties.RouteSettings',
    is(undefined),
    [[`${stage}.RouteSettings`, { 'PATCH /x': { ThrottlingRateLimit: 100_000 } }]],
  ),
  exactly('a route has metrics of its own', `${settings}.DetailedMetricsEnabled`, true, [
    [`${settings}.DetailedMetricsEnabled`, false],
  ]),
  exactly('there is one stage, at the root of the address', `${stage}.StageName`, '$default', [
    [`${stage}.StageName`, 'dev'],
  ]),
  {
    name: 'a line of the access log holds no secret, and is JSON',
    check: (template) => (is(logged)(parsed(textAt(template, format))) ? [] : [textAt(template, format)]),
    broken: [
      [format, JSON.stringify({ ...logged, key: '$request.header.x-api-key' })],
      [format, JSON.stringify({ ...logged, path: '$context.path' })],
      [format, '$context.requestId $context.authorizer.error'],
      [format],
    ],
  },
  exactly(
    'the access log goes to its own group',
    `${stage}.AccessLogSettings.DestinationArn`,
    { 'Fn::GetAtt': ['HttpApiLogGroup', 'Arn'] },
    [[`${stage}.AccessLogSettings`]],
  ),
  exactly(
    'no web page of another origin may call',
    'Resources.HttpApi.Properties.CorsConfiguration',
    undefined,
    [['Resources.HttpApi.Properties.CorsConfiguration', { AllowOrigins: ['*'] }]],
  ),
];
