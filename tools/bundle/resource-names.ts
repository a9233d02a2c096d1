/** What AWS demands of the names of a type of resource. */
type NameRule = {
  /** The property of the resource. */
  readonly property: string;
  /** The names that AWS accepts, and the same in words. */
  readonly form: RegExp;
  readonly words: string;
  /** Within what a name must be unique. The names of an account are shared by the stacks of all Regions. */
  readonly scope: 'Region' | 'account';
};

/**
 * By type of resource, from the pages of these types in the CloudFormation template reference. A resource without a name gets
 * one from CloudFormation, which fits. test/lanes/template/rules.test.ts rejects a name whose type is not here.
 */
export const nameRules: Readonly<Record<string, NameRule>> = {
  'AWS::ApiGatewayV2::Api': {
    property: 'Name',
    form: /^.{1,128}$/,
    words: '1 to 128 characters',
    scope: 'Region',
  },
  'AWS::CloudFormation::Stack': {
    property: 'StackName',
    form: /^[A-Za-z][A-Za-z0-9-]{0,127}$/,
    words: '1 to 128 letters, digits and -, and begin with a letter',
    scope: 'Region',
  },
  'AWS::CloudWatch::Alarm': {
    property: 'AlarmName',
    form: /^.{1,255}$/,
    words: '1 to 255 characters',
    scope: 'Region',
  },
  'AWS::CloudWatch::Dashboard': {
    property: 'DashboardName',
    form: /^[\w-]{1,255}$/,
    words: '1 to 255 letters, digits, - and _',
    scope: 'account',
  },
  'AWS::DynamoDB::Table': {
    property: 'TableName',
    form: /^[\w.-]{3,255}$/,
    words: '3 to 255 letters, digits, -, _ and dots',
    scope: 'Region',
  },
  'AWS::Lambda::Function': {
    property: 'FunctionName',
    form: /^[\w-]{1,64}$/,
    words: '1 to 64 letters, digits, - and _',
    scope: 'Region',
  },
  'AWS::Logs::LogGroup': {
    property: 'LogGroupName',
    form: /^[\w./#-]{1,512}$/,
    words: '1 to 512 letters, digits and -, _, /, # and dots',
    scope: 'Region',
  },
  'AWS::Logs::QueryDefinition': {
    property: 'Name',
    form: /^.{1,255}$/,
    words: '1 to 255 characters',
    scope: 'Region',
  },
  'AWS::SNS::Topic': {
    property: 'TopicName',
    form: /^[\w-]{1,256}$/,
    words: '1 to 256 letters, digits, - and _',
    scope: 'Region',
  },
};

/** A resource of a template. A name can be a text, or a text in `Fn::Sub`. */
export type Resource = { readonly Type: string; readonly Properties?: Readonly<Record<string, unknown>> };

/** The longest name of a Region is about as long. */
const aRegion = 'ap-southeast-1';

/** The name of a resource, with a Region in place of `${AWS::Region}`. Undefined if it has none. */
const nameOf = ({ Type, Properties }: Resource): string | undefined => {
  const name = Properties?.[nameRules[Type]?.property ?? ''];
  const text = typeof name === 'object' && name !== null && 'Fn::Sub' in name ? name['Fn::Sub'] : name;
  return typeof text === 'string' ? text.replaceAll(/\$\{AWS::Region\}/g, aRegion) : undefined;
};

/** A sentence for each name that AWS would reject, some of them only after it has created other resources. */
export const nameProblems = (resources: readonly Resource[]): string[] =>
  resources.flatMap((resource) => {
    const [rule, name] = [nameRules[resource.Type], nameOf(resource)];
    if (rule === undefined || name === undefined || rule.form.test(name)) return [];
    return `${rule.property} ${name} must have ${rule.words}. Choose another stage, or another param.`;
  });
