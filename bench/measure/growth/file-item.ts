import type { AttributeValue } from '@aws-sdk/client-dynamodb';

type FileItem = Record<string, AttributeValue>;

/** A file as the table holds it, as small as one can be; with as many tags as asked for. */
export const fileItem = ({
  spaceId,
  fileId,
  tags = 0,
}: {
  spaceId: string;
  fileId: string;
  tags?: number;
}): FileItem => ({
  spaceId: { S: spaceId },
  fileId: { S: fileId },
  language: { S: 'en' },
  domain: { S: 'hr' },
  ...(tags > 0 && { tags: { L: Array.from({ length: tags }, (_, index) => tag(index)) } }),
});

const tag = (index: number): AttributeValue => ({
  M: { key: { S: `key-${index}` }, value: { S: `the value of ${index}` }, aiExtracted: { BOOL: true } },
});
