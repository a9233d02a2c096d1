import type { Context } from 'aws-lambda';
import { updateFile } from '../../../../handlers/update-file.ts';
import { liveDeps } from '../../../../lib/deps.ts';
import type { EventRequest } from '../../../../lib/http/event.ts';
import { toLogLine } from '../../../../lib/http/log-line.ts';
import { openRequest } from '../../../../lib/http/request.ts';
import { type ApiResponse, errorResponse } from '../../../../lib/http/response.ts';

/** What a package has made of an event. */
type Sent = Pick<EventRequest, 'headers' | 'spaceId' | 'fileId' | 'body'>;

const deps = liveDeps();
const operation = updateFile(deps);

/** The whole of our operation, from the request that a package has read to the response that it is to give. */
export const carryOut = async (sent: Sent, context: Partial<Context>): Promise<ApiResponse> => {
  const read = { ...sent, format: '2.0', gatewayRequestId: undefined, isBase64Encoded: false } as const;
  const request = openRequest(read, context, deps);
  let error: unknown;
  const response = await operation(request).catch((thrown: unknown) => {
    error = thrown;
    return errorResponse(thrown);
  });
  deps.log(toLogLine(request, { status: response.statusCode, error, now: deps.now() }));
  return { ...response, headers: { ...response.headers, 'x-request-id': request.call.requestId } };
};
