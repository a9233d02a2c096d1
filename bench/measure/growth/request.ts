import { requests } from '../../world/events.ts';

/** A request that changes the summary of one file. */
export const requestFor = ({
  spaceId,
  fileId,
  summary = 'Changed by the benchmark.',
}: {
  spaceId: string;
  fileId: string;
  summary?: string;
}): object => ({
  ...requests.good,
  rawPath: `/v1/spaces/${spaceId}/files/${fileId}`,
  pathParameters: { spaceId, fileId },
  body: JSON.stringify({ summary }),
});
