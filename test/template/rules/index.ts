import type { Rule } from '../support/rule.ts';
import { accessRules } from './access.ts';
import { alarmMetricRules } from './alarm-metrics.ts';
import { alarmRules } from './alarms.ts';
import { dashboardRules } from './dashboard.ts';
import { functionRules } from './function.ts';
import { gatewayRules } from './gateway.ts';
import { logRules } from './logs.ts';
import { regionRules } from './regions.ts';
import { roleRules } from './role.ts';
import { tableRules } from './tables.ts';
import { topicRules } from './topic.ts';
import { wholeRules } from './whole.ts';

/** All that must hold of the template, whatever is set. */
export const rules: readonly Rule[] = [
  ...roleRules,
  ...accessRules,
  ...tableRules,
  ...regionRules,
  ...functionRules,
  ...gatewayRules,
  ...logRules,
  ...alarmRules,
  ...alarmMetricRules,
  ...topicRules,
  ...dashboardRules,
  ...wholeRules,
];
