/** Whether a write was refused by its condition. */
export const isConditionFailed = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && error.code === 'ConditionalCheckFailedException';
